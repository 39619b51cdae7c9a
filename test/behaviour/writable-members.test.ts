import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalier, fastify } from '../../src/index.ts'

// The types of espalier say that these members are read.
type Loose = any

test('the id of a request can be set where the factory is fastify, for that request alone', async () => {
  const app: Loose = fastify({ genReqId: () => 'made' })
  app.addHook('onRequest', async (request: Loose) => {
    if (request.url === '/set') request.id = 'mine'
  })
  app.get('/:any', async ({ id }: Loose) => ({ id }))
  assert.deepEqual((await app.inject('/set')).json(), { id: 'mine' })
  assert.deepEqual((await app.inject('/other')).json(), { id: 'made' })
})

for (const disableRequestLogging of [true, false]) {
  test(`the lines of a request keep the id that came first (${disableRequestLogging})`, async () => {
    const ids: unknown[] = []
    const stream = { write: (line: string) => ids.push(JSON.parse(line).reqId) }
    const app: Loose = fastify({
      logger: { stream } as Loose,
      genReqId: () => 'made',
      disableRequestLogging,
    })
    app.addHook('onRequest', async (request: Loose) => {
      request.id = 'mine'
    })
    app.get('/', async (request: Loose) => {
      request.log.info('here')
      return request.id
    })
    assert.equal((await app.inject('/')).body, 'mine')
    assert.deepEqual([...new Set(ids)], ['made'])
  })
}

test('all that the types of Fastify call writable can be set, in a hook and in a handler', async () => {
  const app: Loose = fastify()
  const mine: object = { mine: true }
  const set = (target: Loose, names: readonly string[]): string[] =>
    names.filter((name) => {
      const before = target[name]
      target[name] = mine
      const isSet = target[name] === mine
      target[name] = before
      return isSet
    })
  const ofRequest = ['id', 'params', 'query', 'headers', 'body', 'raw', 'log', 'server']
  const ofReply = ['raw', 'log', 'request', 'server', 'elapsedTime']
  const seen: string[][] = []
  const setAll = (request: Loose, reply: Loose): void => {
    seen.push(set(request, ofRequest), set(reply, ofReply))
  }
  app.addHook('onRequest', async (request: Loose, reply: Loose) => {
    setAll(request, reply)
  })
  app.get('/', (request: Loose, reply: Loose) => {
    setAll(request, reply)
    return 'done'
  })
  assert.equal((await app.inject('/')).body, 'done')
  assert.deepEqual(seen, [ofRequest, ofReply, ofRequest, ofReply])
  const ofServer = 'server pluginName prefix version log initialConfig supportedMethods'.split(' ')
  assert.deepEqual(set(app, ofServer), ofServer)
})

test('a logger that is set on a server is that of the servers below, and is set for them alone there', async () => {
  const lines: string[] = []
  const logger = (name: string): object => ({ info: (text: string) => lines.push(name + text) })
  const app: Loose = fastify()
  app.log = logger('root:')
  app.register(async (child: Loose) => {
    child.log.info('child')
    child.log = logger('own:')
    child.log.info('child')
  })
  await app.ready()
  app.log.info('root')
  assert.deepEqual(lines, ['root:child', 'own:child', 'root:root'])
})

test('the media type of a request is there, as the types of Fastify say', async () => {
  const app: Loose = fastify()
  app.post('/', async (request: Loose) => ({ type: request.mediaType ?? 'none' }))
  const headers = { 'content-type': 'Application/JSON; charset=utf-8' }
  const sent = await app.inject({ method: 'POST', url: '/', headers, payload: '{}' })
  assert.deepEqual(sent.json(), { type: 'application/json' })
  assert.deepEqual((await app.inject({ method: 'POST', url: '/' })).json(), { type: 'none' })
})

test('members that are read only stay so where the factory is espalier', async () => {
  const app: Loose = espalier()
  assert.throws(() => (app.log = {}), TypeError)
  app.get('/', (request: Loose) => {
    assert.throws(() => (request.id = 'mine'), TypeError)
    return 'done'
  })
  assert.equal((await app.inject('/')).body, 'done')
})
