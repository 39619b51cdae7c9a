// The command of the built package, as an application has it installed.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, test } from 'node:test'
import { placeBuilt } from './support/place-built.ts'

const project = resolve(import.meta.dirname, '..')
const { NODE_OPTIONS: _, FORCE_COLOR: __, ...env } = process.env

/** A folder with the package installed, and other packages. */
function install(...packages: string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'espalier-cli-')))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  placeBuilt(modules)
  symlinkSync(join(project, 'node_modules'), join(modules, 'espalier/node_modules'))
  for (const name of packages) symlinkSync(join(project, 'node_modules', name), join(modules, name))
  writeFileSync(join(folder, 'package.json'), '{"name":"shop","version":"1.2.3"}')
  after(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

function espalier(cwd: string, ...args: string[]) {
  const main = join(cwd, 'node_modules/espalier/dist/cli/main.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd,
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const tree = 'root\n└── GET /found\n'
const found = `app.get('/found', () => 'ok')`

describe('an application', () => {
  const folder = install('tsx')
  const forms = {
    'app.mjs': `import espalier from 'espalier'; const app = espalier(); ${found}; export default app`,
    'app.cjs': `const espalier = require('espalier'); const app = espalier(); ${found}; module.exports = app`,
    'build.cjs': `exports.build = () => { const app = require('espalier').fastify(); ${found}; return app }`,
    'app.mts': `import espalier from 'espalier'; const app: any = espalier(); ${found}; export { app }`,
    // Without "type": "module" these are CommonJS.
    'app.ts': `import espalier from 'espalier'; const app: any = espalier(); ${found}; export { app }`,
    'app.cts': `const espalier = require('espalier'); const app: any = espalier(); ${found}; module.exports = app`,
  }
  for (const [file, text] of Object.entries(forms)) {
    test(`is ${file}`, () => {
      writeFileSync(join(folder, file), text)
      assert.deepEqual(espalier(folder, 'routes', file), { status: 0, stdout: tree, stderr: '' })
    })
  }

  test('has its document, titled by its package, and that of the plugin in CommonJS too', () => {
    const text = `import espalier from 'espalier'; import { openapi } from 'espalier/openapi'
      export const app: any = espalier()
      app.register(openapi({ info: { title: 'Own', version: '9' }, docs: false })); ${found}`
    writeFileSync(join(folder, 'own.ts'), text)
    writeFileSync(join(folder, 'plain.mjs'), forms['app.mjs'])
    const infoOf = (file: string) => {
      const { stdout, stderr } = espalier(folder, 'openapi', 'emit', file)
      assert.equal(stderr, '')
      return JSON.parse(stdout).info
    }
    assert.deepEqual(infoOf('own.ts'), { title: 'Own', version: '9' })
    assert.deepEqual(infoOf('plain.mjs'), { title: 'shop', version: '1.2.3' })
  })
})

test('TypeScript without tsx is read by Node, or refused with a remedy', () => {
  const folder = install()
  writeFileSync(
    join(folder, 'app.mts'),
    `import espalier from 'espalier'; const app: any = espalier(); ${found}; export { app }`,
  )
  const { status, stdout, stderr } = espalier(folder, 'routes', 'app.mts')
  if ('typescript' in process.features && Boolean(process.features.typescript)) {
    assert.equal(stdout, tree)
    return
  }
  assert.equal(status, 2)
  assert.match(
    stderr,
    /app\.mts' is TypeScript, which Node .* does not read\n {2}Run: npm install --save-dev tsx/,
  )
})

// test/cli/commands/dev.test.ts has more of watching.
test('contract emit --watch writes the file, and again after a change', async () => {
  const folder = install('tsx', 'typescript')
  const withRoute = (path: string) => {
    const text = `import espalier from 'espalier'\nexport const app = espalier().get('${path}', () => 'ok')\n`
    writeFileSync(join(folder, 'app.ts'), text)
  }
  const isWritten = async (path: string) => {
    while (!output.includes('api.ts is written\n')) await once(child.stdout, 'data')
    output = ''
    assert.ok(readFileSync(join(folder, 'api.ts'), 'utf8').includes(`'GET ${path}'`))
  }
  withRoute('/first')
  const main = join(folder, 'node_modules/espalier/dist/cli/main.js')
  const args = [main, 'contract', 'emit', 'app.ts', '-o', 'api.ts', '--watch']
  const child = spawn(process.execPath, args, { cwd: folder, env })
  after(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk))
  await isWritten('/first')
  withRoute('/second')
  await isWritten('/second')
  const ended = once(child, 'close')
  child.kill('SIGINT')
  // A shell says 130.
  assert.deepEqual(await ended, [null, 'SIGINT'])
})
