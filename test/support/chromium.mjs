// Chromium for scripts that look at pages. It, its driver and axe are no dependencies of this package.
// CHROME_PATH is the browser, else /usr/bin/chromium. PLAYWRIGHT is a folder that has playwright-core installed, else it is
// installed once into a folder for temporary files.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const versions = { 'playwright-core': '1.65.1', 'axe-core': '4.14.1' }
const executablePath = process.env.CHROME_PATH ?? '/usr/bin/chromium'
const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
]

/** Starts Chromium for a function, and closes it afterwards. */
export async function withChromium(use) {
  if (!existsSync(executablePath)) {
    throw new Error(
      `There is no Chromium at '${executablePath}'. Install it (apt-get install chromium), or set CHROME_PATH`,
    )
  }
  const browser = await driver().launch({ executablePath, args: flags })
  try {
    await use(browser)
  } finally {
    await browser.close()
  }
}

/** Playwright's driver of Chromium. */
const driver = () =>
  installed('playwright-core', process.env.PLAYWRIGHT)('playwright-core').chromium

/** The program that looks for what people with other abilities could not use. A page runs it as `axe.run()`. */
export const readAxe = () =>
  readFileSync(installed('axe-core').resolve('axe-core/axe.min.js'), 'utf8')

/** The `require` of a folder that has a package. */
function installed(name, folder = join(tmpdir(), `espalier-${name}-${versions[name]}`)) {
  const modules = join(folder, 'node_modules')
  if (!existsSync(modules)) install(`${name}@${versions[name]}`, folder, modules)
  return createRequire(join(folder, 'package.json'))
}

/** Several scripts may do this at a time: the folder of the first is taken. */
function install(name, folder, modules) {
  const temporary = mkdtempSync(join(tmpdir(), 'espalier-tool-'))
  try {
    const run = spawnSync('npm', ['install', '--no-save', '--prefix', temporary, name], {
      encoding: 'utf8',
      shell: true,
    })
    if (run.status !== 0)
      throw new Error(`${name} cannot be installed:\n${run.stdout}${run.stderr}`)
    mkdirSync(folder, { recursive: true })
    if (!existsSync(modules)) renameSync(join(temporary, 'node_modules'), modules)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
