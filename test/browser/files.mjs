// Drives the page of examples/files in Chromium, as a person would. Ends with a plain line `N passed, N failed`.
//   npm run build && node --import tsx test/browser/files.mjs
import { deepEqual, equal } from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createServer } from '../../examples/files/server.ts'
import { check, end } from '../support/checks.mjs'
import { withChromium } from '../support/chromium.mjs'

const root = resolve(import.meta.dirname, '../..')

await check('the page and its server compile, without a cast', () => {
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'examples/files'], { cwd: root, stdio: 'pipe' })
  const source = readFileSync(join(root, 'examples/files/page.ts'), 'utf8')
  deepEqual(source.match(/\bas (?!a\b)\w+|\bany\b/g) ?? [], [])
})

const { app, disk, sessions } = await createServer(1000)
const url = await app.listen({ port: 0, host: '127.0.0.1' })

const textFile = (name, content) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
})

async function drive(browser) {
  const context = await browser.newContext()
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const thrown = []
  page.on('pageerror', (error) => thrown.push(error.message))
  const says = (text) => page.getByRole('status').filter({ hasText: text }).waitFor()
  const upload = (file) => page.getByLabel('Upload').setInputFiles(file)
  await page.goto(url)

  await check('without a session it asks who one is (401 of a hook)', () => says('Log in first'))
  await check('it lists, and follows what another one does', async () => {
    await page.getByLabel('Your name').fill('Ada')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByLabel('Upload').waitFor()
    disk.write('other.txt', Buffer.from('from elsewhere'))
    await says('other.txt was added')
    await page.getByRole('button', { name: 'other.txt (14 bytes)' }).waitFor()
  })
  await check('it uploads', async () => {
    await upload(textFile('sea.txt', 'waves'))
    await page.getByRole('button', { name: 'sea.txt (5 bytes)' }).waitFor()
    equal(String(Buffer.from(disk.read('sea.txt'))), 'waves')
  })
  await check('it downloads the bytes', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'sea.txt' }).click(),
    ])
    equal(download.suggestedFilename(), 'sea.txt')
    equal(readFileSync(await download.path(), 'utf8'), 'waves')
  })
  await check('it takes a file of any name, and downloads it', async () => {
    await upload(textFile('changes', 'by name'))
    const button = page.getByRole('button', { name: 'changes (7 bytes)' })
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
    equal(readFileSync(await download.path(), 'utf8'), 'by name')
  })
  await check('it tells of a full disk (507 of the handler)', async () => {
    await upload(textFile('large.txt', 'x'.repeat(2000)))
    await says('The disk is full')
  })
  await check('it tells of a file that is too large (413)', async () => {
    await upload(textFile('larger.txt', 'x'.repeat(11_000_000)))
    await says('The form is too large')
  })
  await check('it tells of a connection that was cut', async () => {
    app.server.closeAllConnections()
    await says('No connection (ESP_ERR_CLIENT_NETWORK)')
  })
  await check('it asks again when the session has ended', async () => {
    sessions.clear()
    await upload(textFile('late.txt', 'x'))
    await says('Log in first')
    await page.getByRole('button', { name: 'Log in' }).waitFor()
  })
  await check('nothing was thrown in the page', () => deepEqual(thrown, []))
}

await withChromium(drive)
await app.close()
end()
