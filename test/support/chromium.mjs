// Chromium for scripts that look at pages. It and its driver are no dependencies of this package.
// CHROME_PATH is the browser, else /usr/bin/chromium. PLAYWRIGHT is a folder that has playwright-core installed, else it is
// installed once into a folder for temporary files.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const playwrightVersion = '1.65.1'
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
function driver() {
  const folder =
    process.env.PLAYWRIGHT ?? join(tmpdir(), `espalier-playwright-${playwrightVersion}`)
  const modules = join(folder, 'node_modules')
  if (!existsSync(modules)) install(folder, modules)
  return createRequire(join(folder, 'package.json'))('playwright-core').chromium
}

/** Several scripts may do this at a time: the folder of the first is taken. */
function install(folder, modules) {
  const temporary = mkdtempSync(join(tmpdir(), 'playwright-'))
  try {
    const name = `playwright-core@${playwrightVersion}`
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
