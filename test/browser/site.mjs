// Builds the site of the documentation, and reads it in Chromium as a person would. Ends with a line `N passed, N failed`.
//   npm run build && node --import tsx test/browser/site.mjs [folder for screenshots]
import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import staticFiles from '@fastify/static'
import espalier from '../../src/index.ts'
import { check, end } from '../support/checks.mjs'
import { readAxe, withChromium } from '../support/chromium.mjs'

const root = resolve(import.meta.dirname, '../..')
const [shots] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'espalier-site-'))

// To find the types takes most of the time, and the test of the pages compiles all blocks.
const types =
  process.env.CHECK === 'all' ? {} : { DOCS_TYPES: 'index.md,quick-start.md,types-equal-scope.md' }
const address = 'https://docs.example/'

await check('the site is built, and no link in it is dead', () => {
  const vitepress = join(root, 'node_modules/vitepress/bin/vitepress.js')
  const run = spawnSync(process.execPath, [vitepress, 'build', 'docs', '--outDir', folder], {
    cwd: root,
    env: { ...process.env, ...types, DOCS_URL: address },
    encoding: 'utf8',
  })
  equal(run.status, 0, run.stdout + run.stderr)
})
const app = espalier().register(staticFiles, { root: folder })
const url = await app.listen({ port: 0, host: '127.0.0.1' })
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.html') && path !== '404.html',
)

/** Types that tell a reader nothing. */
const internals =
  /\b(Registered|ServerBase|RouteRequest|RouteReply|RootCtx|NeedsCtx|Ctx|TypedReply)\b|‹/
/** What people of other frameworks type, with the page that they look for: it is among the first three. */
const asked = {
  middleware: 'hooks',
  interceptor: 'hooks',
  'error type': 'errors',
  addResponses: 'replies',
  HttpException: 'errors',
  'exception filter': 'errors',
  'dependency injection': 'context-tree',
  provider: 'context-tree',
  decorator: 'context-tree',
  guard: 'request-lifecycle',
  'res.locals': 'request-lifecycle',
  DTO: 'schemas',
  AppRouter: 'contracts',
  controller: 'routes-in-files',
  multer: 'forms',
  swagger: 'openapi',
  supertest: 'testing',
  Prisma: 'database',
  treaty: 'clients',
  'react-query': 'query',
  throttler: 'cors-helmet-rate-limit',
  'socket.io': 'websocket',
  'express.static': 'plugins-of-fastify',
  dotenv: 'configuration',
  'res.json': 'replies',
  'validate a header': 'validation',
}
/** Pages of each kind. Some are looked at in the dark too. */
const kinds = [
  ...[
    'index',
    'why',
    'quick-start',
    'tutorial-4-members',
    'types-equal-scope',
    'errors',
    'openapi',
  ],
  ...['performance', 'api', 'options', 'error-codes', 'changelog', 'examples/index'],
]
const darkKinds = ['index', 'quick-start', 'options']
/** A button in a row that is a button, and a name that lacks the keys it shows: these are of VitePress. */
const ofVitePress = ['nested-interactive', 'label-content-name-mismatch']
const mostBytes = 900_000

await check('the start page has a picture and a description for other sites', () => {
  const head = readFileSync(join(folder, 'hooks.html'), 'utf8')
  const tags = Object.fromEntries(
    [...head.matchAll(/<meta property="([^"]+)" content="([^"]+)">/g)].map(([, ...tag]) => tag),
  )
  equal(tags['og:title'], 'Hooks | Espalier')
  ok(tags['og:description'].startsWith('Each hook: '), tags['og:description'])
  equal(tags['og:url'], `${address}hooks.html`)
  const picture = readFileSync(join(folder, tags['og:image'].replace(address, '')))
  deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [1200, 630])
})
await check('models find all pages as text', () => {
  const list = readFileSync(join(folder, 'llms.txt'), 'utf8')
  const links = [...list.matchAll(/\]\(([^)]+)\): \S/g)].map(([, link]) => link)
  const whole = readFileSync(join(folder, 'llms-full.txt'), 'utf8')
  for (const link of links) {
    const page = readFileSync(join(folder, link.replace(address, '')), 'utf8')
    ok(whole.includes(page.trim()), link)
  }
  ok(links.length > 60, `${links.length} links`)
})
await check('no window shows a type of the framework', () => {
  const files = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
  const windows = files.flatMap((name) =>
    readFileSync(join(folder, 'assets', name), 'utf8').match(/twoslash-popup-code.*?default:/gs),
  )
  const shown = windows.filter((window) => window !== null)
  ok(shown.length > 5, `${shown.length} windows`)
  deepEqual(
    shown.filter((window) => internals.test(window)),
    [],
  )
})

