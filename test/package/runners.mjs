// Runs tests of an application by test runners, and compiles packages of CommonJS, where the packed packages are installed.
// Ends with a plain line `N passed, N failed`. Build first.
import { equal } from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { check, end } from '../support/checks.mjs'
import { begin, node, npm, pack, run } from '../support/run.mjs'

const runnerTools = {
  jest: '^30.0.0',
  '@swc/core': '^1.0.0',
  '@swc/jest': '^0.2.0',
  mocha: '^11.0.0',
  vitest: '^4.0.0',
  // Vite 8 has native code, which npm may leave out (npm/cli#4828).
  vite: '^7.0.0',
}
const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-runners-'))
const runners = join(scratch, 'runners')
const compiled = join(scratch, 'compiled')
const put = (path, text) => writeFileSync(join(runners, path), text)
const putJson = (path, value) => writeFileSync(path, JSON.stringify(value))

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

/** Installs the packed packages beside others. */
async function install(folder, packed, others) {
  mkdirSync(folder)
  const [espalier, fastify] = (await packed).map(({ tarball }) => tarball)
  const dependencies = { espalier, fastify, ...others }
  putJson(join(folder, 'package.json'), { private: true, dependencies })
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run([...npm, 'install', ...flags], folder)
}

const jest = (config, ...options) => {
  putJson(join(runners, 'jest.config.json'), { ...config, testTimeout: 60_000 })
  return run([...node, ...options, 'node_modules/jest/bin/jest.js', '--ci', '--silent'], runners)
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
    await check(`Mocha: ${file}`, () => run([...node, ...mocha, file], runners))
  }
  put('g.spec.ts', `import { test } from 'vitest'\n${imported}${body}`)
  put('clock.spec.ts', vitestClock)
  await check('Vitest', () =>
    run(
      [...node, 'node_modules/vitest/vitest.mjs', 'run', 'spec', '--test-timeout=60000'],
      runners,
    ),
  )
  put('d.test.mjs', `import test from 'node:test'\n${imported}${body}`)
  put('e.test.cjs', `const test = require('node:test')\n${required}${body}`)
  put('f.test.mjs', nodeClock)
  await check('node:test', () =>
    run([...node, '--test', 'd.test.mjs', 'e.test.cjs', 'f.test.mjs'], runners),
  )
}

/** Settings of `module`. `node16` and `node18` mean the same here, so the slower compilers take one of them. */
const compilers = {
  'typescript-5.9': ['node16', 'nodenext'],
  typescript: ['node18', 'nodenext'],
  'typescript-7': ['node16', 'node18', 'nodenext'],
}

async function compile(compiler, module) {
  // Without 'esModuleInterop', the declarations of pino do not compile under 'node16' and 'node18'.
  const options = { module, target: 'es2022', strict: true, types: ['node'], esModuleInterop: true }
  // The newest, which is the fastest, checks the declarations of the package as well.
  const compilerOptions = { ...options, skipLibCheck: compiler !== 'typescript-7', outDir: 'out' }
  putJson(join(compiled, 'tsconfig.json'), { compilerOptions, files: ['common-js.ts'] })
  await run([...node, join(root, 'node_modules', compiler, 'bin/tsc'), '-p', '.'], compiled)
  const said = await run([...node, 'out/common-js.js'], compiled)
  equal(said.trim(), '{"a":1} x true')
}

async function checkCompilers() {
  cpSync(join(root, 'test/package/consumer/common-js.ts'), join(compiled, 'common-js.ts'))
  mkdirSync(join(compiled, 'node_modules/@types'), { recursive: true })
  const types = join(compiled, 'node_modules/@types/node')
  rmSync(types, { recursive: true, force: true })
  symlinkSync(join(root, 'node_modules/@types/node'), types, 'junction')
  for (const [compiler, modules] of Object.entries(compilers)) {
    for (const module of modules) {
      const title = `${compiler}, CommonJS under module ${module}`
      await check(title, () => compile(compiler, module))
    }
  }
}

try {
  const packed = Promise.all([root, join(root, 'dist-fastify')].map((path) => pack(path, scratch)))
  // Jest alone has 190 packages, so programs are compiled meanwhile.
  const tools = begin(() => install(runners, packed, runnerTools))
  await check('it installs', () => install(compiled, packed, {}))
  await checkCompilers()
  await check('it installs beside test runners', () => tools)
  await checkRunners()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

end()
