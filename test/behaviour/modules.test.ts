// t.Module: what types-test/modules.test-d.ts says of types, asked of a server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { t } from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

const iso = '2020-01-02T03:04:05.000Z'
const date = new Date(iso)
const When = t
  .Transform(t.String({ format: 'date-time' }))
  .Decode((text) => new Date(text))
  .Encode((value) => value.toISOString())

const Calendar = t.Module({
  When,
  Event: t.Object({
    at: t.Ref('When'),
    size: t.Integer({ default: 1 }),
    day: t.Optional(t.String({ format: 'date' })),
    parts: t.Optional(t.Array(t.Ref('Event'))),
  }),
  Patch: t.Partial(t.Ref('Event')),
  Short: t.Pick(t.Ref('Event'), ['at']),
  Rest: t.Omit(t.Ref('Event'), ['parts', 'day']),
  Moment: t.Index(t.Ref('Event'), t.Literal('size')),
  Change: t.Object({
    old: t.Optional(t.Partial(t.Ref('Event'))),
    new: t.Readonly(t.Pick(t.Ref('Event'), ['at', 'size'])),
  }),
})

/** What a handler reads of a body, and what is sent when it replies with that. */
async function roundTrip(schema: object, payload: unknown, shared: readonly object[] = []) {
  const app = untyped()
  let read: unknown
  for (const each of shared) app.addSchema(each)
  app.post('/', { schema: { body: schema, response: { 200: schema } } }, ({ body }, reply) => {
    read = body
    return reply.send(body)
  })
  const headers = { 'content-type': 'application/json' }
  const given = { method: 'POST', url: '/', headers, payload: JSON.stringify(payload) } as const
  const response = await app.inject(given)
  assert.equal(response.statusCode, 200, response.payload)
  return { read, sent: response.json<unknown>() }
}

test('a transform in a module was text in types, so that a handler that compiled was a 500', async () => {
  const Event = t
    .Module({ Event: t.Object({ at: When, size: t.Integer({ default: 1 }) }) })
    .Import('Event')
  const app = espalier()
    .post('/year', { schema: { body: Event } }, ({ body }) => body.at.getUTCFullYear())
    .get('/one', { schema: { response: { 200: Event } } }, () => ({ at: date }))
  assert.equal((await app.inject('POST /year', { body: { at: iso } })).json(), 2020)
  assert.deepEqual((await app.inject('GET /one')).json(), { at: iso, size: 1 })
})

test('the schemas of a module refer to each other by name, and to themselves', async () => {
  const event = { at: iso, size: 1, parts: [{ at: iso, size: 2 }] }
  const read = { at: date, size: 1, parts: [{ at: date, size: 2 }] }
  const Event = Calendar.Import('Event')
  assert.deepEqual(await roundTrip(Event, event), { read, sent: event })
  const inside = t.Object({ event: Event })
  assert.deepEqual(await roundTrip(inside, { event }), { read: { event: read }, sent: { event } })
})

test('what a module computes of a reference is decoded and encoded as what it was computed of', async () => {
  const patch = { size: 1, parts: [{ at: iso, size: 1 }] }
  assert.deepEqual(await roundTrip(Calendar.Import('Patch'), patch), {
    read: { size: 1, parts: [{ at: date, size: 1 }] },
    sent: patch,
  })
  const short = { read: { at: date }, sent: { at: iso } }
  assert.deepEqual(await roundTrip(Calendar.Import('Short'), { at: iso }), short)
  assert.deepEqual(await roundTrip(Calendar.Import('Rest'), { at: iso }), {
    read: { at: date, size: 1 },
    sent: { at: iso, size: 1 },
  })
  assert.deepEqual(await roundTrip(Calendar.Import('Moment'), 2), { read: 2, sent: 2 })
})

// TypeBox leaves its own words beside the result, which ajv did not know.
test('what a module computes for an optional or readonly field was a boot error: unknown keyword "target"', async () => {
  const change = { old: { size: 2 }, new: { at: iso, size: 1 } }
  assert.deepEqual(await roundTrip(Calendar.Import('Change'), change), {
    read: { old: { size: 2 }, new: { at: date, size: 1 } },
    sent: change,
  })
})

test('a module may refer to shared schemas, and a shared schema may be of a module', async () => {
  const user = t.Object({ born: When }, { $id: 'user' })
  const Team = t.Module({ Team: t.Object({ lead: t.Ref('user#') }) }).Import('Team')
  const sent = { lead: { born: iso } }
  assert.deepEqual(await roundTrip(Team, sent, [user]), { read: { lead: { born: date } }, sent })
  const app = espalier()
    .addSchema('event', Calendar.Import('Event'))
    .post('/', { schema: { body: t.Ref('event#') } }, ({ body }) => body.at.getUTCFullYear())
  assert.equal((await app.inject('POST /', { body: { at: iso } })).json(), 2020)
})

