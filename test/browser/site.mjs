// Builds the site of the documentation, and reads it in Chromium as a person would. Ends with a line `N passed, N failed`.
//   npm run build && node --import tsx test/browser/site.mjs [folder for screenshots]
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import staticFiles from '@fastify/static'
import espalier from '../../src/index.ts'
import { check, end } from '../support/checks.mjs'
import { withChromium } from '../support/chromium.mjs'

const root = resolve(import.meta.dirname, '../..')
const [shots] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'espalier-site-'))

// To find the types takes most of the time, and the test of the pages compiles all blocks.
const types = process.env.CHECK === 'all' ? {} : { DOCS_TYPES: 'index.md,quick-start.md' }

await check('the site is built, and no link in it is dead', () => {
  const vitepress = join(root, 'node_modules/vitepress/bin/vitepress.js')
  const run = spawnSync(process.execPath, [vitepress, 'build', 'docs', '--outDir', folder], {
    cwd: root,
    env: { ...process.env, ...types },
    encoding: 'utf8',
  })
  equal(run.status, 0, run.stdout + run.stderr)
})
const app = espalier().register(staticFiles, { root: folder })
const url = await app.listen({ port: 0, host: '127.0.0.1' })
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.html') && path !== '404.html',
)

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
      .locator('.twoslash-hover', { hasText: /^request$/ })
      .first()
      .hover()
    const window = wide
      .locator('.twoslash-floating .v-popper__inner', { hasText: 'request:' })
      .first()
    await window.waitFor()
    match(await window.innerText(), /^request: RouteRequest<"GET", "\/hello"/)
    await shoot(wide, 'type')
  })
  await check('a mistake shows what the compiler says', async () => {
    await go(wide, url)
    match(await wide.locator('.twoslash-error-line').first().innerText(), /'foo' does not exist/)
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
