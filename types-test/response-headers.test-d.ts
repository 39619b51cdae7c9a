// Headers that a response entry declares are typed where a handler sets them; all others are free.
import espalier, { t, type HeaderValue, type RawReply, type Sent } from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const Count = t.Integer({ $id: 'count' })
const app = espalier().addSchema(Count).decorateReply('ok', true)
const text = { 'text/plain': { schema: t.String() } }
const response = {
  200: {
    description: 'words',
    headers: {
      'X-Count': t.Integer(),
      'x-kind': t.Union([t.Literal('a'), t.Literal('b')]),
      'x-total': t.Ref('count#'),
      'x-at': t.String({ format: 'date-time' }),
      'x-ok': t.Boolean(),
      'x-list': t.Array(t.String()),
      'x-any': { description: 'words' },
    },
    content: { 'application/json': { schema: t.Object({ a: t.Integer() }) }, ...text },
  },
  404: { headers: { 'x-count': t.String() }, content: text },
  '4xx': { message: t.String() },
} as const

// A declared header takes what its schema says, in whatever case it is written.
app.get('/a', { schema: { response } }, (_request, reply) => {
  expectType<false>(isAny(reply.header('x-count', 1)))
  const ok = reply.code(200)
  expectAssignable<Sent>(ok.header('x-count', 1).header('X-COUNT', 2).send({ a: 1 }))
  expectError(ok.header('x-count', '1'))
  expectError(ok.header('X-Count', '1'))
  expectError(ok.header('x-count', ['1']))
  expectAssignable<RawReply>(ok.header('x-kind', 'a'))
  expectError(ok.header('x-kind', 'c'))
  expectAssignable<RawReply>(ok.header('x-total', 1).header('x-total', 'by reference'))
  expectError(ok.header('x-total', {}))
  return { a: 1 }
})

// What is sent is text: nothing encodes it.
app.get('/a', { schema: { response } }, (_request, reply) => {
  expectAssignable<RawReply>(reply.header('x-at', new Date().toISOString()))
  expectError(reply.header('x-at', new Date()))
  expectAssignable<RawReply>(reply.header('x-ok', 'true'))
  expectError(reply.header('x-ok', 'yes'))
  expectError(reply.header('x-ok', true))
  expectAssignable<RawReply>(reply.header('x-list', ['a', 'b']))
  expectError(reply.header('x-list', 'a'))
  expectAssignable<RawReply>(reply.header('x-any', 1))
  expectError(reply.header('x-any', {}))
  return { a: 1 }
})

// Until a status is set the schema of any entry will do; then it is that of its own.
app.get('/a', { schema: { response } }, (_request, reply) => {
  expectAssignable<RawReply>(reply.header('x-count', 1).header('x-count', '1'))
  expectError(reply.header('x-count', ['1']))
  expectAssignable<Sent>(reply.code(404).header('x-count', '1').send('text'))
  expectError(reply.code(404).header('x-count', 1))
  expectAssignable<RawReply>(reply.code(404).header('x-kind', 'free').header('x-count', '1'))
  expectAssignable<RawReply>(reply.code(400).header('x-count', ['any', 'thing']))
  return { a: 1 }
})

// Names that no entry declares are free, and so are those that the compiler does not know.
declare const name: string
declare const value: HeaderValue
app.get('/a', { schema: { response } }, (_request, reply) => {
  expectAssignable<RawReply>(reply.header('x-other', value).header(name, value).header('x-empty'))
  expectError(reply.header('x-other', {}))
  expectError(reply.header(name, {}))
  expectError(reply.header(1, ''))
  return { a: 1 }
})

// Several at once.
declare const several: Record<string, HeaderValue | undefined>
app.get('/a', { schema: { response } }, (_request, reply) => {
  expectAssignable<RawReply>(
    reply.code(200).headers({ 'x-count': 1, 'x-kind': 'a', 'x-other': 'x' }),
  )
  expectAssignable<RawReply>(
    reply.headers({ 'x-count': undefined, 'x-other': ['x'] }).headers(several),
  )
  expectError(reply.code(200).headers({ 'x-count': '1' }))
  expectError(reply.code(200).headers({ 'x-count': 1, 'x-kind': 'c' }))
  expectError(reply.headers({ 'x-other': {} }))
  return { a: 1 }
})

