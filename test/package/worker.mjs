// Installs the packed tarball under a copy of examples/worker, compiles its schemas, bundles it as wrangler does, and sends
// requests to it on workerd, the runtime of Cloudflare Workers. Ends with a plain line `N passed, N failed`. Build first.
//   node test/package/worker.mjs
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { check, end } from '../support/checks.mjs'
import { node, npm, pack, run } from '../support/run.mjs'

const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-worker-'))
/** In bytes, for the bundle of the example: minified, and packed by gzip. */
const limits = { minified: 435_000, packed: 146_000 }

/** Bundles the worker with the conditions and the format of wrangler. */
async function bundle() {
  const { build } = createRequire(join(scratch, 'package.json'))('esbuild')
  const { metafile } = await build({
    entryPoints: [join(scratch, 'src/worker.ts')],
    outfile: join(scratch, 'dist/worker.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'node',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*'],
    minify: true,
    metafile: true,
    logLevel: 'error',
  })
  return metafile
}

/** The packages in a bundle, each with its bytes, the largest first. */
function packagesIn({ outputs }) {
  const sizes = new Map()
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, name = 'the example'] =
        /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path) ?? []
      sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput)
    }
  }
  return new Map([...sizes].sort(([, one], [, other]) => other - one))
}

/** Starts workerd with the bundle. What it logs is kept. */
function start(log) {
  const { Miniflare } = createRequire(join(scratch, 'package.json'))('miniflare')
  return new Miniflare({
    modules: true,
    script: readFileSync(join(scratch, 'dist/worker.js'), 'utf8'),
    compatibilityDate: '2026-04-01',
    compatibilityFlags: ['nodejs_compat'],
    kvNamespaces: ['NOTES'],
    handleRuntimeStdio(stdout, stderr) {
      for (const stream of [stdout, stderr]) stream.on('data', (data) => log.push(String(data)))
    },
  })
}

function tests(worker, log) {
  const origin = 'http://notes.example'
  const ask = (path, init) => worker.dispatchFetch(origin + path, init)
  const post = (path, body) =>
    ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  let note

  return [
    [
      'a reply is serialized',
      async () => {
        const response = await ask('/health')
        deepEqual([response.status, await response.json()], [200, { ok: true }])
      },
    ],
    [
      'a plugin at module scope has its routes, and reads a binding',
      async () => {
        const response = await post('/notes', { title: 'Tea', text: 'Green' })
        equal(response.status, 201)
        note = await response.json()
        const read = await ask(`/notes/${note.id}`)
        deepEqual(await read.json(), { id: note.id, title: 'Tea', text: 'Green' })
      },
    ],
    [
      'a body and a parameter are validated',
      async () => {
        const wrong = await post('/notes', { title: '', text: 'Green' })
        const { code, message } = await wrong.json()
        deepEqual([wrong.status, code], [400, 'ESP_ERR_VALIDATION'])
        match(message, /body\/title/)
        equal((await ask('/notes/x')).status, 400)
      },
    ],
    [
      'an error has its declared fields, and an unknown path is not found',
      async () => {
        const id = '00000000-0000-4000-8000-000000000000'
        const missing = await ask(`/notes/${id}`)
        const { code, id: named } = await missing.json()
        deepEqual([missing.status, code, named], [404, 'NoNote', id])
        equal((await ask('/nothing')).status, 404)
      },
    ],
    [
      'HEAD is answered without a body',
      async () => {
        const response = await ask(`/notes/${note.id}`, { method: 'HEAD' })
        deepEqual([response.status, await response.text()], [200, ''])
      },
    ],
    [
      'a stream of text comes whole',
      async () => {
        const response = await ask('/notes/all.txt')
        equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
        equal(await response.text(), 'Tea\nGreen\n\n')
      },
    ],
    [
      'events have their ids, and items as their schema says',
      async () => {
        const response = await ask('/notes/events')
        equal(response.headers.get('content-type'), 'text/event-stream')
        const text = await response.text()
        match(text, new RegExp(`id: ?${note.id}`))
        match(text, /"title":"Tea"/)
      },
    ],
    ['nothing is logged', () => equal(log.join(''), '')],
  ]
}

try {
  const { tarball } = await pack(root, scratch)
  cpSync(join(root, 'examples/worker'), scratch, { recursive: true })
  // wrangler has these two inside, and much else.
  const file = join(scratch, 'package.json')
  const { devDependencies, ...others } = JSON.parse(readFileSync(file, 'utf8'))
  const { wrangler: _, ...tools } = devDependencies
  const { esbuild } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies
  const dependencies = { ...tools, espalier: tarball, miniflare: '^4.20260426.0', esbuild }
  writeFileSync(file, JSON.stringify({ ...others, dependencies }))
  await run([...npm, 'install', '--no-audit', '--no-fund', '--prefer-offline'], scratch)
  const cli = join(scratch, 'node_modules/espalier/dist/cli/main.js')
  await check('espalier compile writes the functions of all schemas', async () => {
    const said = await run(
      [...node, cli, 'compile', 'src/app.ts', '-o', 'src/compiled.mjs'],
      scratch,
    )
    match(said, /\d+ functions\n$/)
  })
  await check('the example has no error of types', () =>
    run([...node, join(scratch, 'node_modules/typescript/bin/tsc')], scratch),
  )
  let sizes
  await check(
    'it is bundled without what makes code, logs, injects or routes by made functions',
    async () => {
      sizes = packagesIn(await bundle())
      const left = [
        'light-my-request',
        'pino',
        'semver',
        'ipaddr.js',
        'safe-regex2',
        'ret',
        'fast-querystring',
      ]
      for (const name of left) equal(sizes.has(name), false, `${name} is in the bundle`)
      // Of these compiled code takes functions.
      for (const name of ['ajv', 'fast-json-stringify'])
        ok(sizes.get(name) < 5000, `${name} has ${sizes.get(name)}`)
    },
  )
  const text = readFileSync(join(scratch, 'dist/worker.js'))
  const size = { minified: text.length, packed: gzipSync(text).length }
  console.log(`${size.minified} bytes, ${size.packed} by gzip:`)
  for (const [name, bytes] of sizes) console.log(`${String(bytes).padStart(8)}  ${name}`)
  for (const [name, limit] of Object.entries(limits)) {
    await check(`${name} it has at most ${limit} bytes`, () =>
      ok(size[name] <= limit, `it has ${size[name]}`),
    )
  }
  const log = []
  const worker = start(log)
  for (const [title, body] of tests(worker, log)) await check(title, body)
  await worker.dispose()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
end()