test('a name of a module meant a shared schema of that name, or the schema of another module', async () => {
  const Other = t.Module({ When: t.Integer(), Event: t.Object({ at: t.Ref('When') }) })
  const [Short, Event] = [Calendar.Import('Short'), Other.Import('Event')]
  const both = t.Object({ one: Short, other: Event })
  const sent = { one: { at: iso }, other: { at: 1 } }
  const read = { one: { at: date }, other: { at: 1 } }
  const shared = t.Object({ foreign: t.Boolean() }, { $id: 'When' })
  assert.deepEqual(await roundTrip(both, sent, [shared]), { read, sent })
})

// A module names its entries anew, and the `This` inside of one has the old name.
test("a t.Recursive as an entry of a module was a boot error: no schema 'T0'", async () => {
  const Family = t.Module({
    When,
    Tree: t.Recursive((This) => t.Object({ born: t.Ref('When'), kids: t.Array(This) })),
    Named: t.Recursive((This) => t.Object({ all: t.Array(This) }), { $id: 'When' }),
    Some: t.Partial(t.Ref('Tree')),
    Two: t.Tuple([t.Ref('Tree'), t.Recursive((This) => t.Object({ next: t.Optional(This) }))]),
    Outer: t.Recursive((Outer) =>
      t.Object({ inner: t.Optional(t.Recursive((Inner) => t.Array(t.Tuple([Outer, Inner])))) }),
    ),
  })
  const sent = { born: iso, kids: [{ born: iso, kids: [] }] }
  const read = { born: date, kids: [{ born: date, kids: [] }] }
  const Tree = Family.Import('Tree')
  assert.deepEqual(await roundTrip(Tree, sent), { read, sent })
  const inside = t.Object({ tree: Tree })
  assert.deepEqual(await roundTrip(inside, { tree: sent }), {
    read: { tree: read },
    sent: { tree: sent },
  })
  const lists = { all: [{ all: [] }, { all: [] }] }
  assert.deepEqual(await roundTrip(Family.Import('Named'), lists), { read: lists, sent: lists })
  assert.deepEqual(await roundTrip(Family.Import('Some'), { kids: [{ born: iso }] }), {
    read: { kids: [{ born: date }] },
    sent: { kids: [{ born: iso }] },
  })
  const next = { next: { next: {} } }
  assert.deepEqual(await roundTrip(Family.Import('Two'), [sent, next]), {
    read: [read, next],
    sent: [sent, next],
  })
  const outer = { inner: [[{ inner: [] }, []]] }
  assert.deepEqual(await roundTrip(Family.Import('Outer'), outer), { read: outer, sent: outer })
})

test('a recursion in a module refuses on each level what it does not describe', async () => {
  const Tree = t
    .Module({ Tree: t.Recursive((This) => t.Object({ n: t.Integer(), kids: t.Array(This) })) })
    .Import('Tree')
  const app = untyped().post('/', { schema: { body: Tree } }, () => 1)
  const body = { n: 1, kids: [{ n: 1, kids: [{ n: 'a', kids: [] }] }] }
  const response = await app.inject({ method: 'POST', url: '/', body })
  assert.equal(response.json<{ message: string }>().message, 'body/kids/0/kids/0/n must be integer')
})

test('the defaults of lists and objects in a module were to be given, in what is computed of them, too', async () => {
  const Files = t.Module({
    File: t.Object(
      {
        name: t.String(),
        tags: t.Array(t.String(), { default: [] }),
        size: t.Object({ bytes: t.Integer({ default: 0 }) }, { default: {} }),
      },
      { additionalProperties: false },
    ),
    Patch: t.Partial(t.Ref('File')),
    Tagged: t.Pick(t.Ref('File'), ['tags', 'name']),
  })
  const File = Files.Import('File')
  const Patch = Files.Import('Patch')
  const Tagged = Files.Import('Tagged')
  const app = espalier()
    .post('/file', { schema: { body: File } }, ({ body }) => [body.tags.length, body.size.bytes])
    .post('/patch', { schema: { body: Patch } }, ({ body }) => [body.tags.length, body.size.bytes])
    .get('/file', { schema: { response: { 200: File } } }, () => ({ name: 'a' }))
    .get('/tagged', { schema: { response: { 200: Tagged } } }, () => ({ name: 'a' }))
    // @ts-expect-error -- the schema is closed
    .get('/more', { schema: { response: { 200: Patch } } }, () => ({ name: 'a', secret: 1 }))
  assert.deepEqual((await app.inject('POST /file', { body: { name: 'a' } })).json(), [0, 0])
  assert.deepEqual((await app.inject('POST /patch', { body: {} })).json(), [0, 0])
  const filled = { name: 'a', tags: [], size: { bytes: 0 } }
  assert.deepEqual((await app.inject('GET /file')).json(), filled)
  assert.deepEqual((await app.inject('GET /tagged')).json(), { name: 'a', tags: [] })
  assert.deepEqual((await app.inject({ url: '/more' })).json(), filled)
})
