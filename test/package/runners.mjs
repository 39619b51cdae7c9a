// Runs tests of an application by test runners, and compiles packages of CommonJS, where the packed packages are installed.
// Ends with a plain line `N passed, N failed`. Build first.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { check, end } from '../support/checks.mjs'
import { node, npm, pack, run } from '../support/run.mjs'

const tools = {
  jest: '^30.0.0',
  '@swc/core': '^1.0.0',
  '@swc/jest': '^0.2.0',
  mocha: '^11.0.0',
  vitest: '^4.0.0',
}
const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-runners-'))
const put = (path, text) => writeFileSync(join(scratch, path), text)
const putJson = (path, value) => put(path, JSON.stringify(value))

/** The same tests in both forms of modules. */
const required = `const { espalier, errorCodes, t } = require('espalier')
const fastify = require('fastify')`
const imported = `import { espalier, errorCodes, t } from 'espalier'
import fastify from 'fastify'`
const body = `
const fail = (reason) => { throw new Error(reason) }
const app = espalier().post('/', { schema: { body: t.Object({ a: t.Integer() }), response: { 200: { a: t.Integer() } } } }, ({ body }) => body)
test('answers', async () => {
  const response = await app.inject('POST /', { body: { a: 1 } })
  if (response.body !== '{"a":1}') fail(response.body)
  const refused = await app.inject({ method: 'POST', url: '/', payload: { a: 'x' } })
  if (refused.statusCode !== 400) fail(refused.body)
  await app.close()
})
test('Fastify answers', async () => {
  const other = fastify().get('/', async () => 'x')
  const { body } = await other.inject('/')
  if (body !== 'x') fail(body)
  const error = new errorCodes.ESP_ERR_VALIDATION('x')
  if (!(error instanceof fastify.errorCodes.FST_ERR_VALIDATION)) fail('other errors')
  await other.close()
})
`
/** `inject` goes on under timers that are faked, but for three. */
const clock = `
const { espalier } = require('espalier')
test('the time is faked', async () => {
  jest.useFakeTimers({ now: 7, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] })
  const app = espalier().post('/', () => ({ now: Date.now() }))
  const response = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } })
  expect(response.json()).toEqual({ now: 7 })
})
`
const vitestClock = `
import { expect, test, vi } from 'vitest'
import { espalier } from 'espalier'
test('the time is faked', async () => {
  vi.useFakeTimers({ now: 7, toFake: ['Date', 'setTimeout'] })
  const app = espalier().post('/', () => ({ now: Date.now() }))
  const response = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } })
  expect(response.json()).toEqual({ now: 7 })
})
`
const nodeClock = `
import test, { mock } from 'node:test'
import { espalier } from 'espalier'
test('the time is faked', async () => {
  mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 7 })
  const app = espalier().post('/', () => ({ now: Date.now() }))
  const { body } = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } })
  mock.timers.reset()
  if (body !== '{"now":7}') throw new Error(body)
})
`

async function install() {
  const packed = await Promise.all(
    [root, join(root, 'dist-fastify')].map((folder) => pack(folder, scratch)),
  )
  const [espalier, fastify] = packed.map(({ tarball }) => tarball)
  putJson('package.json', { private: true, dependencies: { espalier, fastify, ...tools } })
  await run([...npm, 'install', '--no-audit', '--no-fund', '--ignore-scripts'], scratch)
  mkdirSync(join(scratch, 'node_modules/@types'), { recursive: true })
  const types = join(scratch, 'node_modules/@types/node')
  rmSync(types, { recursive: true, force: true })
  symlinkSync(join(root, 'node_modules/@types/node'), types, 'junction')
}

const jest = (config, ...options) => {
  putJson('jest.config.json', { ...config, testTimeout: 60_000 })
  return run([...node, ...options, 'node_modules/jest/bin/jest.js', '--ci', '--silent'], scratch)
}

async function checkRunners() {
  put('a.cjs.test.js', required + body)
  put('clock.test.js', clock)
  put('b.test.mjs', imported + body)
  put('c.test.ts', imported + body)
  await check('Jest, by default', () => jest({ testRegex: ['\\.test\\.js$'] }))
  const transform = { '\\.ts$': ['@swc/jest', { module: { type: 'commonjs' } }] }
  await check('Jest, with TypeScript', () => jest({ testRegex: ['\\.test\\.ts$'], transform }))
  await check('Jest, with ES modules', () =>
    jest({ testRegex: ['\\.test\\.mjs$'], transform: {} }, '--experimental-vm-modules'),
  )
  const mocha = ['node_modules/mocha/bin/mocha.js', '--ui', 'qunit', '--timeout', '60000']
  for (const file of ['a.cjs.test.js', 'b.test.mjs']) {
    await check(`Mocha: ${file}`, () => run([...node, ...mocha, file], scratch))
  }
  put('g.spec.ts', `import { test } from 'vitest'\n${imported}${body}`)
  put('clock.spec.ts', vitestClock)
  await check('Vitest', () =>
    run(
      [...node, 'node_modules/vitest/vitest.mjs', 'run', 'spec', '--test-timeout=60000'],
      scratch,
    ),
  )
  put('d.test.mjs', `import test from 'node:test'\n${imported}${body}`)
  put('e.test.cjs', `const test = require('node:test')\n${required}${body}`)
  put('f.test.mjs', nodeClock)
  await check('node:test', () =>
    run([...node, '--test', 'd.test.mjs', 'e.test.cjs', 'f.test.mjs'], scratch),
  )
}

const modules = ['node16', 'node18', 'nodenext']
const compilers = ['typescript-5.9', 'typescript', 'typescript-7']

async function checkCompilers() {
  cpSync(join(root, 'test/package/consumer/common-js.ts'), join(scratch, 'common-js.ts'))
  for (const [at, compiler] of compilers.entries()) {
    for (const module of modules) {
      await check(`${compiler}, CommonJS under module ${module}`, async () => {
        const compilerOptions = { module, target: 'es2022', strict: true, types: ['node'] }
        // Without it, the declarations of pino do not compile under 'node16' and 'node18'.
        const more = { esModuleInterop: true, skipLibCheck: at === 0, outDir: 'out' }
        const files = ['common-js.ts']
        putJson('tsconfig.json', { compilerOptions: { ...compilerOptions, ...more }, files })
        await run([...node, join(root, 'node_modules', compiler, 'bin/tsc'), '-p', '.'], scratch)
        const said = await run([...node, 'out/common-js.js'], scratch)
        if (said.trim() !== '{"a":1} x true') throw new Error(said)
      })
    }
  }
}

try {
  await check('it installs beside them', install)
  await checkRunners()
  await checkCompilers()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

end()
