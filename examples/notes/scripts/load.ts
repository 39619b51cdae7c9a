// Calls a service as many users at once do, and prints how fast it answers: `npm run load [-- seconds users]`.
// It starts one of its own, in a temporary folder, unless LOAD_URL names another. Any wrong status is a failure.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { client } from 'espalier/client'
import type { App } from '../src/app.ts'

const [seconds = 5, users = 20] = process.argv.slice(2).map(Number)

/** Starts the built service in a process of its own. */
async function startService() {
  const folder = await mkdtemp(join(tmpdir(), 'notes-load-'))
  const main = join(import.meta.dirname, '../dist/main.js')
  const settings = { NODE_ENV: 'production', LOG_LEVEL: 'info' }
  const env = { ...process.env, ...settings, HOST: '127.0.0.1', PORT: '0', DATA: folder }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const [found] = /http:\/\/[\w.]+:\d+/.exec(line) ?? []
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error('The service did not start: npm run build')))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
    if (code !== 0) throw new Error(`The service ended with ${code}`)
  }
  return { url, stop }
}

const given = process.env['LOAD_URL']
const { url, stop } =
  given === undefined ? await startService() : { url: given, stop: async () => undefined }

// One user: attempts to sign up are limited.
const name = `load-${randomBytes(6).toString('hex')}`
const signedUp = await fetch(`${url}/users`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name, password: 'a long password' }),
})
if (signedUp.status !== 201) throw new Error(`Sign-up: ${signedUp.status} ${await signedUp.text()}`)
const [cookie = ''] = signedUp.headers.getSetCookie().map((header) => header.split(';', 1)[0])
const api = client<App>(url, { headers: { cookie }, undeclared: 'return' })

const times: number[] = []
const errors = new Map<string, number>()

/** Runs one call, and keeps how long it took. */
async function timed<Response extends { readonly statusCode: number }>(
  expected: number,
  call: Promise<Response>,
): Promise<Response> {
  const start = performance.now()
  const response = await call
  times.push(performance.now() - start)
  if (response.statusCode !== expected) {
    const what = `${response.statusCode} in place of ${expected}`
    errors.set(what, (errors.get(what) ?? 0) + 1)
  }
  return response
}

const deadline = performance.now() + seconds * 1000

/** Writes a note, reads, finds and lists notes, changes it, deletes it: again and again. */
async function use(user: number): Promise<void> {
  while (performance.now() < deadline) {
    const written = await timed(
      201,
      api('POST /notes', { body: { title: `Note of ${user}`, tags: ['load'] } }),
    )
    if (!written.declared || written.statusCode !== 201) continue
    const params = { id: written.json().id }
    await timed(200, api('GET /notes/:id', { params }))
    await timed(200, api('GET /notes', { query: { q: `of ${user}` } }))
    await timed(200, api('GET /notes', { query: { tag: 'load', limit: 10 } }))
    const headers = { 'if-match': '"1"' }
    await timed(200, api('PATCH /notes/:id', { params, headers, body: { text: 'changed' } }))
    await timed(412, api('PATCH /notes/:id', { params, headers, body: { text: 'too late' } }))
    await timed(204, api('DELETE /notes/:id', { params }))
    await timed(404, api('GET /notes/:id', { params }))
  }
}

const begin = performance.now()
const results = await Promise.allSettled(Array.from({ length: users }, (_, user) => use(user)))
const took = (performance.now() - begin) / 1000
for (const result of results) {
  if (result.status === 'rejected')
    errors.set(String(result.reason), (errors.get(String(result.reason)) ?? 0) + 1)
}
await stop()

times.sort((a, b) => a - b)
const percentile = (share: number) =>
  (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1)
const count = [...errors.values()].reduce((sum, value) => sum + value, 0)
console.log(
  `${(times.length / took).toFixed(0)} requests/s by ${users} users in ${took.toFixed(1)} s`,
)
console.log(`p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, ${count} errors`)
for (const [what, times] of errors) console.log(`${times} × ${what}`)
process.exitCode = count === 0 && times.length > 0 ? 0 : 1
