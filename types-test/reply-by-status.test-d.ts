// What may be sent depends on the status: the exact code, else its class, else `default`.
import espalier, { t, type Sent } from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' })
const app = espalier().addSchema(User)
const user = { id: 1, name: '' }
const response = {
  200: t.Ref('user#'),
  201: {
    content: {
      'application/json': { schema: t.Ref('user#') },
      'text/plain': { schema: t.String() },
    },
  },
  '4xx': { message: t.String() },
  404: t.Object({ missing: t.Integer() }),
  503: t.Null(),
} as const

// Each status has a payload of its own; the exact code goes before its class.
app.get('/codes', { schema: { response } }, async (_request, reply) => {
  expectType<false>(isAny(reply))
  expectAssignable<Sent>(reply.code(200).send(user))
  expectAssignable<Sent>(reply.code(400).send({ message: '' }))
  expectAssignable<Sent>(reply.code(404).send({ missing: 1 }))
  expectError(reply.code(200).send({ message: '' }))
  expectError(reply.code(200).send({ id: '1', name: '' }))
  expectError(reply.code(400).send(user))
  expectError(reply.code(404).send({ message: '' }))
  return user
})

// A field too many is an error where it is written.
app.get('/extra', { schema: { response } }, (_request, reply) => {
  expectAssignable<Sent>(reply.code(404).send({ missing: 1 }))
  expectError(reply.code(404).send({ missing: 1, other: 1 }))
  return reply
})

// A status that is not declared cannot be set.
app.get('/undeclared', { schema: { response } }, (_request, reply) => {
  expectAssignable<Sent>(reply.code(451).send({ message: '' }))
  expectError(reply.code(500))
  expectError(reply.code(204))
  expectError(reply.status(204))
  expectError(reply.code(399))
  return reply
})

// `status` is `code`.
app.get('/status', { schema: { response } }, (_request, reply) => {
  expectAssignable<Sent>(reply.status(404).send({ missing: 1 }))
  expectError(reply.status(404).send({ message: '' }))
  return reply
})

// Without a status the payload is one of status 200.
app.get('/initial', { schema: { response } }, (_request, reply) => {
  expectAssignable<Sent>(reply.send(user))
  expectError(reply.send({ message: '' }))
  expectError(reply.send())
  return reply
})

// Only a payload that may be null may be left out.
app.get('/null', { schema: { response } }, (_request, reply) => {
  expectAssignable<Sent>(reply.code(503).send())
  expectAssignable<Sent>(reply.code(503).send(null))
  expectError(reply.code(503).send('x'))
  expectError(reply.code(404).send())
  return reply
})

// The status stays set through the calls that follow.
app.get('/chain', { schema: { response } }, (_request, reply) => {
  const chained = reply.code(404).header('x-a', 1).headers({ 'x-b': 'x' }).removeHeader('x-b')
  expectAssignable<Sent>(chained.type('application/json').send({ missing: 1 }))
  expectError(chained.send(user))
  return reply
})

// Of an entry with `content` any payload may be sent, until a media type is set.
app.get('/content', { schema: { response } }, (_request, reply) => {
  expectAssignable<Sent>(reply.code(201).send(user))
  expectAssignable<Sent>(reply.code(201).send('text'))
  expectError(reply.code(201).send(1))
  return reply
})

// Then the payload is that of the media type, whatever its parameters.
app.get('/media', { schema: { response } }, (_request, reply) => {
  expectAssignable<Sent>(reply.code(201).type('text/plain').send('text'))
  expectAssignable<Sent>(reply.type('application/json; charset=utf-8').code(201).send(user))
  expectError(reply.code(201).type('text/plain').send(user))
  expectError(reply.code(201).type('application/json; charset=utf-8').send('text'))
  return reply
})

// What is returned is the payload of status 200.
app.get('/return', { schema: { response } }, () => user)
app.get('/return', { schema: { response } }, async () => user)
expectError(app.get('/return', { schema: { response } }, () => ({ id: 1 })))
expectError(app.get('/return', { schema: { response } }, async () => ({ id: '1', name: '' })))
expectError(app.get('/return', { schema: { response } }, async () => ({ message: '' })))
expectError(app.get('/return', { schema: { response } }, async () => 'text'))
expectError(app.get('/return', { schema: { response } }, () => null))

// Or the reply, or what `send` gives.
app.get('/sent', { schema: { response } }, (_request, reply) => {
  expectAssignable<Sent>(reply)
  return reply
})
app.get('/sent', { schema: { response } }, (_request, reply) =>
  reply.code(404).send({ missing: 1 }),
)
app.get('/sent', { schema: { response } }, async (request, reply) => {
  if (request.is404) return reply.code(404).send({ missing: 1 })
  return user
})
expectError(
  app.get('/sent', { schema: { response } }, async (request, reply) => {
    if (request.is404) return reply.code(404).send({ missing: 1 })
    return { id: 1 }
  }),
)

