// Chromium for scripts that look at pages. It and its driver are no dependencies of this package.
// CHROME_PATH is the browser, else /usr/bin/chromium. PLAYWRIGHT is a folder that has playwright-core installed, else it is
// installed into a temporary one.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
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
  const temporary = mkdtempSync(join(tmpdir(), 'chromium-'))
  try {
    const browser = await driver(temporary).launch({ executablePath, args: flags })
    await use(browser)
    await browser.close()
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Playwright's driver of Chromium. */
function driver(temporary) {
  const folder = process.env.PLAYWRIGHT ?? temporary
  if (folder === temporary) {
    const name = `playwright-core@${playwrightVersion}`
    const run = spawnSync('npm', ['install', '--no-save', '--prefix', folder, name], {
      encoding: 'utf8',
      shell: true,
    })
    if (run.status !== 0)
      throw new Error(`${name} cannot be installed:\n${run.stdout}${run.stderr}`)
  }
  return createRequire(join(folder, 'package.json'))('playwright-core').chromium
}
