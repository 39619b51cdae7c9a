// Counts what one warm request goes through: the files, functions and calls of src/, by the call counts of V8.
//   npm run trace [-- --list]
// Ends with 1 where a request goes through more than its limit. Reads no clock, so a loaded machine changes nothing.
import { once } from 'node:events'
import { request as open } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { espalier, t } from '../src/index.ts'

interface Kind {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly status: number
  /** The most files, functions and calls. */
  readonly limits: readonly [files: number, functions: number, calls: number]
}

const kinds: readonly Kind[] = [
  {
    name: 'GET with parameters',
    method: 'GET',
    path: '/users/7',
    status: 200,
    limits: [15, 50, 54],
  },
  {
    name: 'POST with a body',
    method: 'POST',
    path: '/users',
    body: '{"id":1,"name":"x"}',
    status: 200,
    limits: [18, 71, 83],
  },
  {
    name: 'a 400',
    method: 'POST',
    path: '/users',
    body: '{"id":"x"}',
    status: 400,
    limits: [20, 70, 78],
  },
  { name: 'a 404', method: 'GET', path: '/none', status: 404, limits: [14, 41, 43] },
]

const User = t.Object({ id: t.Integer(), name: t.String() }, { additionalProperties: false })
const app = espalier()
app.get(
  '/users/:id',
  { schema: { params: { id: t.Integer() }, response: { 200: User } } },
  ({ params }) => ({
    id: params.id,
    name: 'x',
  }),
)
app.post('/users', { schema: { body: User, response: { 200: User } } }, async ({ body }) => body)
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo

/** Sends a request on a connection of its own, and waits until that is closed. */
async function send({ method, path, body, status }: Kind): Promise<void> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const request = open({ port, host: '127.0.0.1', method, path, headers, agent: false }).end(body)
  const [response] = (await once(request, 'response')) as [
    NodeJS.ReadableStream & { statusCode: number },
  ]
  if (response.statusCode !== status)
    throw new Error(`${method} ${path} gave ${response.statusCode}`)
  await Promise.all([once(response.resume(), 'end'), once(request, 'close')])
  // The server sees the end of the connection later.
  for (let turn = 0; turn < 20; turn++) await setImmediate()
}

for (let round = 0; round < 20; round++) for (const kind of kinds) await send(kind)

const source = pathToFileURL(resolve(import.meta.dirname, '..', 'src')).href
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

interface Row {
  readonly file: string
  readonly name: string
  readonly calls: number
}

/** The functions of the source that were called since the last time. */
async function called(): Promise<Row[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith(source))
    .flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName, ranges: [range] }) => {
        if (range === undefined || range.count === 0 || range.startOffset === 0) return []
        return {
          file: url.slice(source.length + 1),
          name: functionName || '(anonymous)',
          calls: range.count,
        }
      }),
    )
}

console.log('request              files  functions   calls')
for (const kind of kinds) {
  await called()
  await send(kind)
  const rows = await called()
  const counts = [
    new Set(rows.map(({ file }) => file)).size,
    rows.length,
    rows.reduce((sum, { calls }) => sum + calls, 0),
  ]
  const cells = counts.map((count, at) => `${count} of ${kind.limits[at] ?? 0}`.padStart(10))
  console.log(`${kind.name.padEnd(20)}${cells.join('')}`)
  if (process.argv.includes('--list'))
    for (const { file, name, calls } of rows) console.log('   ', file, name, calls)
  if (counts.some((count, at) => count > (kind.limits[at] ?? 0))) process.exitCode = 1
}
session.disconnect()
await app.close()