// Only a sync handler may return nothing, which has a reply to send by hand.
app.get('/void', { schema: { response } }, (_request, reply) => {
  reply.send(user)
})
app.get('/void', { schema: { response } }, (...given) => {
  given[1].send(user)
})
app.get('/void', { schema: { response }, handler: (_request, reply) => void reply.send(user) })
expectError(app.get('/void', { schema: { response } }, async () => {}))
expectError(app.get('/void', { schema: { response } }, () => {}))
expectError(app.get('/void', { schema: { response } }, (request) => void request.id))
expectError(app.get('/void', { schema: { response }, handler: (request) => void request.id }))

// Not either a payload or nothing: the reply would be waited for in vain.
const found = new Map([[1, user]])
const closed = t.Object({ id: t.Integer(), name: t.String() }, { additionalProperties: false })
expectError(app.get('/found', { schema: { response } }, () => found.get(1)))
expectError(app.get('/found', { schema: { response: { 200: closed } } }, () => found.get(1)))
expectError(app.get('/found', { schema: { response: { 200: t.Any() } } }, () => found.get(1)))
expectError(app.get('/found', { schema: { response }, handler: () => found.get(1) }))
expectError(
  app.get('/found', { schema: { response } }, (request) => (request.is404 ? user : undefined)),
)
app.get('/found', { schema: { response } }, () => found.get(1) ?? user)
app.get('/found', { schema: { response } }, (_request, reply) => {
  const one = found.get(1)
  if (one === undefined) return reply.code(404).send({ missing: 1 })
  return one
})
app.get('/found', { schema: { response } }, (request, reply) => {
  if (request.is404) return undefined
  return reply.send(user)
})
app.get('/found', { schema: { response: { 200: t.Any() } } }, (request) => request.query)

// Where nothing is declared for status 200, nothing can be returned bare.
app.get('/created', { schema: { response: { 201: t.Ref('user#') } } }, async (_request, reply) => {
  expectError(reply.send(user))
  return reply.code(201).send(user)
})
expectError(
  app.get('/created', { schema: { response: { 201: t.Ref('user#') } } }, async () => user),
)

// A class that holds 200 declares it, in either case.
app.get('/class', { schema: { response: { '2xx': t.Integer() } } }, () => 1)
app.get('/class', { schema: { response: { '2XX': t.Integer() } } }, async (_request, reply) => {
  expectAssignable<Sent>(reply.code(206).send(1))
  expectError(reply.code(206).send('x'))
  return 1
})
expectError(app.get('/class', { schema: { response: { '2XX': t.Integer() } } }, () => 'x'))

// `default` admits all other codes.
app.get(
  '/default',
  { schema: { response: { 200: t.Integer(), default: { error: t.String() } } } },
  async (_request, reply) => {
    expectAssignable<Sent>(reply.code(418).send({ error: '' }))
    expectAssignable<Sent>(reply.code(200).send(1))
    expectError(reply.code(200).send({ error: '' }))
    expectError(reply.code(418).send(1))
    return 1
  },
)

// Without a response schema anything goes.
app.get('/any', (_request, reply) => {
  expectType<false>(isAny(reply))
  expectAssignable<Sent>(reply.code(299).send({ any: 1 }))
  expectAssignable<Sent>(reply.send())
  expectError(reply.code('200'))
  return { x: 1 }
})

// A date may be given where its text is declared, and nowhere else.
app.get(
  '/date',
  { schema: { response: { 200: t.Object({ at: t.String({ format: 'date-time' }) }) } } },
  () => ({ at: new Date() }),
)
expectError(
  app.get('/date', { schema: { response: { 200: t.Object({ at: t.String() }) } } }, () => ({
    at: new Date(),
  })),
)

// What has a default may be left out, and nothing else.
app.get(
  '/default-value',
  { schema: { response: { 200: t.Object({ n: t.Integer({ default: 1 }) }) } } },
  async () => ({}),
)
expectError(
  app.get(
    '/default-value',
    { schema: { response: { 200: t.Object({ n: t.Integer() }) } } },
    async () => ({}),
  ),
)

// What is returned is typed by the schema, so that its literals stay literals.
const Roles = t.Object({
  roles: t.Array(t.Union([t.Literal('admin'), t.Literal('member')])),
  pair: t.Tuple([t.Literal('a'), t.Integer()]),
})
app.get('/literals', { schema: { response: { 200: Roles } } }, (request) => ({
  roles: request.is404 ? ['admin'] : ['member'],
  pair: ['a', 1],
}))
app.get('/literals', { schema: { response: { 200: Roles } } }, async () => {
  return { roles: ['admin', 'member'], pair: ['a', 1] }
})
expectError(
  app.get('/literals', { schema: { response: { 200: Roles } } }, async () => {
    return { roles: ['root'], pair: ['a', 1] }
  }),
)

