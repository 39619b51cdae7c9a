// What the package is for a bundler of workers: the condition `workerd` chooses its parts.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { test } from 'node:test'
import './support/built.mjs'

const root = resolve(import.meta.dirname, '..')

/** Runs a module with the condition of workers. It writes JSON. */
function run(code: string): unknown {
  const args = ['--conditions=workerd', '--input-type=module', '-e', code]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  assert.equal(stderr, '')
  return JSON.parse(stdout)
}

const failure = `const failure = async (body) => {
  try { await body(); return 'no error' } catch ({ code, message }) { return [code, message] }
}
`

test('a worker has all parts that servers ask for', async () => {
  const [whole, small] = await Promise.all(
    ['parts.js', 'parts-for-workers.js'].map((name) => import(`${root}/dist/${name}`)),
  )
  assert.deepEqual(Object.keys(small).sort(), Object.keys(whole).sort())
})

test('a worker answers, finds routes with patterns and constraints, and resolves references', () => {
  const answered = run(`import espalier from 'espalier'
const app = espalier({ routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true } })
  .register(async (each) => each.get('/n/:id(^\\\\d+$)', ({ params, query }) => ({ params, query })))
  .get('/v', { constraints: { version: '1.2.0' } }, () => 'one')
const texts = []
for (const [path, headers] of [['/n/7?a=1&a=%20b'], ['//n/7/'], ['/n/x'], ['/v', { 'accept-version': '1.x' }]]) {
  const response = await app.fetch('http://h' + path, { headers })
  texts.push([response.status, response.status === 200 ? await response.text() : ''])
}
await app.close()
console.log(JSON.stringify(texts))`)
  assert.deepEqual(answered, [
    [200, '{"params":{"id":"7"},"query":{"a":["1"," b"]}}'],
    [200, '{"params":{"id":"7"},"query":{}}'],
    [404, ''],
    [200, 'one'],
  ])
})

test('what a worker lacks is told with its remedy: a logger, a compiler, a server of Node', () => {
  const told = run(`import espalier, { t } from 'espalier'
${failure}
const app = espalier()
const schema = { params: { id: t.Integer() } }
console.log(JSON.stringify([
  await failure(() => espalier({ logger: true })),
  await failure(() => espalier().get('/:id', { schema }, () => 'x').ready()),
  await failure(() => app.listen()),
  await failure(() => app.inject('/')),
  await failure(() => app.server),
  [app.addresses(), app.listeningOrigin],
  await failure(() => app.close()),
]))`) as [string, string][]
  const remedies = [/loggerInstance/, /espalier compile/, /app\.fetch/, /app\.fetch/, /app\.fetch/]
  for (const [at, remedy] of remedies.entries()) {
    assert.equal(told[at]?.[0], 'ESP_ERR_FOR_WORKERS', JSON.stringify(told[at]))
    assert.match(told[at]?.[1] ?? '', remedy)
  }
  assert.deepEqual(told.slice(remedies.length), [[[], ''], 'no error'])
})
