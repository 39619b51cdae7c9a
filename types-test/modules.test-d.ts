// t.Module: test/behaviour/modules.test.ts asks the same of a server. And what no module computes.
import { Type } from '@sinclair/typebox'
import espalier, { t, type Input, type Output, type Payload, type Received } from 'espalier'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import { isAny, type Equal } from './support.js'

const When = t
  .Transform(t.String({ format: 'date-time' }))
  .Decode((text) => new Date(text))
  .Encode((value) => value.toISOString())

// The four views look at what is inside.
const Event = t
  .Module({
    Event: t.Object({
      at: When,
      size: t.Integer({ default: 1 }),
      day: t.String({ format: 'date' }),
    }),
  })
  .Import('Event')
expectType<Equal<Input<typeof Event>, { at: string; size?: number; day: string }>>(true)
expectType<Equal<Output<typeof Event>, { at: Date; size: number; day: string }>>(true)
expectType<Equal<Received<typeof Event>, { at: string; size: number; day: string }>>(true)
expectAssignable<Payload<typeof Event>>({ at: new Date(), day: new Date() })
expectNotAssignable<Payload<typeof Event>>({ at: '2024-01-02T03:04:05Z', size: 1, day: '' })

const app = espalier()
  .addSchema(t.Object({ born: When }, { $id: 'user' }))
  .post('/year', { schema: { body: Event } }, ({ body }) => body.at.getFullYear())
  .get('/one', { schema: { response: { 200: Event } } }, () => ({ at: new Date(), day: '' }))
expectError(app.post('/a', { schema: { body: Event } }, ({ body }) => body.at.slice(0, 4)))
expectError(app.get('/a', { schema: { response: { 200: Event } } }, () => ({ at: '', day: '' })))
expectType<string>((await app.inject('GET /one')).json().at)
expectError(app.inject('POST /year', { body: { at: new Date(), day: '' } }))
await app.inject('POST /year', { body: { at: '', day: '' } })

// References by name, and what is computed of them.
const Calendar = t.Module({
  When,
  Event: t.Object({
    at: t.Ref('When'),
    size: t.Integer({ default: 1 }),
    parts: t.Optional(t.Array(t.Ref('Event'))),
  }),
  Patch: t.Partial(t.Ref('Event')),
  Short: t.Pick(t.Ref('Event'), ['at']),
  Rest: t.Omit(t.Ref('Event'), ['parts']),
  Whole: t.Required(t.Ref('Event')),
  Moment: t.Index(t.Ref('Event'), t.Literal('size')),
  Name: t.KeyOf(t.Ref('Event')),
  Change: t.Object({ old: t.Optional(t.Partial(t.Ref('Short'))) }),
  Log: t.Record(t.String(), t.Ref('When')),
  Maybe: t.Union([t.Ref('When'), t.Null()]),
  Pair: t.Tuple([t.Ref('When'), t.Integer()]),
  Both: t.Intersect([t.Object({ id: t.Integer() }), t.Ref('Short')]),
  Year: t
    .Transform(t.Ref('When'))
    .Decode(() => ({ year: 1 }))
    .Encode(() => new Date()),
})
const CalendarEvent = Calendar.Import('Event')
declare const event: Output<typeof CalendarEvent>
expectType<Date | undefined>(event.parts?.[0]?.parts?.[0]?.at)
expectType<false>(isAny(event.parts?.[0]?.parts?.[0]))
expectError(event.parts?.[0]?.parts?.[0]?.nope)
expectAssignable<Input<typeof CalendarEvent>>({ at: '', parts: [{ at: '', parts: [] }] })
expectNotAssignable<Input<typeof CalendarEvent>>({ at: '', parts: [{ at: '', parts: [{}] }] })
expectAssignable<Payload<typeof CalendarEvent>>({ at: new Date(), parts: [{ at: new Date() }] })
expectNotAssignable<Payload<typeof CalendarEvent>>({ at: new Date(), parts: [{ at: '' }] })

const Patch = Calendar.Import('Patch')
declare const patch: Output<typeof Patch>
expectType<Date | undefined>(patch.at)
expectType<number>(patch.size)
expectType<Date | undefined>(patch.parts?.[0]?.at)
expectAssignable<Input<typeof Patch>>({})
expectNotAssignable<Input<typeof Patch>>({ at: new Date() })

