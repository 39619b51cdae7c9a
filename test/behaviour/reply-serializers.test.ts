// reply.serializer for one reply, setReplySerializer for a scope, and which of them comes first.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const all = { a: 1, b: 2 }
const schema = { response: { 200: { a: t.Integer() } } }
const answer = () => all

async function body(app: UntypedServer, url = '/') {
  return (await app.inject(url)).body
}

test('that of a reply comes before that of its scope, and both before the schema of the route', async () => {
  const app = untyped().get('/schema', { schema }, answer)
  app.register(async (child) => {
    child.setReplySerializer(() => 'scope').get('/scope', { schema }, answer)
    child.get('/reply', { schema }, (_request, reply) => reply.serializer(() => 'reply').send(all))
    child.get('/plain', answer)
  })
  assert.equal(await body(app, '/schema'), '{"a":1}')
  assert.equal(await body(app, '/scope'), 'scope')
  assert.equal(await body(app, '/reply'), 'reply')
  assert.equal(await body(app, '/plain'), 'scope')
  await app.close()
})

test('that of the nearest scope is taken; one that is set late holds for earlier routes', async () => {
  const app = untyped().get('/', answer)
  app.register(async (child) => {
    child.get('/child', answer).register(async (nested) => void nested.get('/nested', answer))
    child.setReplySerializer(() => 'child')
  })
  app.register(async (beside) => void beside.get('/beside', answer))
  await app.register(async () => {})
  app.setReplySerializer(() => 'root')
  for (const [url, expected] of [
    ['/', 'root'],
    ['/child', 'child'],
    ['/nested', 'child'],
    ['/beside', 'root'],
  ] as const) {
    assert.equal(await body(app, url), expected, url)
  }
  await app.close()
})

test('that of a scope is given the payload and the status; that of a reply the payload alone', async () => {
  const calls: unknown[][] = []
  const note = (...args: unknown[]) => {
    calls.push(args)
    return 'text'
  }
  const app = untyped().setReplySerializer(note)
  app.get('/scope', (_request, reply) => reply.code(201).send(all))
  app.get('/reply', (_request, reply) => reply.code(201).serializer(note).send(all))
  await app.inject('/scope')
  await app.inject('/reply')
  assert.deepEqual(calls, [[all, 201], [all]])
  assert.equal(calls[0]?.[0], all)
  await app.close()
})

test('it is given what the preSerialization hooks have left, and onSend gets its text', async () => {
  const seen: unknown[] = []
  const app = untyped().setReplySerializer((payload: object) => Object.keys(payload).join())
  app.addHook('preSerialization', async (_request, _reply, ...[payload]: any[]) => ({
    ...payload,
    c: 3,
  }))
  app.addHook('onSend', async (_request, _reply, ...[text]: any[]) => void seen.push(text))
  app.get('/', answer)
  assert.equal(await body(app), 'a,b,c')
  assert.deepEqual(seen, ['a,b,c'])
  await app.close()
})

const written: Readonly<Record<string, () => string | Uint8Array>> = {
  text: () => '<é>',
  bytes: () => Buffer.from('<é>'),
  'a typed array': () => new TextEncoder().encode('<é>'),
}
for (const [what, make] of Object.entries(written)) {
  test(`it may make ${what}, which is sent as JSON unless another type was set`, async () => {
    const app = untyped().get('/reply', (_request, reply) => reply.serializer(make).send(all))
    app.get('/typed', (_request, reply) => reply.type('application/xml').serializer(make).send(all))
    app.register(async (child) => void child.setReplySerializer(make).get('/scope', answer))
    for (const [url, type] of [
      ['/reply', 'application/json; charset=utf-8'],
      ['/scope', 'application/json; charset=utf-8'],
      ['/typed', 'application/xml'],
    ] as const) {
      const { rawPayload, headers } = await app.inject(url)
      assert.equal(rawPayload.toString(), '<é>')
      assert.deepEqual([headers['content-type'], headers['content-length']], [type, '4'])
    }
    await app.close()
  })
}

