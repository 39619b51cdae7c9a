// Opens the documentation page in Chromium, with each user interface. Ends with a plain line `N passed, N failed`.
//   node --import tsx test/openapi/page-browser.mjs
// SCREENSHOTS is a folder for pictures of the pages, else there are none.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { join } from 'node:path'
import helmet from '@fastify/helmet'
import proxy from '@fastify/http-proxy'
import espalier from '../../src/index.ts'
import { addPage } from '../../src/openapi/page.ts'
import { check, end } from '../support/checks.mjs'
import { withChromium } from '../support/chromium.mjs'
import { pets } from './pets.ts'

const operations = [
  'List pets',
  'Add a pet',
  'Find a pet',
  'Change a pet',
  'Delete a pet',
  'Open hours',
]

/** What a reader does with each user interface. */
const readers = {
  scalar: {
    /** Waits until the operations are there: those of the first tag are listed, the others wait for a click. */
    async read(page) {
      await page.getByRole('button', { name: 'Open Group' }).first().click()
      for (const name of operations) await page.getByRole('link', { name }).first().waitFor()
      await page.getByRole('heading', { name: 'List pets' }).first().waitFor()
    },
    async search(page) {
      await page
        .getByRole('button', { name: /search/i })
        .first()
        .click()
      await page
        .getByPlaceholder(/search/i)
        .first()
        .fill('delete')
      await page.getByRole('dialog').getByText('Delete a pet').first().waitFor()
      await page.keyboard.press('Escape')
    },
    async call(page) {
      await page
        .getByRole('button', { name: /test request.*get.*\/pets\b/i })
        .first()
        .click()
      await page.getByRole('button', { name: /^send/i }).first().click()
    },
    isDark: (page) => page.evaluate(() => globalThis.document.body.classList.contains('dark-mode')),
  },
  'swagger-ui': {
    async read(page) {
      for (const name of operations) await page.getByText(name, { exact: true }).first().waitFor()
    },
    async search(page) {
      await page.getByPlaceholder('Filter by tag').fill('shop')
      await page.getByText('List pets').first().waitFor({ state: 'detached' })
      await page.getByText('Open hours').first().waitFor()
      await page.getByPlaceholder('Filter by tag').fill('')
    },
    async call(page) {
      await page.getByText('List pets').first().click()
      await page.getByRole('button', { name: 'Try it out' }).click()
      await page.getByRole('button', { name: 'Execute' }).click()
    },
    isDark: (page) =>
      page.evaluate(() => globalThis.document.documentElement.classList.contains('dark-mode')),
  },
}

/** A server with a page below `/api`, under Helmet's default policy. A guarded one wants a key. */
async function serve(ui, { isGuarded = false } = {}) {
  const app = espalier()
  await app.register(helmet)
  const guard = async (request, reply) => {
    if (request.headers['x-key'] !== 'secret') await reply.code(401).send({ message: 'No key' })
  }
  const onRequest = isGuarded ? guard : undefined
  await app.register(
    async (api) => {
      api.get('/openapi.json', { onRequest: onRequest ?? [] }, (_request, reply) =>
        reply.send(pets),
      )
      api.get('/pets', (_request, reply) => reply.send([{ id: 7, name: 'Rex' }]))
      await addPage(api, {
        ui,
        path: '/docs',
        documentPath: '/openapi.json',
        title: 'Pets & <friends>',
        onRequest,
      })
    },
    { prefix: '/api' },
  )
  return { app, origin: await app.listen({ port: 0, host: '127.0.0.1' }) }
}

/** A proxy that has the server below a prefix of its own. */
async function serveProxy(upstream) {
  const app = espalier()
  await app.register(proxy, { upstream, prefix: '/outside/deep', rewritePrefix: '' })
  return { app, origin: await app.listen({ port: 0, host: '127.0.0.1' }) }
}

/** Opens a page. What goes wrong in it is listed: errors, what the policy refuses, requests to other hosts. */
async function open(browser, url, options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  context.setDefaultTimeout(15_000)
  const wrong = []
  await context.route('**', (route) => {
    if (new URL(route.request().url()).origin === new URL(url).origin) return route.continue()
    wrong.push(`request: ${route.request().url()}`)
    return route.abort()
  })
  const page = await context.newPage()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      wrong.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`))
  await page.exposeFunction('reportViolation', (text) => wrong.push(`policy: ${text}`))
  await page.addInitScript(() => {
    const report = (event) =>
      globalThis.reportViolation(
        `${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`,
      )
    globalThis.document.addEventListener('securitypolicyviolation', report)
  })
  const response = await page.goto(url)
  return { page, wrong, response, close: () => context.close() }
}

/** Opens a page, waits for its operations, and looks that nothing went wrong. */
async function reads(browser, ui, url, { options, use = () => {}, picture } = {}) {
  const { page, wrong, response, close } = await open(browser, url, options)
  try {
    equal(response.status(), 200)
    match(response.headers()['content-security-policy'] ?? '', /script-src 'self'/)
    await readers[ui].read(page)
    await use(page)
    if (picture && process.env.SCREENSHOTS) {
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `${ui}-${picture}.png`) })
    }
    deepEqual(wrong, [])
  } finally {
    await close()
  }
}

async function checkUi(browser, ui) {
  const reader = readers[ui]
  const open = await serve(ui)
  const guarded = await serve(ui, { isGuarded: true })
  const outside = await serveProxy(open.origin)
  const url = `${open.origin}/api/docs`

  for (const scheme of ['light', 'dark']) {
    await check(`${ui}: shows all operations, ${scheme} as the system`, () =>
      reads(browser, ui, url, {
        options: { colorScheme: scheme },
        picture: scheme,
        use: async (page) => {
          equal(await page.title(), 'Pets & <friends>')
          equal(await reader.isDark(page), scheme === 'dark')
        },
      }),
    )
  }
  await check(`${ui}: has a search field`, () => reads(browser, ui, url, { use: reader.search }))
  await check(`${ui}: calls a route`, () =>
    reads(browser, ui, url, {
      use: async (page) => {
        const answered = page.waitForResponse((response) => response.url().endsWith('/api/pets'))
        await reader.call(page)
        deepEqual(await (await answered).json(), [{ id: 7, name: 'Rex' }])
        await page.getByText('Rex').first().waitFor()
      },
    }),
  )
  await check(`${ui}: works with a slash at the end`, () => reads(browser, ui, `${url}/`))
  for (const path of ['/outside/deep/api/docs', '/outside/deep/api/docs/']) {
    await check(`${ui}: works behind a proxy, at ${path}`, () =>
      reads(browser, ui, outside.origin + path),
    )
  }
  await check(
    `${ui}: a guard refuses the page and its files, and lets in who may see them`,
    async () => {
      const keyed = { extraHTTPHeaders: { 'x-key': 'secret' } }
      const seen = new Set()
      await reads(browser, ui, `${guarded.origin}/api/docs`, {
        options: keyed,
        use: async (page) => {
          const urls = await page.evaluate(() => performance.getEntries().map(({ name }) => name))
          for (const each of urls) if (each.startsWith(guarded.origin)) seen.add(each)
        },
      })
      ok(seen.size >= 3, [...seen].join())
      for (const each of seen) equal((await fetch(each)).status, 401, each)
    },
  )
  for (const { app } of [outside, open, guarded]) await app.close()
}

await withChromium(async (browser) => {
  for (const ui of Object.keys(readers)) await checkUi(browser, ui)
})
end()
