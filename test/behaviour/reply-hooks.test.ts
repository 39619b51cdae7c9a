// preSerialization and onSend: what they see of a reply, and what they make of it.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { shared, t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

const replyHooks = ['preSerialization', 'onSend'] as const

/** A hook with any number of parameters. */
const hook = (run: (this: Loose, ...args: Loose[]) => unknown): AnyHandler => run
const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** The forms of a hook that changes its payload. */
const forms: Readonly<Record<string, (change: (payload: Loose) => unknown) => AnyHandler>> = {
  'an async hook': (change) => hook(async (_request, _reply, payload) => change(payload)),
  'an async hook that waits': (change) =>
    hook(async (_request, _reply, payload) => {
      await tick()
      return change(payload)
    }),
  'a hook that is not async': (change) => hook((_request, _reply, payload) => change(payload)),
  'a callback hook': (change) =>
    hook((_request, _reply, payload, done) => {
      done(null, change(payload))
    }),
  'a callback hook that calls back later': (change) =>
    hook((_request, _reply, payload, done) => {
      setImmediate(() => done(undefined, change(payload)))
    }),
}

for (const [what, form] of Object.entries(forms)) {
  test(`the payload that ${what} gives goes on, and undefined keeps the one before`, async () => {
    const app = untyped()
    for (const [name, change] of [
      ['preSerialization', (payload: Loose) => ({ ...payload, n: Number(payload.n) + 1 })],
      ['onSend', (payload: Loose) => `${payload}!`],
    ] as const) {
      app.addHook(name, form(change))
      app.addHook(
        name,
        form(() => undefined),
      )
      app.addHook(name, form(change))
    }
    app.get('/', () => ({ a: 'é', n: 1 }))
    const { body, headers } = await app.inject('/')
    assert.equal(body, '{"a":"é","n":3}!!')
    assert.equal(headers['content-length'], String(Buffer.byteLength(body)))
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    await app.close()
  })

  test(`null of ${what} is JSON null before serialization, and no body after it`, async () => {
    const empties = form(() => null)
    const app = untyped()
      .get('/null', { preSerialization: empties }, () => ({ a: 1 }))
      .get('/empty', { onSend: empties }, () => ({ a: 1 }))
      .get('/stream', { onSend: empties }, () => Readable.from(['a']))
    const { body, headers } = await app.inject('/null')
    assert.deepEqual([body, headers['content-length']], ['null', '4'])
    for (const url of ['/empty', '/stream']) {
      const empty = await app.inject(url)
      assert.deepEqual([empty.statusCode, empty.body], [200, ''])
      assert.equal(empty.headers['content-length'], '0')
      assert.equal('transfer-encoding' in empty.headers, false)
    }
    await app.close()
  })
}

test('reply hooks run along the path from the root, in the order of addHook, then those of the route', async () => {
  const trace: string[] = []
  const traced = (name: string, where: string, form: string) =>
    forms[form]!(() => void trace.push(`${name} ${where}`))
  const later = 'an async hook that waits'
  const callback = 'a callback hook that calls back later'
  const app = untyped()
  for (const name of replyHooks) app.addHook(name, traced(name, 'root', later))
  app.register((child) => {
    for (const name of replyHooks) child.addHook(name, traced(name, 'child', callback))
    const plugin = shared(async (same: Loose) => {
      for (const name of replyHooks) same.addHook(name, traced(name, 'shared', 'an async hook'))
    })
    child.register(plugin as never)
    const own = (name: string) => [traced(name, 'first', later), traced(name, 'second', callback)]
    const route = { preSerialization: own('preSerialization'), onSend: own('onSend') }
    child.get('/', route, () => ({}))
    child.register((sibling) => {
      for (const name of replyHooks) sibling.addHook(name, traced(name, 'sibling', later))
    })
  })
  app.register(async () => {
    for (const name of replyHooks) app.addHook(name, traced(name, 'late', later))
  })
  await app.inject('/')
  const order = ['root', 'child', 'shared', 'late', 'first', 'second']
  const expected = replyHooks.flatMap((name) => order.map((where) => `${name} ${where}`))
  assert.deepEqual(trace, expected)
  await app.close()
})

