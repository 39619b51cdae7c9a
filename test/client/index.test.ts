import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import * as door from '../../src/client/index.ts'

/** The most bytes that the client may add to a page, minified and compressed. */
const largest = 2100

/** The bundler that tsx brings along, so that there is none to install. */
interface Bundler {
  buildSync(options: object): {
    outputFiles: { text: string }[]
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

const { inputs } = build('esm')

test('the list of names that the client exports is frozen', () => {
  assert.deepEqual(Object.keys(door).sort(), ['EspalierError', 'client'])
})

test('no code of the server is pulled in', () => {
  const allowed = [
    'src/client/',
    'src/errors/espalier-error.ts',
    'src/http/call-body.ts',
    'src/http/route-call.ts',
  ]
  assert.deepEqual(
    inputs.filter((path) => !allowed.some((start) => path.startsWith(start))),
    [],
  )
})

test('the client is small', (context) => {
  const { code } = build('esm')
  const { length } = gzipSync(code, { level: 9 })
  context.diagnostic(`${code.length} bytes minified, ${length} compressed`)
  assert.ok(length <= largest, `${length} bytes`)
})

test('the client runs where there is nothing of Node', async () => {
  const calls: unknown[] = []
  const respond = async (url: string, { headers }: { headers: Headers }) => {
    calls.push([url, headers.get('x-own')])
    return Response.json({ ok: true })
  }
  const globals = createContext({ Headers, URLSearchParams, fetch: respond })
  const script = `${build('iife').code}
    bundle.client('/api', { headers: { 'x-own': 'yes' } })('GET /a/:b', { params: { b: 1 } })
      .then((response) => JSON.stringify([response.statusCode, response.json()]))`
  assert.equal(await runInContext(script, globals), '[200,{"ok":true}]')
  assert.deepEqual(calls, [['/api/a/1', 'yes']])
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