const Short = Calendar.Import('Short')
expectType<Equal<Output<typeof Short>, { at: Date }>>(true)
const Rest = Calendar.Import('Rest')
expectType<Equal<Input<typeof Rest>, { at: string; size?: number }>>(true)
const Whole = Calendar.Import('Whole')
expectNotAssignable<Input<typeof Whole>>({ at: '' })
expectAssignable<Input<typeof Whole>>({ at: '', parts: [{ at: '' }] })
const Moment = Calendar.Import('Moment')
expectType<number>({} as Output<typeof Moment>)
const Name = Calendar.Import('Name')
expectType<'at' | 'size' | 'parts'>({} as Output<typeof Name>)
const Change = Calendar.Import('Change')
expectType<Equal<Output<typeof Change>, { old?: { at?: Date } }>>(true)
const Log = Calendar.Import('Log')
expectType<Date | undefined>(({} as Output<typeof Log>)['a'])
const Maybe = Calendar.Import('Maybe')
expectType<Date | null>({} as Output<typeof Maybe>)
const Pair = Calendar.Import('Pair')
expectType<[Date, number]>({} as Output<typeof Pair>)
const Both = Calendar.Import('Both')
expectAssignable<Payload<typeof Both>>({ id: 1, at: new Date() })
expectNotAssignable<Payload<typeof Both>>({ id: 1, at: '' })
const Year = Calendar.Import('Year')
expectType<{ year: number }>({} as Output<typeof Year>)
expectType<string>({} as Input<typeof Year>)

// The defaults of lists, unions and objects are kept, and what is closed: by themselves, and in what is computed of them.
const Files = t.Module({
  File: t.Object(
    {
      name: t.String(),
      tags: t.Array(t.String(), { default: [] }),
      owner: t.Union([t.String(), t.Integer()], { default: 0 }),
      size: t.Object({ bytes: t.Integer({ default: 0 }) }, { default: {} }),
    },
    { additionalProperties: false },
  ),
  Patch: t.Partial(t.Ref('File')),
  Tagged: t.Pick(t.Ref('File'), ['tags', 'name']),
  Bare: t.Omit(t.Ref('File'), ['name', 'size']),
  Whole: t.Required(t.Ref('Patch')),
  Tags: t.Index(t.Ref('File'), t.Literal('tags')),
  Folder: t.Object({ files: t.Array(t.Ref('File'), { default: [] }) }),
  Named: t.Object({ list: t.Array(t.Integer(), { default: [] }) }, { $id: 'named' }),
})
const File = Files.Import('File')
expectType<
  Equal<
    Input<typeof File>,
    { name: string; tags?: string[]; owner?: string | number; size?: { bytes?: number } }
  >
>(true)
expectType<
  Equal<
    Output<typeof File>,
    { name: string; tags: string[]; owner: string | number; size: { bytes: number } }
  >
>(true)
const FilePatch = Files.Import('Patch')
expectType<
  Equal<
    Output<typeof FilePatch>,
    { name?: string; tags: string[]; owner: string | number; size: { bytes: number } }
  >
>(true)
const Tagged = Files.Import('Tagged')
expectType<Equal<Input<typeof Tagged>, { tags?: string[]; name: string }>>(true)
expectType<Equal<Output<typeof Tagged>, { tags: string[]; name: string }>>(true)
const Bare = Files.Import('Bare')
expectAssignable<Input<typeof Bare>>({})
expectNotAssignable<Input<typeof Bare>>({ tags: [1] })
const Tags = Files.Import('Tags')
expectType<string[]>({} as Output<typeof Tags>)
const Folder = Files.Import('Folder')
expectAssignable<Input<typeof Folder>>({ files: [{ name: '' }] })
expectNotAssignable<Input<typeof Folder>>({ files: [{}] })
for (const schema of [File, FilePatch, Tagged] as const) {
  app.get('/file', { schema: { response: { 200: schema } } }, () => ({ name: '' }))
}
expectError(
  app.get('/f', { schema: { response: { 200: File } } }, () => ({ name: '', secret: '' })),
)
expectError(
  app.get('/f', { schema: { response: { 200: FilePatch } } }, () => ({ name: '', secret: '' })),
)
expectError(
  app.get('/f', { schema: { response: { 200: Tagged } } }, () => ({ name: '', secret: '' })),
)
// What is computed of what was computed has the types of TypeBox, and so has what has an `$id`, which a module does not keep.
const FileWhole = Files.Import('Whole')
expectType<string[]>(({} as Output<typeof FileWhole>).tags)
const Named = Files.Import('Named')
expectType<number[]>(({} as Output<typeof Named>).list)

