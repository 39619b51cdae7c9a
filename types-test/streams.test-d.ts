// Handlers that give items: what each item may be, and where an iterable may stand.
import { Readable } from 'node:stream'
import espalier, { event, t, type StreamEvent } from 'espalier'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import * as z from 'zod'

const Tick = t.Object({ n: t.Integer(), kind: t.Union([t.Literal('a'), t.Literal('b')]) })
const Closed = t.Object({ n: t.Integer() }, { additionalProperties: false })
const app = espalier().addSchema('tick', Tick)

const events = {
  response: { 200: { content: { 'text/event-stream': { itemSchema: Tick } } } },
} as const
const lines = {
  response: { 200: { content: { 'application/jsonl': { itemSchema: t.Ref('tick') } } } },
} as const
const closed = {
  response: { 200: { content: { 'text/event-stream': { itemSchema: Closed } } } },
} as const
const both = {
  response: {
    200: { content: { ...events.response[200].content, 'application/json': { schema: Tick } } },
  },
} as const
const found = { response: { 200: Tick } } as const

async function* ticks() {
  yield { n: 1, kind: 'a' as const }
}

// The items are typed by their schema, in all forms of a handler.
app.get('/', { schema: events }, async function* () {
  yield { n: 1, kind: 'a' }
})
app.get('/', {
  schema: events,
  handler: async function* () {
    yield { n: 1, kind: 'a' }
  },
})
app.get('/', { schema: events }, async function* ({ headers }) {
  expectType<string | string[] | undefined>(headers['last-event-id'])
  yield { n: 1, kind: 'b' }
})
app.get('/', { schema: events }, function* () {
  yield { n: 1, kind: 'a' }
})
app.get('/', { schema: lines }, () => ticks())
app.get('/', { schema: lines }, async () => ticks())
app.get('/', { schema: lines }, (_request, reply) => reply.send(ticks()))
app.get('/', { schema: both }, ({ id }) => (id === '' ? ticks() : { n: 1, kind: 'a' as const }))
app.get('/', { schema: both }, (_request, reply) => {
  expectError(reply.type('text/event-stream').send({ n: 1, kind: 'a' }))
  expectError(reply.type('application/json').send(ticks()))
  return reply.type('text/event-stream').send(ticks())
})
const dates = t.Object({ at: t.String({ format: 'date-time' }) })
app.get(
  '/',
  { schema: { response: { 200: { content: { 'application/x-ndjson': { itemSchema: dates } } } } } },
  async function* () {
    yield { at: new Date() }
  },
)
const Zod = z.object({ n: z.number() })
const standard = {
  response: { 200: { content: { 'text/event-stream': { itemSchema: Zod } } } },
} as const
app.get('/', { schema: standard }, async function* () {
  yield { n: 1 }
})
expectError(
  app.get('/', { schema: standard }, async function* () {
    yield { n: '1' }
  }),
)

// A wrong item.
expectError(
  app.get('/', { schema: events }, async function* () {
    yield { n: '1', kind: 'a' }
  }),
)
expectError(
  app.get('/', { schema: events }, async function* () {
    yield { n: 1 }
  }),
)
expectError(
  app.get('/', { schema: lines }, function* () {
    yield { n: 1, kind: 'c' }
  }),
)
expectError(
  app.get('/', { schema: events }, async function* () {
    yield { n: 1, kind: 'a' as const }
    yield 'the end'
  }),
)
expectError(app.get('/', { schema: events }, (_request, reply) => reply.send([{ n: 1 }].values())))

// A field that a closed object does not have.
app.get('/', { schema: closed }, async function* () {
  yield { n: 1 }
  yield event({ n: 1 })
})
expectError(
  app.get('/', { schema: closed }, async function* () {
    yield { n: 1, more: 1 }
  }),
)
expectError(
  app.get('/', { schema: closed }, async function* () {
    yield event({ n: 1, more: 1 })
  }),
)

// Events with fields.
app.get('/', { schema: events }, async function* () {
  yield event({ n: 1, kind: 'a' }, { id: 1, event: 'tick', retry: 5, comment: 'x' })
  yield event(undefined, { comment: 'no data' })
  yield { n: 1, kind: 'a' as const }
})
expectType<StreamEvent<never>>(event(undefined, { id: 'a' }))
expectType<StreamEvent<{ readonly n: 1 }>>(event({ n: 1 }))
expectError(event(1, { id: true }))
expectError(event(1, { name: 'tick' }))
expectError(
  app.get('/', { schema: events }, async function* () {
    yield event({ n: '1', kind: 'a' })
  }),
)
// Lines of JSON have no fields, and an object with the fields of an event is an item.
expectError(
  app.get('/', { schema: lines }, async function* () {
    yield event({ n: 1, kind: 'a' })
  }),
)
expectError(
  app.get('/', { schema: events }, async function* () {
    yield { data: { n: 1, kind: 'a' }, id: 1 }
  }),
)

// A stream where there is none, and what is no stream where there is one.
expectError(
  app.get('/', { schema: found }, async function* () {
    yield { n: 1, kind: 'a' }
  }),
)
expectError(app.get('/', { schema: events }, () => ({ n: 1, kind: 'a' })))
expectError(app.get('/', { schema: events }, () => [{ n: 1, kind: 'a' }]))
expectError(app.get('/', { schema: events }, () => 'data: 1\n\n'))
// A stream of Node or of the web is sent as it is, and so is none of items.
expectError(app.get('/', { schema: events }, () => Readable.from([{ n: 1, kind: 'a' }])))
expectError(app.get('/', { schema: events }, () => new ReadableStream<{ n: 1; kind: 'a' }>()))

// Without a schema an iterable gives text or bytes.
app.get('/', async function* () {
  yield 'a'
  yield Buffer.from('b')
})
app.get('/', () => Readable.from(['a']))
app.get('/', async (_request, reply) => reply.type('text/csv').send(['a', 'b'].values()))
expectError(
  app.get('/', async function* () {
    yield { n: 1 }
  }),
)
expectError(app.get('/', () => ticks()))
expectError(app.get('/', async (_request, reply) => reply.send(ticks())))
expectError(app.get('/', () => [1, 2].values()))

// Mistakes in the schema.
const of = <const Content>(content: Content) => ({ response: { 200: { content } } }) as const
expectError(app.get('/', { schema: of({ 'text/csv': { itemSchema: Tick } }) }, () => ticks()))
expectError(
  app.get('/', { schema: of({ 'application/jsonl': { itemSchema: { type: 'objet' } } }) }, () =>
    ticks(),
  ),
)
expectError(
  app.get('/', { schema: of({ 'application/jsonl': { itemSchema: t.Ref('tock') } }) }, () =>
    ticks(),
  ),
)
expectError(
  app.get('/', { schema: of({ 'application/jsonl': { itemSchema: Tick, schema: Tick } }) }, () =>
    ticks(),
  ),
)
expectError(
  app.post(
    '/',
    { schema: { body: { content: { 'application/jsonl': { itemSchema: Tick } } } } },
    () => '',
  ),
)

// The option of the factory.
espalier({ heartbeatInterval: 0 })
expectError(espalier({ heartbeatInterval: '15s' }))
expectAssignable<StreamEvent<unknown>>(event(1))
expectNotAssignable<StreamEvent<number>>({ data: 1 })