async function read(browser) {
  const wrong = []
  const open = async (options) => {
    const context = await browser.newContext(options)
    context.setDefaultTimeout(15_000)
    const page = await context.newPage()
    page.on('pageerror', (error) => wrong.push(`${page.url()}: ${error.message}`))
    page.on(
      'console',
      (line) => line.type() === 'error' && wrong.push(`${page.url()}: ${line.text()}`),
    )
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) {
        wrong.push(`${page.url()} asks ${request.url()}`)
      }
    })
    page.on('response', (response) => {
      if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`)
    })
    return page
  }
  const shoot = (page, name) =>
    shots === undefined ? undefined : page.screenshot({ path: join(shots, `${name}.png`) })
  /** Opens a page, and waits until it takes keys and clicks. */
  const go = async (page, address) => {
    await page.goto(address)
    await page.waitForFunction("'__vue_app__' in document.querySelector('#app')")
  }
  const wide = await open({ viewport: { width: 1360, height: 900 } })

  await check('the start page leads to the quick start', async () => {
    await go(wide, url)
    await shoot(wide, 'start')
    await wide.getByRole('link', { name: 'Quick start' }).first().click()
    await wide.getByRole('heading', { name: '1. Install' }).waitFor()
  })
  await check('a name shows its type', async () => {
    await wide
      .locator('.twoslash-hover', { hasText: /^name$/ })
      .first()
      .hover()
    const window = wide.locator('.twoslash-floating .v-popper__inner').first()
    await window.waitFor()
    equal(await window.innerText(), 'const name: string')
    await shoot(wide, 'type')
  })
  await check('a mistake shows what the compiler says', async () => {
    await go(wide, url)
    await wide.getByText('This handler may return undefined').waitFor()
    await go(wide, `${url}/types-equal-scope.html`)
    const said = await wide.locator('.twoslash-error-line').first().innerText()
    ok(said.includes("The returned object lacks 'name'"), said)
    ok(!said.includes('RouteRequest'), said)
  })
  await check('the top bar leads to the parts, and to the changelog', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const bar = wide.locator('.VPNavBarMenu')
    deepEqual(await bar.locator('> a, > div > button').allInnerTexts(), [
      ...['Guide', 'Reference', 'Examples', 'Why'],
      version,
    ])
    await bar.getByRole('button', { name: version }).hover()
    await bar.getByRole('link', { name: 'Changelog' }).click()
    await wide.getByRole('heading', { name: 'Changelog' }).waitFor()
  })
  await check('the list of pages is open where the reader is', async () => {
    await go(wide, `${url}/hooks.html`)
    const open = wide.locator('.VPSidebarItem.level-0:not(.collapsed) > .item')
    deepEqual(await open.allInnerTexts(), ['Reference'])
    await go(wide, `${url}/examples/`)
    deepEqual(await open.allInnerTexts(), ['Examples'])
  })
  await check('the search is opened, used and closed by the keyboard', async () => {
    await wide.keyboard.press('Control+k')
    await wide.getByRole('searchbox').waitFor()
    await wide.keyboard.type('rolling back a transaction')
    await wide.keyboard.press('Escape')
    await wide.keyboard.press('Control+k')
    await wide.getByRole('searchbox').fill('cookie')
    await wide
      .getByRole('option', { name: /Cookies and sessions/ })
      .first()
      .waitFor()
    await shoot(wide, 'search')
    await wide.keyboard.press('Enter')
    await wide.waitForURL(/cookies-and-sessions/)
  })
  await check('the search knows words of other frameworks', async () => {
    await wide.keyboard.press('Control+k')
    const lost = []
    for (const [words, page] of Object.entries(asked)) {
      await wide.getByRole('searchbox').fill(words)
      const isThere = (path) =>
        [...globalThis.document.querySelectorAll('[role=option] a')]
          .slice(0, 3)
          .some((link) => link.getAttribute('href').startsWith(path))
      await wide
        .waitForFunction(isThere, `/${page}.html`, { timeout: 3000 })
        .catch(() => lost.push(words))
    }
    deepEqual(lost, [])
    await wide.keyboard.press('Escape')
  })
  await check('the first key leads past the menu, to the text', async () => {
    await go(wide, `${url}/schemas.html`)
    await wide.keyboard.press('Tab')
    equal(await wide.evaluate('document.activeElement?.textContent'), 'Skip to content')
  })
  await check('it can be dark', async () => {
    const shade = () => wide.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await shade()
    await wide.getByRole('switch').first().click()
    ok((await shade()) !== light)
    await shoot(wide, 'dark')
  })

  const phone = await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await check('the first screen shows a program and what it answers', async () => {
    await wide.setViewportSize({ width: 1440, height: 900 })
    for (const page of [wide, phone]) {
      await go(page, url)
      const [program, answers] = await page.locator('.home-program [class*=language-]').all()
      const { height } = page.viewportSize()
      const [from, to] = [await program.boundingBox(), await answers.boundingBox()]
      ok(from.y > 0 && to.y + to.height <= height, `it ends at ${to.y + to.height} of ${height}`)
    }
    await shoot(wide, 'home')
    await shoot(phone, 'home-phone')
  })
  await check('a page loads what it needs, and nothing else', async () => {
    for (const path of ['', '/quick-start.html']) {
      const page = await open({ viewport: { width: 1440, height: 900 } })
      const sizes = []
      page.on('response', (response) => sizes.push(response.body().then(({ length }) => length)))
      await page.goto(url + path, { waitUntil: 'networkidle' })
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
      ok(bytes > 100_000 && bytes <= mostBytes, `${path}: ${bytes} bytes`)
      await page.context().close()
    }
  })
  await check('all can use it: axe finds nothing', async () => {
    const found = []
    const axe = readAxe()
    for (const [colorScheme, names] of [
      ['light', kinds],
      ['dark', darkKinds],
    ]) {
      const page = await open({ viewport: { width: 1440, height: 900 }, colorScheme })
      for (const name of names) {
        await go(page, `${url}/${name}.html`)
        await page.evaluate(axe)
        const wrong = await page.evaluate(async (ofVitePress) => {
          const rules = Object.fromEntries(ofVitePress.map((id) => [id, { enabled: false }]))
          const { violations } = await globalThis.axe.run({ rules, resultTypes: ['violations'] })
          return violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`)
        }, ofVitePress)
        found.push(...wrong.map((line) => `${name}, ${colorScheme}: ${line}`))
      }
    }
    deepEqual(found, [])
  })
  await check('each page fits on a phone, and has one title', async () => {
    const bad = []
    for (const path of pages) {
      await phone.goto(`${url}/${path}`)
      const [width, titles] = await phone.evaluate(
        '[document.documentElement.scrollWidth, document.querySelectorAll("h1").length]',
      )
      if (width > 390 || titles !== 1) bad.push(`${path}: ${width} px, ${titles} titles`)
    }
    await phone.goto(`${url}/unions-and-coercion.html`)
    await shoot(phone, 'phone')
    deepEqual(bad, [])
    ok(pages.length > 40)
  })
  await check('nothing is written to the console, and no other host is asked', () =>
    deepEqual(wrong, []),
  )
}

try {
  await withChromium(read)
} finally {
  await app.close()
  rmSync(folder, { recursive: true })
}
end()
