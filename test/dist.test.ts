import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import * as door from 'espalier'
import * as clientDoor from 'espalier/client'
import * as fastifyDoor from 'espalier/fastify'
import * as schemaDoor from 'espalier/schema'

// The package as it is published: what `npm run build` made, under its own name.
const espalier = door.default

test('the built package answers a validated, serialized route over HTTP', async () => {
  const { t } = door
  const app = espalier().get(
    '/users/:id',
    { schema: { params: { id: t.Integer() }, response: { 200: { id: t.Integer() } } } },
    async (request) => ({ id: request.params.id }),
  )
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    assert.deepEqual(await (await fetch(`${url}/users/7`)).json(), { id: 7 })
    assert.equal((await fetch(`${url}/users/x`)).status, 400)
  } finally {
    await app.close()
  }
})

test('the built client calls a route of the built package', async () => {
  const { t } = door
  const schema = { params: { id: t.Integer() }, response: { 200: { id: t.Integer() } } }
  const app = espalier().get('/users/:id', { schema }, ({ params }) => ({ id: params.id }))
  const api = clientDoor.client<typeof app>(await app.listen({ port: 0, host: '127.0.0.1' }))
  try {
    const response = await api('GET /users/:id', { params: { id: 7 } })
    assert.equal(response.json().id, 7)
  } finally {
    await app.close()
  }
})

test('the list of names that the client exports is frozen', () => {
  assert.deepEqual(Object.keys(clientDoor).sort(), [
    'ClientError',
    'EspalierError',
    'UndeclaredResponse',
    'client',
    'exactJson',
  ])
  assert.equal(clientDoor.EspalierError, door.EspalierError)
})

test('the list of names that the door for schemas exports is frozen', () => {
  assert.deepEqual(Object.keys(schemaDoor).sort(), ['httpError', 't'])
  assert.equal(schemaDoor.t, door.t)
  assert.equal(schemaDoor.httpError, door.httpError)
})

/** The modules that a module of the build loads, and those that these load. */
function loadedBy(path: string, all = new Set<string>()): Set<string> {
  if (all.has(path)) return all
  all.add(path)
  const code = readFileSync(path, 'utf8')
  for (const [, name = ''] of code.matchAll(/^(?:import|export) [^;]*?from ['"]([^'"]+)['"]/gms)) {
    if (name.startsWith('.')) loadedBy(resolve(dirname(path), name), all)
    else all.add(name)
  }
  return all
}

test('what browsers load of the package has nothing of Node or of a server', () => {
  for (const [name, most] of [
    ['client', 17_000],
    ['schema', 150_000],
  ] as const) {
    const all = [...loadedBy(resolve('dist', name, 'index.js'))]
    assert.deepEqual(
      all.filter((each) => !each.endsWith('.js')),
      [],
    )
    const size = all.reduce((sum, each) => sum + statSync(each).size, 0)
    assert.ok(all.length > 1 && size < most, `${name}: ${size} bytes`)
  }
})

test('the JavaScript of the package is ASCII: Node holds other text in twice the memory', () => {
  const names = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  const wide = names
    .filter((name) => name.endsWith('.js'))
    .filter((name) => /[^\0-\x7f]/.test(readFileSync(join('dist', name), 'utf8')))
  assert.deepEqual(wide, [])
})

test('the list of names that the door exports is frozen', () => {
  assert.deepEqual(Object.keys(door).sort(), [
    'EspalierError',
    'LogController',
    'adopt',
    'default',
    'defineRoute',
    'errorCodePrefix',
    'errorCodes',
    'espalier',
    'event',
    'fastify',
    'httpError',
    'module.exports',
    'plugin',
    'shared',
    't',
    'version',
  ])
})

test('the door for Fastify answers errors as Fastify does, with its errors under both codes', async () => {
  const names = ['LogController', 'adopt', 'default', 'errorCodes', 'fastify', 'module.exports']
  assert.deepEqual(Object.keys(fastifyDoor).sort(), names)
  assert.equal(fastifyDoor.fastify, door.fastify)
  const failing = door.fastify().get('/', async () => Promise.reject(new Error('told')))
  assert.equal(((await failing.inject('/')).json() as { message: string }).message, 'told')
  const { ESP_ERR_VALIDATION, FST_ERR_VALIDATION } = fastifyDoor.errorCodes
  assert.equal(new FST_ERR_VALIDATION('x').code, 'FST_ERR_VALIDATION')
  assert.ok(new ESP_ERR_VALIDATION('x') instanceof FST_ERR_VALIDATION)
  const require = createRequire(import.meta.url)
  const commonJs = require('../dist/fastify/index.js') as typeof fastifyDoor.default &
    typeof fastifyDoor
  assert.equal(commonJs.default, commonJs)
  assert.equal(commonJs.fastify, commonJs)
  const app = commonJs().get('/', async () => 'x')
  assert.equal((await app.inject('/')).body, 'x')
})

test('the version that the door exports is that of the package', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  assert.equal(door.version, manifest.version)
})

test('every member that the types of a server name is there at run time', () => {
  const files = ['dist/server/types/server.d.ts', 'dist/server/types/tools.d.ts']
  const bodies = files
    .map((file) => readFileSync(file, 'utf8'))
    .map(
      (text) => /interface Server(?:Base|Tools)\b[\s\S]*?\{\n([\s\S]*?)\n\}/.exec(text)?.[1] ?? '',
    )
  const member = /^ {4}(?:readonly )?(\w+)(?:[<(]|\??:)/gm
  const names = bodies.flatMap((body) => [...body.matchAll(member)].map(([, name]) => String(name)))
  assert.ok(names.includes('register') && names.includes('listen'), names.join())
  const app = espalier()
  assert.deepEqual(
    names.filter((name) => !(name in app)),
    [],
  )
})

test('require gives the factory, with the other exports as its properties', () => {
  const require = createRequire(import.meta.url)
  const commonJs = require('../dist/index.js') as typeof espalier & typeof door
  assert.equal(typeof commonJs(), 'object')
  for (const name of Object.keys(door)) {
    if (name !== 'module.exports') assert.ok(name in commonJs, name)
  }
})
