import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import * as door from '../../src/client/index.ts'

/** The most bytes that the client adds to a page, minified and compressed. */
const largest = 3640

/** The bundler that tsx brings along, so that there is none to install. */
interface Bundler {
  buildSync(options: object): {
    outputFiles: { path: string; text: string }[]
    metafile: { inputs: Record<string, object> }
  }
}
const fromTsx = createRequire(createRequire(import.meta.url).resolve('tsx'))
const { buildSync } = fromTsx('esbuild') as Bundler

function build(format: 'esm' | 'iife') {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [resolve('src/client/index.ts')],
    bundle: true,
    minify: true,
    format,
    globalName: 'bundle',
    platform: 'browser',
    metafile: true,
    write: false,
  })
  return { code: outputFiles[0]?.text ?? '', inputs: Object.keys(metafile.inputs).sort() }
}

/** The files that a page loads to make calls, by name, and those that it loads for streams. */
function buildPage() {
  const { outputFiles } = buildSync({
    stdin: { contents: "export { client } from './src/client/index.ts'", resolveDir: resolve() },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    outdir: 'out',
    write: false,
  })
  const isEntry = ({ path }: { path: string }) => path.endsWith('stdin.js')
  const sizeOf = ({ text }: { text: string }) => gzipSync(text, { level: 9 }).length
  return {
    entry: outputFiles.filter(isEntry).map(sizeOf),
    chunks: outputFiles.filter((file) => !isEntry(file)),
    texts: outputFiles.map(({ text }) => text),
  }
}

const { inputs } = build('esm')

test('the list of names that the client exports is frozen', () => {
  assert.deepEqual(Object.keys(door).sort(), [
    'ClientError',
    'EspalierError',
    'UndeclaredResponse',
    'client',
    'exactJson',
  ])
})

test('no code of the server is pulled in', () => {
  const allowed = [
    'src/client/',
    'src/errors/espalier-error.ts',
    'src/http/call-body.ts',
    'src/http/events.ts',
    'src/http/exact-json.ts',
    'src/http/response-body.ts',
    'src/http/route-call.ts',
    'src/packages/once.ts',
    'src/version.ts',
  ]
  assert.deepEqual(
    inputs.filter((path) => !allowed.some((start) => path.startsWith(start))),
    [],
  )
})

test('the client is small, what reads streams or sends other bodies is loaded when it is used, and neither needs Node', (context) => {
  const { entry, chunks, texts } = buildPage()
  const [length = Infinity] = entry
  context.diagnostic(`${length} bytes compressed`)
  assert.ok(length <= largest, `${length} bytes`)
  assert.equal(entry.length, 1)
  assert.deepEqual(chunks.map(({ path }) => /([\w-]+)-\w+\.js$/.exec(path)?.[1]).sort(), [
    'call-body',
    'events',
  ])
  assert.ok(texts.every((text) => !/node:|\b(require|process|Buffer)\b/.test(text)))
})

test('the client runs where there is nothing of Node', async () => {
  const calls: unknown[] = []
  const platform = { Headers, TextDecoder, URLSearchParams }
  const respond = async (url: string, { headers }: { headers: Headers }) => {
    calls.push([url, headers.get('x-own')])
    return Response.json({ ok: true })
  }
  const globals = createContext({ ...platform, location: {}, fetch: respond })
  const script = `${build('iife').code}
    bundle.client('/api', { headers: { 'x-own': 'yes' } })('GET /a/:b', { params: { b: 1 } })
      .then((response) => JSON.stringify([response.statusCode, response.json()]))`
  assert.equal(await runInContext(script, globals), '[200,{"ok":true}]')
  assert.deepEqual(calls, [['/api/a/1', 'yes']])
})

test('the client runs in a worker, streams included', async () => {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `
import { parentPort } from 'node:worker_threads'
import { client } from './src/client/index.ts'
const headers = { 'content-type': 'text/event-stream' }
const answer = async () => new Response('data: 1\\n\\ndata: 2\\n\\n', { headers })
const seen = []
for await (const item of (await client('', { fetch: answer })('GET /')).events()) seen.push(item)
parentPort.postMessage(seen)`,
      resolveDir: resolve(),
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  const code = encodeURIComponent(outputFiles[0]?.text ?? '')
  const worker = new Worker(new URL(`data:text/javascript,${code}`))
  const [seen] = (await once(worker, 'message')) as unknown[]
  assert.deepEqual(seen, [1, 2])
  await worker.terminate()
})

test('the client compiles without the types of Node', () => {
  const folder = mkdtempSync('.client-')
  try {
    const compilerOptions = {
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      typeRoots: [],
      rootDir: '..',
    }
    const files = inputs.map((path) => `../${path}`)
    const config = { extends: '../tsconfig.json', compilerOptions, include: [], files }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const args = ['node_modules/typescript/bin/tsc', '-p', folder, '--pretty', 'false']
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    // What the types of a server mention of Node is no part of the client.
    const errors = stdout.split('\n').filter((line) => inputs.some((path) => line.startsWith(path)))
    assert.deepEqual(errors, [])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