const asTheyAre: Readonly<Record<string, () => unknown>> = {
  bytes: () => Buffer.from('as it is'),
  'a stream': () => Readable.from(['as it is']),
  'a web stream': () => new Response('as it is').body,
  'a Response': () => new Response('as it is'),
}
for (const [what, make] of Object.entries(asTheyAre)) {
  test(`${what} is not serialized, whoever has set a serializer`, async () => {
    const never = () => assert.fail('it was called')
    const app = untyped().setReplySerializer(never).get('/scope', make)
    app.get('/reply', (_request, reply) => reply.serializer(never).send(make()))
    for (const url of ['/scope', '/reply']) assert.equal(await body(app, url), 'as it is')
    await app.close()
  })
}

test('a text is serialized by the serializer of its reply, and not by that of a scope', async () => {
  const upper = (payload: string) => payload.toUpperCase()
  const app = untyped()
    .setReplySerializer(upper)
    .get('/scope', () => 'text')
  app.get('/reply', (_request, reply) => reply.serializer(upper).send('text'))
  assert.equal(await body(app, '/scope'), 'text')
  assert.equal(await body(app, '/reply'), 'TEXT')
  await app.close()
})

test('null, numbers and lists are serialized, and nothing is not', async () => {
  const app = untyped().setReplySerializer((payload: unknown) => `<${JSON.stringify(payload)}>`)
  for (const [index, payload] of [null, 0, false, [1]].entries()) {
    app.get(`/${index}`, () => payload)
  }
  app.get('/none', (_request, reply) => reply.send())
  assert.equal(await body(app, '/0'), '<null>')
  assert.equal(await body(app, '/1'), '<0>')
  assert.equal(await body(app, '/2'), '<false>')
  assert.equal(await body(app, '/3'), '<[1]>')
  assert.equal(await body(app, '/none'), '')
  await app.close()
})

test('reply.serialize uses that of the reply, else that of the scope', async () => {
  const app = untyped().setReplySerializer((_payload: unknown, status: number) => `scope ${status}`)
  app.get('/', { schema }, (_request, reply) => {
    const scope = reply.code(202).serialize(all)
    return reply
      .serializer((payload: string) => payload)
      .send(`${scope}, ${reply.serialize('reply')}`)
  })
  assert.equal(await body(app), 'scope 202, reply')
  await app.close()
})

test('that of a reply is for it alone', async () => {
  let isFirst = true
  const app = untyped().get('/', (_request, reply) => {
    if (isFirst) reply.serializer(() => 'own')
    isFirst = false
    return reply.send(all)
  })
  assert.equal(await body(app), 'own')
  assert.equal(await body(app), '{"a":1,"b":2}')
  await app.close()
})

test('what an error handler answers goes through the serializer of the scope, the default answer does not', async () => {
  const app = untyped().setReplySerializer((payload: object) => `<${Object.keys(payload).join()}>`)
  const fail = () => {
    throw Object.assign(new Error('broken'), { statusCode: 409 })
  }
  app.get('/default', fail).get('/own', { errorHandler: () => ({ handled: true }) }, fail)
  assert.equal(await body(app, '/own'), '<handled>')
  assert.equal(JSON.parse(await body(app, '/default')).message, 'broken')
  await app.close()
})

test('a serializer that throws is an error of the server, answered once', async () => {
  const fails = () => {
    throw new Error('no idea')
  }
  const app = untyped().get('/reply', (_request, reply) => reply.serializer(fails).send(all))
  app.register(async (child) => void child.setReplySerializer(fails).get('/scope', answer))
  for (const url of ['/reply', '/scope']) {
    const [response, log] = await silenced(async () => app.inject(url))
    assert.deepEqual([response.statusCode, response.json().message], [500, 'Internal Server Error'])
    assert.match(log, new RegExp(`GET ${url} in root.*: Error: no idea`))
  }
  await app.close()
})

test('setReplySerializer gives the server back, refuses what is no function, and is for boot only', async () => {
  const app = untyped()
  assert.equal(
    app.setReplySerializer(() => ''),
    app,
  )
  assert.throws(() => app.setReplySerializer({}), {
    code: 'ESP_ERR_FUNCTION_EXPECTED',
    message: 'replySerializer in root takes a function, but was given an object',
  })
  await app.ready()
  assert.throws(() => app.setReplySerializer(() => ''), {
    code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING',
  })
  await app.close()
})
