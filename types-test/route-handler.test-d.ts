// A route is declared in a short or a full form; its handler reads what its schema describes.
import espalier, {
  defineRoute,
  t,
  type RawQuery,
  type RefusedRequest,
  type ValidationError,
} from 'espalier'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier().decorateRequest('answer', 42)

// The short form: a path and a handler.
app.get('/short', function (request, reply) {
  expectType<false>(isAny(this))
  expectType<false>(isAny(request))
  expectType<false>(isAny(reply))
  expectType<number>(request.answer)
  expectError(request.question)
  return 1
})

// With options between the two.
app.get('/between', { schema: { querystring: { q: t.String() } } }, function (request, reply) {
  expectType<false>(isAny(this))
  expectType<false>(isAny(reply))
  expectType<{ q: string }>(request.query)
  expectError(request.query.p)
  return 1
})

// With the handler among the options.
app.get('/inside', {
  schema: { querystring: { q: t.String() } },
  handler(request, reply) {
    expectType<false>(isAny(this))
    expectType<false>(isAny(reply))
    expectType<{ q: string }>(request.query)
    expectType<number>(request.answer)
    expectError(request.query.p)
    return 1
  },
})

// The full form.
app.route({
  method: 'POST',
  url: '/full/:id',
  schema: { querystring: { q: t.String() }, body: { n: t.Integer() } },
  handler(request, reply) {
    expectType<false>(isAny(this))
    expectType<false>(isAny(reply))
    expectType<{ id: string }>(request.params)
    expectType<{ q: string }>(request.query)
    expectType<{ n: number }>(request.body)
    expectType<number>(request.answer)
    expectError(request.body.m)
    return 1
  },
})

// It has one path, a method and a handler.
expectError(app.route({ method: 'GET', handler: () => 1 }))
expectError(app.route({ method: 'GET', url: undefined, handler: () => 1 }))
expectError(app.route({ method: 'GET', url: 1, handler: () => 1 }))
expectError(app.route({ url: '/x', handler: () => 1 }))
expectError(app.route({ method: 'GET', url: '/x' }))
expectError(app.route({ method: 'GET', url: '/x', handler: undefined }))
expectError(defineRoute({ method: 'GET', handler: () => 1 }))
expectError(defineRoute({ url: '/x', handler: () => 1 }))
expectError(defineRoute({ method: 'GET', url: '/x' }))
expectError(app.route({ method: 'GET', url: '/x', path: '/x', handler: () => 1 }))
expectError(defineRoute({ method: 'GET', url: '/x', path: '/y', handler: () => 1 }))
expectError(app.route(defineRoute({ method: 'GET', url: 1, handler: () => 1 })))
for (const url of ['/a/:id', '/b/:id'] as const) {
  app.route({ method: 'GET', url, handler: (request) => request.params.id.length })
}
expectError(app.get(1, () => 1))
expectError(app.get('/x', 1))

// Options that do not exist are refused.
expectError(app.get('/x', { shema: {} }, () => 1))
expectError(app.route({ method: 'GET', url: '/x', shema: {}, handler: () => 1 }))

