// Runs clients in Chromium, and what their pages recommend there. Ends with a plain line `N passed, N failed`.
//   node --import tsx test/browser/clients.mjs
import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { blocksOf } from '../../docs/.vitepress/blocks.ts'
import espalier, { t } from '../../src/index.ts'
import { check, end } from '../support/checks.mjs'
import { withChromium } from '../support/chromium.mjs'

const root = resolve(import.meta.dirname, '../..')

/** The block of a page of the documentation that has a word. */
const blockOf = (page, word) =>
  blocksOf(readFileSync(`${root}/docs/${page}`, 'utf8')).find(({ text }) => text.includes(word))
    .text

/** A program for pages. */
async function bundle(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'tsx' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  return outputFiles[0].text
}

const upload = await bundle(`
  import { client } from './src/client/index.ts'
  const seen = []
  const show = (part) => seen.push(part)
  ${blockOf('client-recipes.md', 'XMLHttpRequest')}
  Object.assign(globalThis, { api, client, upload, seen })
`)

let uploads = 0
const api = espalier()
  .get('/page.js', (_request, reply) => reply.type('text/javascript').send(upload))
  .get('/', (_request, reply) =>
    reply.type('text/html').send('<script type="module" src="/page.js"></script>'),
  )
  .post('/api/files', { schema: { response: { 200: { bytes: t.Integer() } } } }, ({ body }) => {
    uploads += 1
    return { bytes: JSON.stringify(body).length }
  })
  .get('/api/never', () => new Promise(() => {}))
const url = await api.listen({ port: 0, host: '127.0.0.1' })
// Another origin, whose headers the page may not read.
const other = espalier()
  .addHook('onRequest', async ({ headers: { origin } }, reply) => {
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-allow-credentials', 'true')
  })
  .get('/empty', (_request, reply) => reply.code(204).send())
  .get('/login', (_request, reply) => reply.header('set-cookie', 'own=1; Path=/').code(204).send())
  .get('/cookies', ({ headers }, reply) =>
    reply.code(headers.cookie === undefined ? 205 : 204).send(),
  )
const otherUrl = await other.listen({ port: 0, host: '127.0.0.1' })

async function drive(browser) {
  const context = await browser.newContext()
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const thrown = []
  page.on('pageerror', (error) => thrown.push(error.message))
  await page.goto(url)
  await page.waitForFunction('globalThis.api')

  await check('an upload by XMLHttpRequest shows its progress', async () => {
    const [bytes, last] = await page.evaluate(async () => {
      const response = await globalThis.api('POST /files', { body: { text: 'x'.repeat(100_000) } })
      return [response.json().bytes, globalThis.seen.at(-1)]
    })
    deepEqual([bytes, last], [100_011, 1])
  })
  await check('it settles for an answer without headers and a body', async () => {
    const from = (key, options) =>
      page.evaluate(
        async ([base, route, given]) => {
          const api = globalThis.client(base, { ...given, fetch: globalThis.upload })
          return (await api(route)).statusCode
        },
        [otherUrl, key, options],
      )
    equal(await from('GET /empty', {}), 204)
    equal(await from('GET /login', { credentials: 'include' }), 204)
    equal(await from('GET /cookies', { credentials: 'include' }), 204)
    equal(await from('GET /cookies', {}), 205)
  })
  await check('a signal ends it, and one that is aborted before sends nothing', async () => {
    const before = uploads
    const errors = await page.evaluate(async () => {
      const fail = (call) => call.then(String, ({ code, name }) => [code, name])
      const { api, AbortSignal } = globalThis
      return [
        await fail(api('POST /files', { body: 1 }, { signal: AbortSignal.abort() })),
        await fail(api('GET /never', {}, { signal: AbortSignal.timeout(50) })),
      ]
    })
    const code = 'ESP_ERR_CLIENT_ABORTED'
    deepEqual(errors, [
      [code, 'AbortError'],
      [code, 'TimeoutError'],
    ])
    equal(uploads, before)
  })
  await check('nothing was thrown in the page', () => deepEqual(thrown, []))
}

await withChromium(drive)
await Promise.all([api.close(), other.close()])
end()
