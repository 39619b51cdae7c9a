// Installs the packed tarball under a copy of examples/notes, runs the checks of the application, and drives its pages in
// Chromium, if there is one. Ends with a plain line `N passed, N failed`. Build first.
//   node test/package/notes.mjs [file]
// With the name of a file of WebP it draws the picture of the README and the site instead: docs/public/notes.webp.
// NOTES_DATABASE_URL and NOTES_REDIS_URL are servers of PostgreSQL and Redis for its tests. Without them these run on
// PGlite, as the load and the page always do.
import { deepEqual, equal } from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { check, end } from '../support/checks.mjs'
import { withChromium } from '../support/chromium.mjs'
import { environment, npm as npmProgram, pack, run } from '../support/run.mjs'
import { drawNotes } from './notes-picture.mjs'

const [picture] = process.argv.slice(2)
const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-notes-'))
const folder = join(scratch, 'notes')
const left = ['node_modules', 'dist', 'data', '.env', 'package-lock.json']

/** Runs a command of npm in the application; gives what it printed, or throws it. */
const npm = (args, env) => run([...npmProgram, ...args], folder, env)

/** Runs the application's own tests, which have to be some. */
async function runTests(env) {
  const output = await npm(['test'], env)
  const [, count = '0'] = /^(?:#|ℹ) pass (\d+)$/m.exec(output) ?? []
  equal(Number(count) > 30, true, output)
}

/** Starts the built service, on a free port if none is given. */
async function startService(env) {
  const child = spawn(process.execPath, [join(folder, 'dist/main.js')], {
    env: environment({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', ...env }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/[\w.]+:\d+/.exec(line) ?? []
    if (url) {
      child.stdout.resume()
      return { url, child }
    }
  }
  throw new Error('the service did not start')
}

/** Another client of a user: it has the cookie. */
async function call(url, cookie, method, path, body) {
  const headers = { cookie, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  equal(response.ok, true, `${method} ${path}: ${response.status}`)
  return response
}

async function cookieOf(context) {
  const [{ name, value }] = await context.cookies()
  return `${name}=${value}`
}

/** A window, which agrees to what it is asked. */
async function openWindow(context) {
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  return page
}

async function drive(browser, url) {
  const context = await browser.newContext()
  const page = await openWindow(context)
  const problems = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(url))
      problems.push(`request to ${request.url()}`)
  })
  const says = (text) => page.getByRole('status').filter({ hasText: text }).waitFor()
  const note = (title) => page.locator('#notes').getByRole('button', { name: title })
  const save = () => page.getByRole('button', { name: 'Save' }).click()
  let cookie = ''

  await check('for somebody who has not signed in, it asks who it is', async () => {
    await page.goto(`${url}/people`)
    await page.waitForURL(`${url}/`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    deepEqual(problems, [])
  })
  await check('one signs up', async () => {
    await page.getByLabel('Name').fill('ada')
    await page.getByLabel('Password').fill('correct horse')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByText('No notes yet. Write the first one.').waitFor()
    cookie = await cookieOf(context)
  })
  await check('one writes notes', async () => {
    for (const title of ['Green tea', 'Coffee']) {
      await page.getByRole('button', { name: 'New note' }).click()
      await page.getByLabel('Title').fill(title)
      await page.getByRole('textbox', { name: 'Text' }).fill(`how to make ${title}`)
      await page.getByRole('textbox', { name: 'Tags' }).fill('kitchen')
      await save()
      await says('Saved')
      await note(title).waitFor()
    }
    await page.getByRole('button', { name: 'kitchen (2)' }).waitFor()
  })
  await check('one searches', async () => {
    await page.getByLabel('Search').fill('TEA')
    await note('Coffee').waitFor({ state: 'detached' })
    equal(await note('Green tea').count(), 1)
    await page.getByLabel('Search').fill('milk')
    await page.getByText('No note matches. Clear the search to see all.').waitFor()
    await page.getByLabel('Search').fill('')
    await note('Coffee').waitFor()
  })
  await check('one sees what another client writes and deletes', async () => {
    const response = await call(url, cookie, 'POST', '/notes', { title: 'From elsewhere' })
    const { id } = await response.json()
    await note('From elsewhere').waitFor()
    await note('From elsewhere').click()
    // Then the page has read the note.
    await page.locator('#notes [aria-current=true]', { hasText: 'From elsewhere' }).waitFor()
    await call(url, cookie, 'DELETE', `/notes/${id}`, {})
    await note('From elsewhere').waitFor({ state: 'detached' })
    await says('The note was deleted')
  })
  await check('one attaches a file, and gets it back', async () => {
    await note('Green tea').click()
    await page.getByRole('button', { name: 'Attach a file' }).waitFor()
    const buffer = Buffer.from('leaves')
    await page
      .getByLabel('Attach')
      .setInputFiles({ name: 'tea.txt', mimeType: 'text/plain', buffer })
    const file = page.getByRole('button', { name: 'tea.txt (6B)' })
    const [download] = await Promise.all([page.waitForEvent('download'), file.click()])
    equal(readFileSync(await download.path(), 'utf8'), 'leaves')
  })
  await check('one changes a note', async () => {
    await page.getByLabel('Title').fill('White tea')
    await save()
    await note('White tea').waitFor()
  })
  await check('nothing was thrown, logged as an error, or asked of another host', () =>
    deepEqual(problems, []),
  )
  await check('one is told that somebody else was faster', async () => {
    const list = await (await call(url, cookie, 'GET', '/notes')).json()
    const { id, version } = list.notes.find(({ title }) => title === 'White tea')
    await page.getByLabel('Title').fill('Red tea')
    const headers = { cookie, 'content-type': 'application/json', 'if-match': `"${version}"` }
    await fetch(`${url}/notes/${id}`, { method: 'PATCH', headers, body: '{"title":"Black tea"}' })
    await note('Black tea').waitFor()
    await save()
    await says('Somebody else has changed the note meanwhile. Save again to keep yours.')
    await save()
    await note('Red tea').waitFor()
  })
  await check('one is told that a file is too large', async () => {
    const large = join(scratch, 'large.bin')
    writeFileSync(large, Buffer.alloc(10_000_001))
    await page.getByLabel('Attach').setInputFiles(large)
    await says('The file is too large. Attach one of up to 10 MB.')
  })
  await check(
    'one is told that the server does not answer, and saves what one wrote later',
    async () => {
      const line = page.getByRole('alert').filter({ hasText: 'The server does not answer.' })
      await page.getByLabel('Title').fill('Brown tea')
      await context.setOffline(true)
      await save()
      await line.waitFor()
      await context.setOffline(false)
      await save()
      await note('Brown tea').waitFor()
      equal(await line.count(), 0)
    },
  )
  await check('one deletes a note, and signs out', async () => {
    await page.getByRole('button', { name: 'Delete' }).click()
    await note('Brown tea').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    equal((await fetch(`${url}/session`, { headers: { cookie } })).status, 204)
  })
  await check('one who guesses is told how long to wait', async () => {
    const guess = { name: 'ada', password: 'wrong horse' }
    for (let times = 0; times < 10; times++)
      await fetch(`${url}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(guess),
      })
    await page.getByLabel('Name').fill(guess.name)
    await page.getByLabel('Password').fill(guess.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await says(/^Too many attempts. Try again in \d+ seconds.$/)
  })
  await context.close()
}

async function driveWindows(browser, url) {
  const context = await browser.newContext({ bypassCSP: true }) // for waitForFunction
  const data = { name: 'liv', password: 'correct horse' }
  equal((await context.request.post(`${url}/users`, { data })).ok(), true)
  const windows = [await openWindow(context), await openWindow(context)]
  const [one, two] = windows
  for (const window of windows) {
    await window.goto(url)
    await window.getByText('No notes yet.').waitFor()
  }
  const entry = (window, title) => window.locator('#notes').getByRole('button', { name: title })
  const focused = (window, title) => window.locator('#notes :focus', { hasText: title }).waitFor()

  await check('a note that is written by keys in one window appears in the other', async () => {
    await one.keyboard.press('n')
    await one.keyboard.type('Pears')
    await one.keyboard.press('Control+Enter')
    await entry(two, 'Pears').waitFor()
  })
  await check('keys search, go through the list, open a note and leave it', async () => {
    await call(url, await cookieOf(context), 'POST', '/notes', { title: 'Apples' })
    await entry(two, 'Apples').waitFor()
    await two.keyboard.press('/')
    await two.keyboard.type('njk')
    await two.getByText('No note matches.').waitFor()
    for (const [key, title] of [
      ['Escape', 'Apples'],
      ['j', 'Pears'],
      ['k', 'Apples'],
      ['ArrowDown', 'Pears'],
    ]) {
      await two.keyboard.press(key)
      await focused(two, title)
    }
    await two.keyboard.press('Enter')
    await two.locator('article:focus').waitFor()
    equal(await two.getByLabel('Title').inputValue(), 'Pears')
    await two.keyboard.press('Escape')
    await focused(two, 'Pears')
    equal(await two.getByLabel('Title').isVisible(), false)
  })
  await check('a note that is open in two windows follows what is saved in one', async () => {
    await entry(two, 'Pears').click()
    await two.locator('article:focus').waitFor()
    await one.getByRole('textbox', { name: 'Text' }).fill('three wires')
    await one.keyboard.press('Control+Enter')
    await two.waitForFunction("document.querySelector('textarea').value === 'three wires'")
  })
  await context.close()
}

async function drivePeople(browser, service) {
  const { url } = service
  const contexts = []
  const enter = async (name) => {
    const context = await browser.newContext()
    contexts.push(context)
    const data = { name, password: 'correct horse' }
    equal((await context.request.post(`${url}/users`, { data })).ok(), true)
    const page = await openWindow(context)
    await page.goto(`${url}/people`)
    return page
  }
  const person = (page, text) => page.getByRole('listitem').filter({ hasText: text })
  const say = async (page, text) => {
    await page.getByLabel('What do you do?').fill(text)
    await page.keyboard.press('Enter')
  }
  const bea = await enter('bea')

  await check('one sees who is here, what they do, and that they have gone', async () => {
    const eve = await enter('eve')
    await say(eve, 'making tea')
    await person(bea, 'eve: making tea').waitFor()
    await person(eve, 'bea').waitFor()
    await eve.context().close()
    await person(bea, 'eve').waitFor({ state: 'detached' })
  })
  await check('after a restart of the service one is here again, and does the same', async () => {
    await say(bea, 'reading')
    await person(bea, 'bea: reading').waitFor()
    await service.restart()
    await person(await enter('joe'), 'bea: reading').waitFor()
    await person(bea, 'joe').waitFor()
  })
  await Promise.all(contexts.map((context) => context.close()))
}

const servers = {
  TEST_DATABASE_URL: process.env.NOTES_DATABASE_URL ?? '',
  TEST_REDIS_URL: process.env.NOTES_REDIS_URL ?? '',
}

async function checkBehaviour() {
  await check('it is built', () => npm(['run', 'build']))
  const where = servers.TEST_DATABASE_URL ? 'PostgreSQL' : 'PGlite'
  await check(`its tests pass on ${where}`, () => runTests(servers))
  await check('it works under load', () => npm(['run', 'load', '--', '2', '10']))
}

try {
  await check('the tarball installs under the application', async () => {
    const { tarball } = await pack(root, scratch)
    const filter = (path) => !left.includes(basename(path))
    cpSync(join(root, 'examples/notes'), folder, { recursive: true, filter })
    await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', tarball])
  })
  // The compiler has one thread: the tests run beside it.
  const compiles = () => check('it compiles', () => npm(['run', 'types']))
  if (picture) await npm(['run', 'build'])
  else {
    await Promise.all([compiles(), checkBehaviour()])
    const contract = ['run', 'contract', '--', '--check']
    await check('the contract of the page is that of its routes', () => npm(contract))
  }

  const DATA = mkdtempSync(join(scratch, 'data-'))
  let { url, child } = await startService({ DATA })
  const stop = async () => {
    child.kill('SIGTERM')
    const [code, signal] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
    if (process.platform !== 'win32') deepEqual([code, signal ?? null], [0, null])
  }
  const restart = async () => {
    await stop()
    const started = await startService({ DATA, PORT: new URL(url).port })
    child = started.child
  }
  const hasBrowser = existsSync(process.env.CHROME_PATH ?? '/usr/bin/chromium')
  if (picture)
    await withChromium((browser) =>
      check('it is drawn', () => drawNotes(browser, url, resolve(picture))),
    )
  else if (hasBrowser)
    await withChromium(async (browser) => {
      await drive(browser, url)
      await driveWindows(browser, url)
      await drivePeople(browser, { url, restart })
    })
  else console.log('left out: the pages, since there is no Chromium')
  await check('it ends when it is asked to, and says that all went well', stop)
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
}
end()
