import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import * as esModule from 'espalier'
import * as esClient from 'espalier/client'
import * as esOpenapi from 'espalier/openapi'
import * as esWebsocket from 'espalier/websocket'
import * as esMultipart from 'espalier/multipart'
import * as esSchema from 'espalier/schema'
import * as esFastify from 'espalier/fastify'

const require = createRequire(import.meta.url)
// By their paths: by its name, Node requires the ES modules.
const commonJs = require('../dist/index.cjs') as typeof esModule
const doors = {
  client: require('../dist/client/index.cjs') as typeof esClient,
  openapi: require('../dist/openapi/index.cjs') as typeof esOpenapi,
  websocket: require('../dist/websocket/index.cjs') as typeof esWebsocket,
  multipart: require('../dist/multipart/index.cjs') as typeof esMultipart,
  schema: require('../dist/schema/index.cjs') as typeof esSchema,
}
const esDoors = {
  client: esClient,
  openapi: esOpenapi,
  websocket: esWebsocket,
  multipart: esMultipart,
  schema: esSchema,
}
type Build = typeof esModule & { doors: typeof doors }
const builds: Record<string, Build> = {
  'ES modules': { ...esModule, doors: esDoors },
  CommonJS: Object.assign(commonJs, { doors }),
}
const pairs = [
  ['ES modules', 'CommonJS'],
  ['CommonJS', 'ES modules'],
] as const

test('require gives of each entry point what import gives', () => {
  for (const [name, door] of Object.entries(doors)) {
    const expected = Object.keys(Reflect.get(esDoors, name) as object).sort()
    assert.deepEqual(Object.keys(door).sort(), expected)
  }
  assert.equal(typeof commonJs, 'function')
  for (const name of Object.keys(esModule)) {
    if (name !== 'module.exports') assert.ok(name in commonJs, name)
  }
  assert.equal(commonJs.default, commonJs)
  assert.notEqual(commonJs.t, esModule.t, 'there should be two builds')
  const fastify = require('../dist/fastify/index.cjs') as typeof esFastify.default
  assert.deepEqual(Object.keys(fastify).sort(), Object.keys(esFastify.default).sort())
  assert.equal(fastify.errorCodes.ESP_ERR_VALIDATION, esFastify.errorCodes.ESP_ERR_VALIDATION)
})

test('an error of one build is declared and answered by the other', async () => {
  for (const [ours, other] of pairs) {
    const { httpError, t } = (builds[other] ?? assert.fail()).doors.schema
    const NotFound = httpError('NotFound', 404, { id: t.Integer() })
    const { espalier } = builds[ours] ?? assert.fail()
    const answers = [true, false].map(async (isDeclared) => {
      const app = espalier({ logger: false })
      if (isDeclared) app.addResponses(NotFound)
      app.setErrorHandler((error) => {
        assert.ok(error instanceof NotFound)
        throw error
      })
      app.get('/', () => {
        throw new NotFound({ id: 7 })
      })
      const { statusCode, body } = await app.inject('/')
      return [statusCode, body.includes('"id":7')]
    })
    assert.deepEqual(await Promise.all(answers), [
      [404, true],
      [500, false],
    ])
  }
})

test('what is for browsers requires nothing of Node or of a server', () => {
  const seen = new Set<string>()
  const read = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    const text = readFileSync(path, 'utf8')
    for (const [, name = ''] of text.matchAll(/require\("([^"]+)"\)/g)) {
      assert.match(name, /^\.\.?\//, path)
      read(new URL(name, `file://${path}`).pathname)
    }
  }
  for (const door of ['client', 'schema']) read(require.resolve(`../dist/${door}/index.cjs`))
  assert.ok(seen.size > 3)
})