// Setting a header keeps status and type, and the decorators of the scope.
app.get('/a', { schema: { response } }, (_request, reply) => {
  expectType<boolean>(reply.header('x-count', 1).ok)
  expectError(reply.code(404).header('x-count', '1').send({ a: 1 }))
  expectError(reply.type('text/plain').headers({ 'x-count': 1 }).send({ a: 1 }))
  return reply.type('text/plain').header('x-count', 1).send('text')
})

// Headers stand beside the keywords of a full schema too.
const full = {
  200: { type: 'object', properties: { a: { type: 'integer' } }, headers: { 'x-n': t.Integer() } },
  202: { ...t.Object({ b: t.Integer() }), headers: { 'x-n': t.Integer() } },
} as const
app.get('/b', { schema: { response: full } }, (_request, reply) => {
  expectAssignable<Sent>(reply.header('x-n', 1).send({ a: 1 }))
  expectAssignable<Sent>(reply.code(202).header('x-n', 1).send({ b: 1 }))
  expectError(reply.header('x-n', 'x'))
  expectError(reply.code(202).header('x-n', 'x'))
  expectError(reply.code(202).send({ b: 'x' }))
  return { a: 1 }
})

// An entry of headers alone has no payload.
const moved = { 302: { description: 'elsewhere', headers: { location: t.String() } } }
app.get('/c', { schema: { response: moved } }, (_request, reply) => {
  expectError(reply.code(302).header('location', 1))
  expectError(reply.code(302).send({}))
  expectError(reply.send())
  return reply.code(302).header('location', '/x').send()
})
app.get('/c', { schema: { response: { 200: moved[302] } } }, () => null)
expectError(app.get('/c', { schema: { response: { 200: moved[302] } } }, () => ({})))
expectError(app.get('/c', { schema: { response: moved } }, () => null))
expectError(app.get('/c', { schema: { response: moved } }, async () => {}))

// Nor has one of a description alone. In a short form `description` is a property, whose schema is no text.
const described = { 200: { description: t.String() }, 204: { description: 'gone' } } as const
app.get('/c', { schema: { response: described } }, (_request, reply) => {
  expectAssignable<Sent>(reply.send({ description: '' }))
  expectAssignable<Sent>(reply.code(204).send())
  expectError(reply.send())
  expectError(reply.code(204).send({}))
  return { description: '' }
})
app.get('/c', { schema: { response: { 200: described[204] } } }, () => null)
expectError(app.get('/c', { schema: { response: { 200: described[204] } } }, () => ({})))
app.get('/c', { schema: { response: { 200: t.Any({ description: '' }) } } }, () => ({ a: 1 }))

// In a short form `headers` is a property.
const short = { 200: { headers: t.Object({ a: t.Integer() }) }, 201: { headers: {}, a: t.Null() } }
app.get('/d', { schema: { response: short } }, (_request, reply) => {
  expectAssignable<RawReply>(reply.header('a', value))
  expectAssignable<Sent>(reply.code(201).header('a', value).send({ headers: 1, a: null }))
  expectError(reply.send())
  return { headers: { a: 1 } }
})
expectError(app.get('/d', { schema: { response: short } }, () => null))

// A reference to no schema is an error, there too.
const Missing = { headers: { 'x-n': t.Ref('nope#') }, content: text }
expectError(app.get('/e', { schema: { response: { 200: Missing } } }, () => ''))
expectError(
  app.get('/e', { schema: { response: { 204: { headers: Missing.headers } } } }, (_, reply) =>
    reply.code(204).send(),
  ),
)

// A client receives what the entry says.
const asked = app.get('/f', { schema: { response: moved } }, (_request, reply) =>
  reply.redirect('/x'),
)
expectType<302>((await asked.inject('GET /f')).statusCode)
expectError((await asked.inject('GET /f')).json())

// Where nothing is declared, and where nothing has a type, all is free.
declare const anything: any
app.get('/g', (_request, reply) => {
  expectAssignable<RawReply>(reply.header('x-count', value).headers({ 'x-count': value }))
  return reply
})
app.get('/g', { schema: { response: anything } }, (_request, reply) => reply.header('a', value))
app.get('/g', { schema: { response: { 200: anything } } }, (_r, reply) => reply.header('a', value))
expectError(app.get('/g', (_request, reply) => reply.header('x-count', {})))
