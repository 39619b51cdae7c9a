import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { type EspalierOptions } from '../../src/index.ts'

const seen = (request: any) => ({
  ip: request.ip,
  ips: request.ips,
  host: request.host,
  hostname: request.hostname,
  port: request.port,
  protocol: request.protocol,
})

async function ask(trustProxy: NonNullable<EspalierOptions['trustProxy']>, headers: object = {}) {
  const app = espalier({ trustProxy }).get('/', seen)
  const response = await app.inject({
    url: '/',
    remoteAddress: '10.0.0.9',
    headers: {
      host: 'inner:80',
      'x-forwarded-for': '3.3.3.3, 2.2.2.2, 1.1.1.1',
      'x-forwarded-host': 'evil.example, outer.example:8443',
      'x-forwarded-proto': 'http, https',
      ...headers,
    },
  })
  return response.json<ReturnType<typeof seen>>()
}

const forwarded = { host: 'outer.example:8443', hostname: 'outer.example', port: 8443 }

test('without trustProxy nobody speaks for another', async () => {
  const inner = { host: 'inner:80', hostname: 'inner', port: 80, protocol: 'http' }
  assert.deepEqual(await ask(false), { ip: '10.0.0.9', ...inner })
})

const chains: readonly (readonly [
  what: string,
  trust: NonNullable<EspalierOptions['trustProxy']>,
  ips: readonly string[],
])[] = [
  ['true trusts all', true, ['10.0.0.9', '1.1.1.1', '2.2.2.2', '3.3.3.3']],
  ['a text with commas trusts addresses', '10.0.0.9, 1.1.1.1', ['10.0.0.9', '1.1.1.1', '2.2.2.2']],
  ['a range trusts what is in it', '10.0.0.0/8', ['10.0.0.9', '1.1.1.1']],
  [
    'a list trusts each',
    ['10.0.0.9', '1.1.1.1', '2.2.2.2'],
    ['10.0.0.9', '1.1.1.1', '2.2.2.2', '3.3.3.3'],
  ],
  [
    'a function decides',
    (address, hop) => address === '10.0.0.9' && hop === 0,
    ['10.0.0.9', '1.1.1.1'],
  ],
]
for (const [what, trust, ips] of chains) {
  test(`${what}: whom the peers speak for`, async () => {
    const found = await ask(trust)
    assert.deepEqual(found, { ip: ips.at(-1), ips, ...forwarded, protocol: 'https' })
  })
}

test('a peer that is not trusted speaks for itself', async () => {
  const { ip, ips, host, protocol } = await ask('192.168.0.0/16')
  assert.deepEqual([ip, ips, host, protocol], ['10.0.0.9', ['10.0.0.9'], 'inner:80', 'http'])
})

for (const count of [0, 1, 2, 1000] as unknown[] as string[]) {
  test(`the number ${count} trusts nobody, and a warning at boot says what to write`, async (context) => {
    const warn = context.mock.method(process, 'emitWarning', () => undefined)
    const { ip, ips, host, protocol } = await ask(count)
    assert.deepEqual([ip, ips, host, protocol], ['10.0.0.9', ['10.0.0.9'], 'inner:80', 'http'])
    const [text, name] = warn.mock.calls.at(-1)?.arguments ?? []
    if (Number(count) === 0) assert.equal(text, undefined, 'as it is written')
    else {
      assert.match(String(text), new RegExp(`^trustProxy: ${count} trusts nobody.*'10.0.0.0/8'`))
      assert.equal(name, 'SecurityWarning')
    }
  })
}

test('what a trusted peer does not say is as without it', async () => {
  const none = { 'x-forwarded-host': '', 'x-forwarded-proto': 'gopher' }
  const { host, protocol } = await ask(true, none)
  assert.deepEqual([host, protocol], ['inner:80', 'http'])
})

test('decorators and children have the same requests', async () => {
  const app = espalier({ trustProxy: true })
    .decorateRequest('who', function (this: { ip: string }) {
      return this.ip
    })
    .register(async (child) => child.get('/in', (request) => request.who()))
  const headers = { 'x-forwarded-for': '3.3.3.3' }
  assert.equal((await app.inject({ url: '/in', headers })).body, '3.3.3.3')
})

test('an address that is none is an error of the factory', () => {
  assert.throws(() => espalier({ trustProxy: 'nowhere' }), /nowhere/)
})