test('a file of CommonJS imports nothing, as Jest cannot', () => {
  const files = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  const built = files.filter((path) => path.endsWith('.cjs'))
  assert.ok(built.length > 10)
  for (const path of built) {
    assert.doesNotMatch(readFileSync(`dist/${path}`, 'utf8'), /\bimport\(|import\.meta/, path)
  }
})

for (const [one, other] of pairs) {
  const server = builds[one] as Build
  const guest = builds[other] as Build

  test(`a server of ${one} runs plugins of ${other}`, async () => {
    const { t } = guest
    const db = guest.shared(
      async (app) => app.decorate('db', 7).addSchema('Named', t.Object({ name: t.String() })),
      { name: 'db' },
    )
    const routes = guest.plugin<{ server: { db: number } }>()(async (app) => {
      app.derive('onRequest', () => ({ user: 'ada' }))
      return app.get(
        '/user',
        { schema: { response: { 200: t.Object({ at: t.String(), db: t.Number() }) } } },
        () => ({ at: 'x', db: app.db }),
      )
    })
    const date = t
      .Transform(t.String({ format: 'date' }))
      .Decode((text) => new Date(text))
      .Encode((day) => day.toISOString().slice(0, 10))
    const route = guest.defineRoute({
      method: 'POST',
      url: '/day',
      schema: { body: t.Object({ day: date }), response: { 200: t.Object({ day: date }) } },
      handler: ({ body }) => ({ day: new Date(body.day.getTime() + 86_400_000) }),
    })
    const app = server
      .espalier()
      .register(db)
      .register(routes)
      .route(route)
      .get(
        '/named',
        { schema: { response: { 200: t.Ref('Named') } } },
        () => ({ name: 'x' }) as never,
      )
    assert.equal((await app.inject({ url: '/user' })).body, '{"at":"x","db":7}')
    assert.equal((await app.inject({ url: '/named' })).body, '{"name":"x"}')
    const day = await app.inject({ url: '/day', method: 'POST', body: { day: '2026-01-01' } })
    assert.equal(day.body, '{"day":"2026-01-02"}')
    assert.equal(app.hasPlugin('db'), true)
    await app.close()
  })

  test(`a server of ${one} writes events and logs of ${other}`, async () => {
    const { t } = guest
    const lines: string[] = []
    class Lines extends guest.LogController {
      override incomingRequest(): void {
        lines.push('incoming')
      }
    }
    const logger = { level: 'info', stream: { write: () => undefined } }
    const app = server.espalier({ logger, logController: new Lines() as never }).get('/', {
      schema: {
        response: {
          200: { content: { 'text/event-stream': { itemSchema: t.Object({ n: t.Integer() }) } } },
        },
      },
      async *handler() {
        yield guest.event({ n: 1 }, { id: 'a' }) as never
      },
    })
    const { body } = await app.inject({ url: '/' })
    assert.equal(body, 'id: a\ndata: {"n":1}\n\n')
    assert.deepEqual(lines, ['incoming'])
    await app.close()
  })

  test(`errors of ${one} and of ${other} are each other's instances`, async () => {
    const error = new guest.errorCodes.ESP_ERR_CTP_BODY_TOO_LARGE()
    assert.ok(error instanceof server.EspalierError)
    assert.ok(error instanceof server.errorCodes.ESP_ERR_CTP_BODY_TOO_LARGE)
    const app = server.espalier().get('/', () => {
      throw error
    })
    assert.equal((await app.inject({ url: '/' })).statusCode, 413)
    const failing = server.espalier().get('/', (_, reply) => reply.code(99).send('x'))
    const seen: unknown[] = []
    failing.addHook('onError', (_request, _reply, thrown) => {
      seen.push(thrown)
    })
    await failing.inject({ url: '/' })
    assert.ok(seen[0] instanceof guest.errorCodes.ESP_ERR_BAD_STATUS_CODE)
  })

  test(`the document of ${other} tells routes of ${one}, with guards of both`, async () => {
    const { openapi, secured, documentOf } = guest.doors.openapi
    const bearer = { bearer: { type: 'http', scheme: 'bearer' } } as const
    const own = server.doors.openapi.secured(() => undefined, bearer)
    const app = server
      .espalier()
      .register(openapi({ info: { title: 'x', version: '1' }, docs: false }))
      .get('/a', { onRequest: own, schema: { response: { 200: server.t.String() } } }, () => 'a')
      .get('/b', { onRequest: secured(() => undefined, bearer) }, () => 'b')
    const scope = server.plugin()(async (child) => {
      child.register(
        server.doors.openapi.openapi({ info: { title: 'y', version: '1' }, docs: false }),
      )
      return child
    })
    app.register(scope, { prefix: '/child' })
    await app.ready()
    const { paths } = app.openapi()
    assert.deepEqual(paths?.['/a']?.get?.security, [{ bearer: [] }])
    assert.deepEqual(paths['/b']?.get?.security, [{ bearer: [] }])
    const again = await documentOf(app)
    assert.deepEqual(Object.keys(again.paths ?? {}), Object.keys(paths))
    await app.close()
  })

  test(`forms and WebSockets of ${other} are of a server of ${one}`, async () => {
    const { t } = server
    const Counted = t.Object({ n: t.Integer() })
    const app = server
      .espalier()
      .register(guest.doors.multipart.multipart())
      .register(guest.doors.websocket.websocket())
      .websocket('/echo', { receive: Counted, send: Counted }, async (socket) => {
        for await (const { n } of socket) await socket.send({ n: n + 1 })
      })
      .post(
        '/file',
        { schema: { body: t.Object({ file: t.File(), n: t.Integer() }) } },
        ({ body }) => ({
          size: body.file.size,
          n: body.n,
        }),
      )
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const form = new FormData()
    form.append('file', new Blob(['abc']), 'a.txt')
    form.append('n', '5')
    const sent = await fetch(`${address}/file`, { method: 'POST', body: form })
    assert.deepEqual(await sent.json(), { size: 3, n: 5 })
    const { WebSocket } = require('ws') as { WebSocket: typeof globalThis.WebSocket }
    const socket = new WebSocket(`${address.replace('http', 'ws')}/echo`)
    await new Promise((done) => socket.addEventListener('open', done))
    const answered = new Promise<unknown>((done) => {
      socket.addEventListener('message', ({ data }) => {
        done(data)
      })
    })
    socket.send('{"n":1}')
    assert.equal(await answered, '{"n":2}')
    socket.close()
    await app.close()
  })
}