// A recursion that is an entry, and what is computed of it.
const Family = t.Module({
  When,
  Tree: t.Recursive((This) =>
    t.Object({ born: t.Ref('When'), size: t.Integer({ default: 1 }), kids: t.Array(This) }),
  ),
  Some: t.Partial(t.Ref('Tree')),
})
const Tree = Family.Import('Tree')
declare const tree: Output<typeof Tree>
expectType<Date | undefined>(tree.kids[0]?.kids[0]?.born)
expectType<number | undefined>(tree.kids[0]?.kids[0]?.size)
expectType<false>(isAny(tree.kids[0]))
expectError(tree.kids[0]?.kids[0]?.nope)
expectAssignable<Input<typeof Tree>>({ born: '', kids: [{ born: '', kids: [] }] })
expectNotAssignable<Input<typeof Tree>>({ born: '', kids: [{ born: '' }] })
expectAssignable<Payload<typeof Tree>>({ born: new Date(), kids: [{ born: new Date(), kids: [] }] })
expectNotAssignable<Payload<typeof Tree>>({ born: new Date(), kids: [{ born: '', kids: [] }] })
const Some = Family.Import('Some')
declare const someTree: Output<typeof Some>
expectType<Date | undefined>(someTree.kids?.[0]?.kids?.[0]?.born)
expectAssignable<Input<typeof Some>>({ kids: [{}] })
expectNotAssignable<Input<typeof Some>>({ kids: [{ born: 1 }] })
app.post(
  '/tree',
  { schema: { body: Tree, response: { 200: Tree } } },
  ({ body }) => body.kids[0] ?? body,
)
expectError(app.post('/a', { schema: { response: { 200: Tree } } }, () => ({ kids: [] })))

// Of TypeBox's own builder.
const Own = Type.Module({ At: When, Own: Type.Object({ at: Type.Ref('At') }) }).Import('Own')
expectType<Equal<Output<typeof Own>, { at: Date }>>(true)

// Inside of other schemas, and shared.
app.post(
  '/inside',
  { schema: { body: { event: Event, list: t.Array(Short) } } },
  ({ body }) => body.event.at.getTime() + (body.list[0]?.at.getTime() ?? 0),
)
app
  .addSchema('event', CalendarEvent)
  .post('/shared', { schema: { body: t.Ref('event#') } }, ({ body }) => {
    expectType<Date | undefined>(body.parts?.[0]?.at)
    return 1
  })

// A module may name shared schemas of the scope, but its own names come before them.
const Team = t.Module({ Team: t.Object({ lead: t.Ref('user#') }) }).Import('Team')
app.post('/team', { schema: { body: Team } }, ({ body }) => body.lead.born.getTime())
expectError(espalier().post('/team', { schema: { body: Team } }, () => 1))
const Mine = t.Module({ user: t.Integer(), Team: t.Object({ lead: t.Ref('user') }) })
app.post('/mine', { schema: { body: Mine.Import('Team') } }, ({ body }) => {
  expectType<number>(body.lead)
  return 1
})

// Nothing computes what is made of a reference elsewhere.
const some = t.Partial(t.Ref('user#'))
expectError(app.post('/some', { schema: { body: some } }, () => 1))
expectError(app.post('/some', { schema: { querystring: some } }, () => 1))
expectError(app.post('/some', { schema: { body: { user: t.Optional(some) } } }, () => 1))
expectError(app.post('/some', { schema: { body: t.Object({ user: t.Array(some) }) } }, () => 1))
expectError(app.get('/some', { schema: { response: { 200: some } } }, () => ({})))
expectError(
  app.get('/some', { schema: { response: { 200: t.Pick(t.Ref('user#'), ['born']) } } }, () => ({})),
)
const content = { 'application/json': { schema: t.Omit(t.Ref('user#'), ['born']) } }
expectError(app.post('/some', { schema: { body: { content } } }, () => 1))
expectError(
  app.post(
    '/some',
    { schema: { body: { type: 'array', items: t.KeyOf(t.Ref('user#')) } } },
    () => 1,
  ),
)
expectError(app.addSchema('some', some))
// A module does not look into a recursion.
const Hidden = t.Module({
  Id: t.Object({ id: t.Integer() }),
  Tree: t.Object({
    root: t.Recursive((This) => t.Object({ id: t.Partial(t.Ref('Id')), kids: t.Array(This) })),
  }),
})
expectError(app.post('/some', { schema: { body: Hidden.Import('Tree') } }, () => 1))
// Of the schema itself it is made at once.
app.post(
  '/some',
  { schema: { body: t.Partial(t.Object({ born: When })), response: { 200: t.Ref('user#') } } },
  ({ body }) => ({ born: body.born ?? new Date() }),
)
