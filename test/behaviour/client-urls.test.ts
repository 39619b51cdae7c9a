import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from '../../src/client/client.ts'
import espalier, { EspalierError } from '../../src/index.ts'

type Loose = any

/** Where a relative base URL leads. */
const page = 'https://page.test/app/'

/** Base URLs, each with the URL that all its calls begin with; undefined where it has no such URL. */
const bases = [
  ['', 'https://page.test/'],
  ['/', 'https://page.test/'],
  ['//', 'https://page.test/'],
  ['/api', 'https://page.test/api/'],
  ['/api/', 'https://page.test/api/'],
  ['api', 'https://page.test/app/api/'],
  ['//other.test/api', 'https://other.test/api/'],
  ['https://api.test', 'https://api.test/'],
  ['https://api.test/', 'https://api.test/'],
  ['https://api.test///', 'https://api.test/'],
  ['https://api.test:8443', 'https://api.test:8443/'],
  ['https://API.test:443/v1', 'https://api.test/v1/'],
  ['http://[::1]:80/v1/', 'http://[::1]/v1/'],
  ['https://api.test/v1/../v2', 'https://api.test/v2/'],
  ['https://api.test?key=1', undefined],
  ['https://api.test/v1?', undefined],
  ['https://api.test/v1#part', undefined],
  ['https://', undefined],
  ['https:', undefined],
  ['http:/', undefined],
  ['https:\\\\', undefined],
  ['\\', undefined],
  ['/\t', undefined],
  ['//\n', undefined],
] as const

const hostile = [
  '',
  '.',
  '..',
  '%2e%2e',
  '.%2E',
  '/',
  '//',
  '/elsewhere.test',
  '//elsewhere.test',
  '\\elsewhere.test',
  '/\\elsewhere.test',
  '\\\\elsewhere.test',
  '.elsewhere.test',
  '@elsewhere.test',
  ':8080',
  '?a',
  '#a',
  '\t/elsewhere.test',
  '/\t/elsewhere.test',
  '\n',
  '\r\n\r\n',
  '\0',
  ' ',
  'http:',
  'http://elsewhere.test',
  'https:elsewhere.test',
  'javascript:alert(1)',
  '../../elsewhere',
  'a/../..',
  'ü€',
  '\ud800',
]

const keys = [
  'GET *',
  'GET /*',
  'GET /a/*',
  'GET /:p',
  'GET /:p/:q',
  'GET /:p.:q',
  'GET /.:p',
  'GET /%2e:p',
  'GET /:p?',
  'GET :p',
  'GET @:p',
  'GET //:p',
  'GET /\t/:p',
  'GET /\\:p',
  'GET \\:p',
  'GET \t//:p',
  'GET /a/..\\..\\:p',
  'GET /..\t/..\t/:p',
  'GET /..?:p',
  'GET /a/%2E.#:p',
  'GET https://elsewhere.test/:p',
  'GET ',
  ' /:p',
  'GET',
  '//elsewhere.test',
  '',
]

/** What a call asks for; undefined where it is refused. */
async function asked(base: string, key: string, param: unknown): Promise<string | undefined> {
  let target: string | undefined
  let tokens = 0
  const call: Loose = client(base, {
    headers: () => ({ authorization: `Bearer ${++tokens}` }),
    fetch: async (url) => {
      target = url
      return new Response('1')
    },
  })
  const answered = call(key, { params: { '*': param, p: param, q: param } })
  await answered.catch((error: unknown) => {
    assert.ok(error instanceof EspalierError, `${base} ${key} ${String(error)}`)
    assert.equal(error.code, 'ESP_ERR_CLIENT_ROUTE')
  })
  assert.equal(tokens, target === undefined ? 0 : 1, 'credentials are made for what is sent only')
  return target
}

for (const [base, start] of bases) {
  test(`whatever its key and its parameters are, a call stays below the base URL ${JSON.stringify(base)}`, async () => {
    let sent = 0
    for (const key of keys) {
      for (const param of hostile) {
        const target = await asked(base, key, param)
        if (target === undefined) continue
        sent += 1
        const { href } = new URL(target, page)
        assert.ok(start !== undefined && href.startsWith(start), `${key} ${param}: ${href}`)
        const path = target.slice(base.replace(/\/+$/, '').length)
        assert.match(path, /^\/(?!\/)/, `${key} ${param}`)
      }
    }
    assert.equal(sent > 0, start !== undefined)
  })
}

test('parameters that look like other hosts reach a route below the base URL', async () => {
  const paths = [
    ['GET *', '/a b', 'https://api.test/v1/a%20b'],
    ['GET /*', 'http://a.test', 'https://api.test/v1/http%3A//a.test'],
    ['GET /*', 'a//b/', 'https://api.test/v1/a//b/'],
    ['GET /:p', '/elsewhere.test', 'https://api.test/v1/%2Felsewhere.test'],
    ['GET /:p', '%2e%2e', 'https://api.test/v1/%252e%252e'],
    ['GET /:p', '\\\t\n', 'https://api.test/v1/%5C%09%0A'],
    ['GET /:p', '', 'https://api.test/v1/'],
  ] as const
  for (const [key, param, expected] of paths) {
    assert.equal(await asked('https://api.test/v1/', key, param), expected)
  }
})

test('a call that would leave the base URL is an error that names the route and the path', async () => {
  const rule = 'A base has a host or a path, no query'
  const refused = async (base: string, call: unknown[], message: string) => {
    const api: Loose = client(base, { fetch: async () => new Response('1') })
    const name = `The call of '${call[0]}' `
    await assert.rejects(api(...call), { code: 'ESP_ERR_CLIENT_ROUTE', message: name + message })
  }
  const input = { params: { '*': '/elsewhere.test/x' } }
  await refused('/', ['GET /*', input], `is not below its base URL: //elsewhere.test/x. ${rule}`)
  await refused('https://', ['GET /a'], `is not below its base URL: /a. ${rule}`)
  const half = { params: { '*': '\ud800' } }
  await refused('/', ['GET /*', half], "lacks the path parameter '*'")
})

test('inject stays on its server, and gives a route the parameters of the call', async () => {
  const seen = ({ params, host }: Loose) => ({ ...params, host })
  const app: Loose = espalier().get('/*', seen).get('/at/:p', seen).get('/at/:p/:q', seen)
  for (const param of hostile) {
    for (const [key, names] of [
      ['GET /*', ['*']],
      ['GET /at/:p', ['p']],
      ['GET /at/:p/:q', ['p', 'q']],
    ] as const) {
      const params = Object.fromEntries(names.map((name) => [name, param]))
      // A client that is not `inject` would ask another route.
      const isRefused =
        param === '\ud800' ||
        /(^|\/)\.\.?(\/|$)/.test(names[0] === '*' ? param : `/${param.replaceAll('/', '%2F')}`)
      if (isRefused) {
        await assert.rejects(app.inject(key, { params }), { code: 'ESP_ERR_INJECT_ROUTE' })
        continue
      }
      const response = await app.inject(key, { params })
      assert.deepEqual(response.json(), { ...params, host: 'localhost:80' }, `${key} ${param}`)
    }
  }
})