// A plain JSON Schema declares a payload as well.
app.get(
  '/json',
  {
    schema: {
      response: {
        200: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
      },
    },
  },
  (_request, reply) => {
    expectAssignable<Sent>(reply.send({ a: 1 }))
    expectError(reply.send({ a: 'x' }))
    return { a: 1 }
  },
)

// What is sent can be awaited; a reply cannot.
app.get('/await', (_request, reply) => {
  expectAssignable<PromiseLike<unknown>>(reply.send(1))
  expectAssignable<PromiseLike<unknown>>(reply.redirect('/x', 301))
  expectError(reply.then)
  return reply
})

// The reply shows what was set.
app.get('/state', (_request, reply) => {
  expectType<number>(reply.statusCode)
  expectType<boolean>(reply.sent)
  expectType<boolean>(reply.hasHeader('x'))
  expectError((reply.statusCode = 1))
  expectError(reply.header(1, 'x'))
  return reply
})

// A reply is only read, so its lists may be readonly.
const List = t.Array(t.Object({ id: t.Integer() }))
declare const fixed: readonly { id: number }[]
declare const wrong: readonly { id: string }[]
app.get('/readonly', { schema: { response: { 200: List } } }, () => fixed)
app.get('/readonly', { schema: { response: { 200: List } } }, async () =>
  Object.freeze([{ id: 1 }]),
)
app.get(
  '/readonly',
  { schema: { response: { 200: List, 404: { list: List } } } },
  (_request, reply) => {
    expectAssignable<Sent>(reply.send(fixed))
    expectAssignable<Sent>(reply.code(404).send({ list: fixed }))
    expectError(reply.send(wrong))
    expectError(reply.code(404).send({ list: wrong }))
    return reply
  },
)
expectError(app.get('/readonly', { schema: { response: { 200: List } } }, () => wrong))
app.get('/readonly', { schema: { response: { 200: t.Tuple([t.Integer(), t.String()]) } } }, () =>
  Object.freeze([1, ''] as const),
)

// A schema in the place of those by status, in each of its forms.
expectError(app.get('/whole', { schema: { response: User } }, () => user))
expectError(app.get('/whole', { schema: { response: t.Ref('user#') } }, () => user))
expectError(app.get('/whole', { schema: { response: t.Any() } }, () => user))
expectError(app.get('/whole', { schema: { response: { type: 'object' } } }, () => user))
expectError(
  app.get('/whole', { schema: { response: { type: 'object', properties: {} } } }, () => user),
)
expectError(app.get('/whole', { schema: { response: { $ref: 'user#' } } }, () => user))
expectError(app.route({ method: 'GET', url: '/w', schema: { response: User }, handler: () => 1 }))

// A status alone is no answer: who returns the reply with it has forgotten to send, and nobody would.
app.get('/unsent', { schema: { response } }, (_request, reply) => reply.code(503).send())
app.get('/unsent', { schema: { response } }, (_request, reply) => {
  reply.code(404).send({ missing: 1 })
  return reply
})
app.get('/unsent', { schema: { response } }, (_request, reply) => {
  setImmediate(() => reply.code(404).send({ missing: 1 }))
  return reply
})
expectError(app.get('/unsent', { schema: { response } }, (_request, reply) => reply.code(404)))
expectError(
  app.get('/unsent', { schema: { response } }, async (_request, reply) => reply.status(404)),
)
expectError(
  app.get('/unsent', { schema: { response } }, async (_request, reply) => {
    if (Math.random() > 0.5) return reply.code(404).header('x-a', 'b')
    return user
  }),
)

// With one of several statuses, a payload has to fit each.
const created = { 200: t.Object({ id: t.Integer() }), 201: t.Object({ id: t.Integer() }) }
declare const isNew: boolean
espalier()
  .get('/a', { schema: { response: created } }, (_request, reply) =>
    reply
      .code(isNew ? 201 : 200)
      .header('x-new', '1')
      .send({ id: 1 }),
  )
  .get('/b', { schema: { response: { ...created, 404: t.Null() } } }, (_request, reply) => {
    expectError(reply.code(isNew ? 201 : 404).send({ id: 1 }))
    expectError(reply.code(isNew ? 201 : 404).send())
    return reply.code(404).send()
  })
  .get('/c', { schema: { response: { '4xx': t.Null() } } }, (_request, reply) =>
    reply.code(isNew ? 404 : 410).send(),
  )
  // Those of proxies are no standard's, but real.
  .get('/proxy', { schema: { response: { '4xx': t.Null(), '5xx': t.Null() } } }, (_, reply) => {
    expectError(reply.code(399).send())
    expectError(reply.code(600).send())
    return isNew ? reply.code(499).send() : reply.code(522).send()
  })
  .get('/d', (_request, reply) => reply.code(isNew ? 404 : 200).send('x'))