// All four parts are typed by their schemas, in all their forms.
app.post(
  '/parts/:id',
  {
    schema: {
      params: t.Object({ id: t.Integer() }),
      querystring: { page: t.Integer({ default: 1 }) },
      headers: { 'x-count': t.Integer() },
      body: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  },
  (request) => {
    expectType<false>(isAny(request.params))
    expectType<false>(isAny(request.query))
    expectType<false>(isAny(request.headers))
    expectType<false>(isAny(request.body))
    expectType<{ id: number }>(request.params)
    expectType<{ page: number }>(request.query)
    expectType<number>(request.headers['x-count'])
    expectType<{ name: string }>(request.body)
    expectError(request.params.name)
    expectError(request.query.name)
    expectError(request.body.nmae)
    return 1
  },
)

// Parts without a schema have what the framework knows of them, and no `any`.
app.post('/raw', (request) => {
  expectType<Record<string, string | string[] | undefined>>(request.query)
  expectType<IncomingHttpHeaders>(request.headers)
  expectType<unknown>(request.body)
  expectError(request.body.name)
  expectError(request.query['q']?.name)
  return 1
})

// `query` is another name of `querystring`.
app.get('/query', { schema: { query: { page: t.Integer() } } }, ({ query }) => {
  expectType<{ page: number }>(query)
  expectError(query.size)
  return 1
})

// Headers that the schema names are typed by it; the others stay as Node gives them.
app.get('/headers', { schema: { headers: { 'x-n': t.Integer() } } }, ({ headers }) => {
  expectType<number>(headers['x-n'])
  expectType<string | undefined>(headers.authorization)
  expectType<string[] | undefined>(headers['set-cookie'])
  expectType<number | string | string[] | undefined>(headers['x-other'])
  expectError<string>(headers['x-other'])
  return 1
})

// A body is typed where it is validated: on POST, PUT and PATCH.
const withBody = { schema: { body: { n: t.Integer() } } }
app.post('/body', withBody, ({ body }) => {
  expectType<{ n: number }>(body)
  expectError(body.m)
  return 1
})
app.put('/body', withBody, ({ body }) => {
  expectType<{ n: number }>(body)
  return 1
})
app.patch('/body', withBody, ({ body }) => {
  expectType<{ n: number }>(body)
  return 1
})

// Elsewhere its schema is but documentation.
app.delete('/body', withBody, ({ body }) => {
  expectType<unknown>(body)
  expectError(body.n)
  return 1
})
app.options('/body', withBody, ({ body }) => {
  expectType<unknown>(body)
  expectError(body.n)
  return 1
})

// Where requests have no body a schema for it is a mistake.
expectError(app.get('/body', withBody, () => 1))
expectError(app.head('/body', withBody, () => 1))
expectError(app.all('/body', withBody, () => 1))
expectError(app.route({ method: 'GET', url: '/body', ...withBody, handler: () => 1 }))
expectError(app.route({ method: ['GET', 'POST'], url: '/body', ...withBody, handler: () => 1 }))

// Of several methods, all have to validate a body for it to be typed.
app.route({
  method: ['POST', 'put'],
  url: '/several',
  ...withBody,
  handler: ({ body }) => {
    expectType<{ n: number }>(body)
    expectError(body.m)
    return 1
  },
})
app.route({
  method: ['POST', 'DELETE'],
  url: '/several',
  ...withBody,
  handler: ({ body }) => {
    expectType<unknown>(body)
    expectError(body.n)
    return 1
  },
})

// Each of several methods is a route; so is each that `all` declares.
const several = app
  .route({ method: ['POST', 'put'], path: '/several', handler: () => 1 })
  .all('/all', () => 'x')
expectType<number>((await several.inject('POST /several')).json())
expectType<number>((await several.inject('PUT /several')).json())
expectType<string>((await several.inject('DELETE /all')).json())
expectError(several.inject('GET /several'))
expectError(several.inject('put /several'))

// Every method has its shortcut.
for (const verb of [app.get, app.head, app.post, app.put, app.patch, app.delete, app.options]) {
  expectType<false>(isAny(verb))
}
expectError(app.purge('/x', () => 1))

// A misspelt part is named.
expectError(app.get('/x', { schema: { queryString: { q: t.String() } } }, () => 1))
expectError(app.get('/x', { schema: { responses: { 200: t.String() } } }, () => 1))

// Annotations are no mistake.
app.get(
  '/annotated',
  {
    schema: {
      summary: 'words',
      description: 'more words',
      tags: ['a'],
      operationId: 'annotated',
      deprecated: true,
      querystring: { q: t.String() },
    },
  },
  ({ query }) => {
    expectType<{ q: string }>(query)
    expectError(query.summary)
    return 1
  },
)

// A schema may be kept in a constant.
const kept = { querystring: t.Object({ q: t.String() }), response: { 200: t.Integer() } }
app.get('/kept', { schema: kept }, ({ query }) => {
  expectType<{ q: string }>(query)
  expectError(query.p)
  return 1
})
expectError(app.get('/kept', { schema: kept }, () => 'x'))

// With `attachValidation` the handler is told what is wrong.
app.post('/attached', { attachValidation: true, ...withBody }, (request) => {
  expectType<ValidationError['validation'] | undefined>(request.validationError?.validation)
  expectType<'body' | 'params' | 'querystring' | 'headers' | undefined>(
    request.validationError?.validationContext,
  )
  expectError<Error>(request.validationError)
  // What was refused cannot be relied on; what was not, can.
  if (request.validationError) {
    expectType<unknown>(request.body)
    expectError(request.body.n)
    return 2
  }
  expectType<number>(request.body.n)
  return 1
})
app.post('/attached', { attachValidation: true, ...withBody }, ({ validationError, body }) => {
  if (validationError) return expectType<unknown>(body)
  expectType<number>(body.n)
  return 1
})
app.post('/detached', { attachValidation: false, ...withBody }, ({ body }) => {
  expectType<number>(body.n)
  return 1
})
expectError(app.get('/attached', { attachValidation: 'yes' }, () => 1))

// A part without a schema cannot be refused: it is as it was sent in any case, to hooks of the route too.
app.post(
  '/attached/:id',
  {
    attachValidation: true,
    ...withBody,
    preHandler: async ({ headers, params, body }) => {
      expectType<string | undefined>(headers.authorization)
      expectType<string>(params.id)
      expectError(body.n)
    },
    preSerialization: async ({ headers }, _reply, payload) => {
      expectType<string | undefined>(headers.authorization)
      return payload
    },
  },
  (request) => {
    expectType<string | string[] | undefined>(request.headers['x-request-id'])
    expectType<{ id: string }>(request.params)
    expectError(request.params.name)
    expectType<RawQuery>(request.query)
    return 1
  },
)
app.get(
  '/attached/:id',
  {
    attachValidation: true,
    schema: {
      params: { id: t.Integer() },
      query: { q: t.Integer() },
      headers: { 'x-n': t.Integer() },
    },
  },
  (request) => {
    if (request.validationError === undefined) expectType<number>(request.headers['x-n'])
    else {
      expectType<unknown>(request.params)
      expectType<unknown>(request.query)
      expectType<unknown>(request.headers['x-n'])
    }
    expectError(request.params.id)
    expectError<string | undefined>(request.headers['x-n'])
    return 1
  },
)
app.register(
  async (below) =>
    below.post('/:id', { attachValidation: true, ...withBody }, ({ params }) => {
      expectType<{ tenant: string; id: string }>(params)
      expectError(params.other)
      return 1
    }),
  { prefix: '/attached/:tenant' },
)
declare const refused: RefusedRequest<unknown>
expectType<unknown>(refused.params)
expectError<string | undefined>(refused.headers['x-n'])

// A route has hooks of its own, one or a list, in both of their forms.
app.get(
  '/hooks',
  {
    async onRequest(request, reply) {
      expectType<false>(isAny(this))
      expectType<false>(isAny(request))
      expectType<false>(isAny(reply))
      expectType<number>(request.answer)
      expectError(request.question)
    },
    preValidation: [
      (request, _reply, done) => {
        expectType<number>(request.answer)
        expectType<(error?: Error | null) => void>(done)
        expectError(done('x'))
        done()
      },
      async (request) => {
        expectType<unknown>(request.body)
        expectError(request.question)
      },
    ],
    preHandler: async (request, reply) => {
      expectType<{}>(request.params)
      if (request.is404) return reply.code(401).send({})
      return undefined
    },
  },
  (request) => {
    expectType<number>(request.answer)
    return 1
  },
)
expectError(app.get('/hooks', { onRequest: 1 }, () => 1))

// Hooks do not take the types of the other parts away.
app.post('/hooked/:id', { onRequest: async () => {}, ...withBody }, ({ params, body }) => {
  expectType<{ id: string }>(params)
  expectType<{ n: number }>(body)
  expectError(params.n)
  return 1
})

// It has an error handler of its own.
app.get(
  '/error',
  {
    errorHandler(error, request, reply) {
      expectType<false>(isAny(this))
      expectType<false>(isAny(error))
      expectType<number>(request.answer)
      expectError(request.question)
      return reply.code(500).send({ message: error.message })
    },
  },
  () => 1,
)

// And compilers of its own.
app.post(
  '/compilers',
  {
    validatorCompiler: ({ schema, method, url, httpPart }) => {
      expectType<unknown>(schema)
      expectType<string>(method)
      expectType<string>(url)
      expectType<'body' | 'params' | 'querystring' | 'headers'>(httpPart)
      return (data) => ({ value: data })
    },
    serializerCompiler: ({ schema, httpStatus, contentType }) => {
      expectType<unknown>(schema)
      expectType<string>(httpStatus)
      expectType<string | undefined>(contentType)
      return (payload) => JSON.stringify(payload)
    },
    ...withBody,
  },
  ({ body }) => {
    expectType<{ n: number }>(body)
    expectError(body.m)
    return 1
  },
)
expectError(app.get('/compilers', { serializerCompiler: () => () => 1 }, () => 1))

// Settings of a route have their types.
app.get(
  '/settings',
  { bodyLimit: 1, config: { any: 'thing' }, exposeHeadRoute: false },
  (request) => {
    expectType<unknown>(request.routeOptions.config['any'])
    expectType<string | undefined>(request.routeOptions.url)
    expectError(request.routeOptions.path)
    return 1
  },
)
expectError(app.get('/settings', { bodyLimit: '1 MiB' }, () => 1))

// The request and the reply of Node are there.
app.get('/node', (request, reply) => {
  expectType<IncomingMessage>(request.raw)
  expectType<ServerResponse>(reply.raw)
  expectType<string>(request.id)
  expectType<string>(request.method)
  expectType<string>(request.url)
  expectType<string>(request.ip)
  expectType<'http' | 'https'>(request.protocol)
  expectError((request.method = 'POST'))
  return reply
})

// What a handler returns is what a client receives.
const returning = app
  .get('/value', () => ({ a: 1 }))
  .get('/promise', async () => ['x'])
  .get('/by-hand', async (_request, _reply) => {})
expectType<{ a: number }>((await returning.inject('GET /value')).json())
expectType<string[]>((await returning.inject('GET /promise')).json())
expectError<{ b: number }>((await returning.inject('GET /value')).json())

// A handler may be written elsewhere, as a function of the parts that it uses.
const named = ({ query }: { query: { q: string } }) => query.q
app.get('/named', { schema: { querystring: { q: t.String() } } }, named)
expectAssignable<(request: { query: { q: string } }) => string>(named)
expectError(app.get('/named', { schema: { querystring: { q: t.Integer() } } }, named))

// What is wide stays without `any` where the types allow it.
declare const record: Record<string, unknown>
declare const json: { type: string; properties: { a: { type: string } } }
app.post('/wide', { schema: { body: record } }, ({ body }) => {
  expectType<false>(isAny(body))
  expectError(body.a.b)
  return 1
})
app.post('/wide', { schema: { body: json } }, ({ body }) => {
  expectType<false>(isAny(body))
  return 1
})
declare const options: { body?: object; response?: object }
app.post('/wide', { schema: options }, ({ body }) => {
  expectType<false>(isAny(body))
  return 1
})

// What has no types is let through.
declare const anything: any
app.post('/any', { schema: { body: anything } }, () => 1)
app.post('/any', { schema: anything }, () => 1)
app.post('/any', anything, (request) => {
  expectType<number>(request.answer)
  return 1
})
app.post('/any', { schema: { response: anything } }, () => 1)
app.post('/any', { schema: { response: { 200: anything } } }, () => 1)

// Annotations of one's own begin with `x-`; other names are misspelt.
app.get('/own', { schema: { 'x-internal': true, querystring: { q: t.String() } } }, (request) => {
  expectType<string>(request.query.q)
  expectError(request.query.internal)
  return 1
})
expectError(app.get('/own', { schema: { internal: true } }, () => 1))
expectError(app.get('/own', { schema: { 'x-internal': true, querystrin: {} } }, () => 1))

// What does not fit is told of by its path, also where one of several is expected; literals and tuples keep their types.
const chosen = {
  schema: {
    response: {
      200: t.Object({
        role: t.Union([t.Literal('a'), t.Literal('b')]),
        pair: t.Tuple([t.Integer(), t.String()]),
        text: t.Union([t.String(), t.Null()]),
        alt: t.Union([
          t.Object({ kind: t.Literal('p'), n: t.Integer() }),
          t.Object({ kind: t.Literal('q'), at: t.String() }),
        ]),
      }),
    },
  },
}
const fitting = { role: 'a', pair: [1, 'x'], text: null, alt: { kind: 'q', at: '' } } as const
app.get('/chosen', chosen, () => ({
  role: 'a',
  pair: [1, 'x'],
  text: '',
  alt: { kind: 'p', n: 1 },
}))
app.get('/chosen', chosen, async () => ({
  role: 'b',
  pair: [1, 'x'],
  text: null,
  alt: { kind: 'q', at: '' },
}))
app.get('/chosen', chosen, async (request, reply) => {
  if (request.id === '') return reply.send(fitting)
  return { role: request.id === 'b' ? 'b' : 'a', pair: [1, 'x'], text: null, alt: fitting.alt }
})
app.route({ method: 'GET', url: '/chosen', ...chosen, handler: async () => ({ ...fitting }) })
expectError(app.get('/chosen', chosen, () => ({ ...fitting, role: 'c' })))
expectError(app.get('/chosen', chosen, async () => ({ ...fitting, pair: [1, 2] })))
expectError(app.get('/chosen', chosen, () => ({ ...fitting, text: 1 })))
expectError(app.get('/chosen', chosen, async () => ({ ...fitting, alt: { kind: 'p' } })))
expectError(app.get('/none', { schema: { response: { 204: t.Null() } } }, () => null))
