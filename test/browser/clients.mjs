// Runs clients in Chromium, and what their pages recommend there. Ends with a plain line `N passed, N failed`.
//   node --import tsx test/browser/clients.mjs
import { deepEqual, equal } from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { blocksOf } from '../../docs/.vitepress/blocks.ts'
import espalier, { t } from '../../src/index.ts'
import { check, end } from '../support/checks.mjs'
import { withChromium } from '../support/chromium.mjs'
import { shop, told } from './shop.ts'

const root = resolve(import.meta.dirname, '../..')

/** The block of a page of the documentation that has a word. */
const blockOf = (page, word) =>
  blocksOf(readFileSync(`${root}/docs/${page}`, 'utf8')).find(({ text }) => text.includes(word))
    .text

/** A program for pages. */
async function bundle(source) {
  const { outputFiles } = await build({
    ...source,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  return outputFiles[0].text
}

const contents = `
  import { client } from './src/client/index.ts'
  const seen = []
  const show = (part) => seen.push(part)
  ${blockOf('client-recipes.md', 'XMLHttpRequest')}
  Object.assign(globalThis, { api, client, upload, seen })
`
const upload = await bundle({ stdin: { contents, resolveDir: root, loader: 'ts' } })

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

const react = await bundle({ entryPoints: [`${root}/test/browser/react.tsx`] })
const shopUrl = await shop
  .get('/page.js', (_request, reply) => reply.type('text/javascript').send(react))
  .get('/', (_request, reply) =>
    reply.type('text/html').send('<body><script type="module" src="/page.js"></script>'),
  )
  .listen({ port: 0, host: '127.0.0.1' })

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
  await driveReact(page)
  await check('nothing was thrown in the page', () => deepEqual(thrown, []))
}

/** The page of React. */
async function driveReact(page) {
  await page.goto(shopUrl)
  const shows = (part, text) => page.locator(`#${part} output`, { hasText: text }).waitFor()
  const click = (part, name) => page.locator(`#${part} button`, { hasText: name }).click()
  await check('a query of React waits for its input, and shows each answer', async () => {
    await shows('item', 'idle')
    await click('item', '1')
    await shows('item', 'item 1')
    await click('item', '404')
    await shows('item', 'no item')
    await click('item', '500')
    await shows('item', 'undeclared status 410')
  })
  await check('pages follow one another, and a mutation renews them', async () => {
    await shows('items', /^a,b$/)
    await click('items', 'more')
    await shows('items', /^a,b,c,d$/)
    await click('items', 'add')
    await shows('items', /^new,a,b,c$/)
  })
  await check('a stream is shown as it comes, and closed with its component', async () => {
    for (const price of [1, 2, 3]) {
      told.emit('price', price)
      await shows('prices', String(price))
    }
    await shows('prices', /^2,3$/)
    const left = once(told, 'left')
    await click('prices', 'close')
    await left
  })
}

await withChromium(drive)
await Promise.all([api.close(), other.close(), shop.close()])
end()