const unserialized: Readonly<Record<string, () => unknown>> = {
  'a string': () => 'text',
  'an empty string': () => '',
  'a buffer': () => Buffer.from('text'),
  'a typed array': () => new Uint16Array(2),
  'an ArrayBuffer': () => new ArrayBuffer(2),
  'a stream': () => Readable.from(['text']),
  'a web stream': () => new Blob(['text']).stream(),
  'a Response': () => new Response('text'),
  null: () => null,
  nothing: () => undefined,
}
for (const [what, make] of Object.entries(unserialized)) {
  test(`preSerialization does not run for ${what}, but onSend does`, async () => {
    const trace: string[] = []
    const app = untyped()
    for (const name of replyHooks) app.addHook(name, async () => void trace.push(name))
    app.get('/', (_request, reply) => reply.send(make()))
    assert.equal((await app.inject('/')).statusCode, 200)
    assert.deepEqual(trace, ['onSend'])
    await app.close()
  })
}

test('preSerialization is given what is not text yet, and onSend the text that will leave', async () => {
  const seen: unknown[] = []
  const app = untyped()
  for (const name of replyHooks) {
    app.addHook(
      name,
      hook(async (_request, _reply, payload) => void seen.push(payload)),
    )
  }
  const response = { 200: t.Object({ a: t.Integer() }) }
  app.get('/object', { schema: { response } }, () => ({ a: 1, secret: 2 }))
  for (const payload of [[1], 7, 0, true, false]) app.get(`/${payload}`, () => payload)
  const urls = ['/object', '/1', '/7', '/0', '/true', '/false']
  for (const url of urls) await app.inject(url)
  const objects = [{ a: 1, secret: 2 }, '{"a":1}', [1], '[1]']
  assert.deepEqual(seen, [...objects, 7, '7', 0, '0', true, 'true', false, 'false'])
  await app.close()
})

test('what preSerialization gives is serialized by the schema of the status that it sets', async () => {
  const app = untyped().addHook(
    'preSerialization',
    hook(async (_request, reply, payload) => {
      reply.code(201).header('x-n', 1)
      return { data: payload, secret: true }
    }),
  )
  const response = { 200: { a: t.Integer() }, 201: { data: t.Object({ a: t.Integer() }) } }
  app.get('/', { schema: { response } }, () => ({ a: 1, b: 2 }))
  const { statusCode, headers, body } = await app.inject('/')
  assert.deepEqual([statusCode, headers['x-n'], body], [201, '1', '{"data":{"a":1}}'])
  await app.close()
})

test('preSerialization may put text, bytes or a stream in the place of an object', async () => {
  for (const [payload, body, type] of [
    ['text', 'text', 'text/plain; charset=utf-8'],
    [Buffer.from('bytes'), 'bytes', 'application/octet-stream'],
    [Readable.from(['stream']), 'stream', 'application/octet-stream'],
  ] as const) {
    const app = untyped().addHook('preSerialization', async () => payload)
    app.get('/', () => ({ a: 1 }))
    const response = await app.inject('/')
    assert.deepEqual([response.body, response.headers['content-type']], [body, type])
    await app.close()
  }
})

test('onSend runs for errors and 404s, by default and by handlers; preSerialization where these serialize', async () => {
  const trace: string[] = []
  const app = untyped()
  for (const name of replyHooks) {
    app.addHook(name, async ({ url }) => void trace.push(`${name} ${url}`))
  }
  const throws = () => {
    throw new Error('x')
  }
  app.get('/error', throws)
  app.get('/handled', { errorHandler: async () => ({ handled: true }) }, throws)
  app.get('/invalid', { schema: { querystring: { n: t.Integer() } } }, () => 1)
  app.register(
    (child) => void child.setNotFoundHandler((_request, reply) => reply.code(404).send('none')),
    { prefix: '/child' },
  )
  const [statuses] = await silenced(async () => {
    const urls = ['/error', '/handled', '/invalid?n=x', '/none', '/child/none', '/%zz']
    const responses = []
    for (const url of urls) responses.push(await app.inject(url))
    return responses.map((response) => response.statusCode)
  })
  assert.deepEqual(statuses, [500, 500, 400, 404, 404, 400])
  assert.deepEqual(trace, [
    'onSend /error',
    'preSerialization /handled',
    'onSend /handled',
    'onSend /invalid?n=x',
    'preSerialization /none',
    'onSend /none',
    'onSend /child/none',
    'onSend /%zz',
  ])
  await app.close()
})

test('the answer of an error is what onSend leaves of it', async () => {
  const app = untyped().addHook(
    'onSend',
    hook(async (_request, _reply, payload) => payload.replace('short', 'stout')),
  )
  app.get('/', async () => Promise.reject(Object.assign(new Error('short'), { statusCode: 418 })))
  const { body, headers } = await app.inject('/')
  assert.equal(JSON.parse(body).message, 'stout')
  assert.equal(headers['content-length'], String(body.length))
  await app.close()
})
