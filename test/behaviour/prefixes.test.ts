import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

type Case = readonly [what: string, options: object, route: object, prefix: string, met: string]

const cases: readonly Case[] = [
  ['by default', {}, {}, '/p', '/p /p/'],
  ['for both', {}, { prefixTrailingSlash: 'both' }, '/p', '/p /p/'],
  ['for slash', {}, { prefixTrailingSlash: 'slash' }, '/p', '/p/'],
  ['for no-slash', {}, { prefixTrailingSlash: 'no-slash' }, '/p', '/p'],
  ['below a prefix with a slash', {}, {}, '/p/', '/p/'],
  ['where trailing slashes are ignored', { ignoreTrailingSlash: true }, {}, '/p', '/p /p/'],
  ['where repeated slashes are one', { ignoreDuplicateSlashes: true }, {}, '/p', '/p /p/ /p//'],
]
for (const [what, options, route, prefix, met] of cases) {
  test(`a route of / ${what} is met by ${met}`, async () => {
    const app = untyped(options)
    app.register(async (child) => void child.get('/', route, () => 'ok'), { prefix })
    for (const method of ['GET', 'HEAD'] as const) {
      const found: string[] = []
      for (const url of ['/p', '/p/', '/p//', '/px']) {
        if ((await app.inject({ method, url })).statusCode === 200) found.push(url)
      }
      assert.equal(found.join(' '), met, method)
    }
  })
}

test('a prefixTrailingSlash that is none is refused', () => {
  assert.throws(() => untyped().get('/', { prefixTrailingSlash: 'never' }, () => 1), {
    code: 'ESP_ERR_ROUTE_OPTION',
    message: /'prefixTrailingSlash'.*'both', 'slash' or 'no-slash', but is 'never'/,
  })
})

test('there is one slash between prefixes and paths, whether they have it or not', async () => {
  const app = untyped()
  const seen: string[] = []
  app.register(
    async (child: any) => {
      seen.push(child.prefix)
      child.get('/a', () => 'a')
      child.register(
        async (inner: any) => void (seen.push(inner.prefix), inner.get('/b', () => 'b')),
        {
          prefix: '/v2',
        },
      )
    },
    { prefix: 'v1/' },
  )
  assert.equal((await app.inject('/v1/a')).body, 'a')
  assert.equal((await app.inject('/v1/v2/b')).body, 'b')
  assert.deepEqual(seen, ['/v1/', '/v1/v2'])
})

test('keys of routes are as their URLs are', async () => {
  const app = espalier().register(
    async (child) => child.get('/a', () => 'a').get('/', () => 'root'),
    { prefix: 'v1/' },
  )
  assert.equal((await app.inject('GET /v1/a')).body, 'a')
  assert.equal((await app.inject('GET /v1/')).body, 'root')
})

test('routes that are met with a slash alone are found by their keys, which lacked it and were answered with 404', async () => {
  const slash = { prefixTrailingSlash: 'slash' } as const
  const app = espalier()
    .register(async (child) => child.get('/', slash, () => 'get'), { prefix: '/sl' })
    .register(
      async (child) => child.route({ ...slash, method: 'PUT', url: '/', handler: () => 'put' }),
      { prefix: '/sl' },
    )
    .register(
      async (api) =>
        api.register(async (users) => users.get('/', () => 'list').get('/a', () => 'a'), {
          prefix: '/',
        }),
      { prefix: '/api' },
    )
  assert.equal((await app.inject('GET /sl/')).body, 'get')
  assert.equal((await app.inject('PUT /sl/')).body, 'put')
  assert.equal((await app.inject('GET /api/')).body, 'list')
  assert.equal((await app.inject('GET /api/a')).body, 'a')
  for (const url of ['/sl', '/api']) assert.equal((await app.inject(url)).statusCode, 404)
})

test('a path behind a prefix needs no slash of its own', async () => {
  const app = untyped()
  app.register(async (child) => void child.get('route', () => 'found'), { prefix: '/v1/' })
  app.register(async (child) => void child.get('.json', () => 'text'), { prefix: '/v2' })
  assert.equal((await app.inject('/v1/route')).body, 'found')
  assert.equal((await app.inject('/v2.json')).body, 'text')
  assert.throws(() => untyped().get('route', () => 1), { code: 'ESP_ERR_INVALID_URL' })
})
