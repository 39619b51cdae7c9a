// An application that has every form of schema, path, body, reply and guard that documents have to tell. Each route
// carries a call that succeeds, which stands in its operation as `x-call`.
import { Readable } from 'node:stream'
import auth from '@fastify/auth'
import basicAuth from '@fastify/basic-auth'
import bearerAuth from '@fastify/bearer-auth'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import jwt from '@fastify/jwt'
import multipart, { ajvFilePlugin } from '@fastify/multipart'
import secureSession from '@fastify/secure-session'
import session from '@fastify/session'
import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { t } from '../../src/index.ts'
import { type DocumentOptions, secured } from '../../src/openapi/index.ts'
import { type AnyHandler, untyped, type UntypedServer } from '../support/untyped.ts'
import { type Call, route } from './calling.ts'
import { kinds, libraries, plainSchemas, references } from './every-schema.ts'

/** Bodies and replies of other types than JSON. */
function mediaTypes(app: UntypedServer): void {
  const names = {
    'application/json': { schema: { name: t.String() } },
    'text/plain': { schema: t.String() },
  }
  const both = { schema: { body: { content: names }, response: { 200: { content: names } } } }
  route(app, 'POST /media/names', { body: { name: 'Ada' } }, both)
  const text = { content: { 'text/plain': { schema: t.String() } } }
  const told = { schema: { body: text, response: { 200: { content: names } } } }
  route(
    app,
    'PUT /media/names',
    { body: 'Ada', type: 'text/plain', reply: 'Ada' },
    told,
    (request, reply) => reply.type('text/plain').send(request.body),
  )
  const headers = {
    'x-count': t.Integer({ description: 'How many' }),
    'x-next': t.Optional(t.String()),
  }
  const csv = { headers, content: { 'text/csv': { schema: t.String() } } }
  route(
    app,
    'GET /media/csv',
    { reply: 'a,b' },
    { schema: { response: { 200: csv } } },
    (_request, reply) => reply.header('x-count', 2).type('text/csv').send('a,b'),
  )
  const counted = { ...t.Object({ total: t.Integer() }), headers }
  route(
    app,
    'GET /media/counted',
    { reply: { total: 1 } },
    { schema: { response: { 200: counted } } },
  )
  const bytes = { content: { 'application/octet-stream': {} } }
  route(
    app,
    'GET /media/bytes',
    { reply: 'abc' },
    { schema: { response: { 200: bytes } } },
    (_request, reply) =>
      reply.type('application/octet-stream').send(Readable.from([Buffer.from('abc')])),
  )
  const events = { content: { 'text/event-stream': {} } }
  route(
    app,
    'GET /media/events',
    { reply: 'data: 1\n\n' },
    { schema: { response: { 200: events } } },
    (_request, reply) => reply.type('text/event-stream').send(Readable.from(['data: 1\n\n'])),
  )
  const ticks = { content: { 'text/event-stream': { itemSchema: { n: t.Integer() } } } }
  route(
    app,
    'GET /media/ticks',
    { reply: 'data: {"n":1}\n\n' },
    { schema: { response: { 200: ticks } } },
    function* () {
      yield { n: 1 }
    },
  )
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer' },
    (_request: unknown, body: Buffer, done: any) => done(null, body),
  )
  const upload = {
    body: { content: { 'application/octet-stream': { schema: t.Any() } } },
    response: { 200: { size: t.Integer() } },
  }
  const sent = { body: 'abc', type: 'application/octet-stream', reply: { size: 3 } }
  route(app, 'PUT /media/bytes', sent, { schema: upload }, (request) => ({
    size: request.body.length,
  }))
  route(app, 'GET /media/text', { reply: 'hello' }, { schema: { response: { 200: t.String() } } })
  route(
    app,
    'GET /media/mixed',
    { reply: { a: 1 } },
    { schema: { response: { 200: t.Union([t.Object({ a: t.Integer() }), t.Null()]) } } },
  )
  app.register(async (inside) => {
    inside.register(formbody)
    const body = {
      content: {
        'application/x-www-form-urlencoded': { schema: { name: t.String(), age: t.Integer() } },
      },
    }
    const form = { body: { name: 'Ada', age: 36 }, type: 'application/x-www-form-urlencoded' }
    route(inside, 'POST /media/form', form, { schema: { body } })
    const schema = { body: t.Object({ name: t.String() }), response: { 200: { name: t.String() } } }
    route(inside, 'POST /media/form-or-json', { body: { name: 'Ada' } }, { schema })
  })
  app.register(async (inside) => {
    inside.register(multipart, { attachFieldsToBody: true })
    const body = {
      type: 'object',
      required: ['photo'],
      properties: {
        photo: { isFile: true },
        title: { type: 'object', properties: { value: { type: 'string' } } },
      },
    }
    const call = {
      body: { photo: 'abc', title: 'Sea' },
      type: 'multipart/form-data',
      reply: { size: 3, title: 'Sea' },
    }
    const response = { 200: { size: t.Integer(), title: t.String() } }
    route(
      inside,
      'POST /media/files',
      call,
      { schema: { body, response } },
      async ({ body: { photo, title } }) => ({
        size: (await photo.toBuffer()).length,
        title: title.value,
      }),
    )
  })
}

/** Paths with all that a path may have. */
function paths(app: UntypedServer): void {
  const back: AnyHandler = ({ params }) => params
  const find = (line: string, path: Call['path'], more: object = {}): void =>
    route(app, line, { path, reply: path }, more, back)
  find(
    'GET /paths/:id',
    { id: 7 },
    { schema: { params: { id: t.Integer({ description: 'Which' }) } } },
  )
  find('GET /paths/:owner/files', { owner: 'ada' })
  find('GET /paths/dated/:day(^\\d{4}-\\d{2}$)', { day: '2026-01' })
  find('GET /paths/file/:name.:ext', { name: 'a', ext: 'txt' })
  find('GET /paths/near/:lat-:lng', { lat: '1', lng: '2' })
  find('GET /paths/time/at-:hour(^\\d+)h', { hour: '3' })
  find('POST /paths/jobs::run', {})
  route(app, 'GET /paths/opt/:maybe?', { path: { maybe: 'a' }, reply: { ok: true } })
  route(app, 'GET /paths/static/*', { path: { path: 'a.txt' }, reply: { ok: true } })
  app.register(
    async (inside) => {
      route(inside, 'GET /', { path: { tenant: 'a' }, reply: { ok: true } })
      inside.register(
        async (deeper) =>
          route(
            deeper,
            'DELETE /rooms/:room',
            {
              path: { tenant: 'a', room: 'b' },
              status: 204,
              reply: undefined,
            },
            { schema: { response: { 204: t.Null() } } },
          ),
        { prefix: '/deeper' },
      )
    },
    { prefix: '/paths/tenants/:tenant' },
  )
  const versioned = { constraints: { version: '1.2.0' } }
  route(
    app,
    'GET /versioned',
    { headers: { 'accept-version': '1.x' }, reply: { ok: true } },
    versioned,
  )
  route(app, 'GET /versioned', { reply: { ok: true } }, { constraints: { version: '2.0.0' } })
  const hosted = { headers: { host: 'api.example.com' }, reply: { ok: true } }
  route(app, 'GET /hosted', hosted, { constraints: { host: 'api.example.com' } })
  route(app, 'GET /local', { reply: { ok: true } }, { constraints: { host: /^(localhost|127\.)/ } })
  for (const method of ['PATCH', 'OPTIONS'])
    route(app, `${method} /methods`, { reply: { ok: true } })
  route(app, 'HEAD /methods', {}, {}, (_request, reply) => reply.code(200).send())
}

/** Queries and headers. */
function parts(app: UntypedServer): void {
  const querystring = t.Object({
    tags: t.Array(t.String()),
    limit: t.Integer({ default: 10, maximum: 50 }),
    only: t.Optional(t.Union([t.Literal('a'), t.Literal('b')])),
  })
  const query = { tags: ['x', 'y'], limit: 10, only: 'a' }
  route(
    app,
    'GET /parts/query',
    { query, reply: query },
    { schema: { querystring } },
    (request) => request.query,
  )
  const open = { schema: { querystring: t.Record(t.String(), t.String()) } }
  route(
    app,
    'GET /parts/open',
    { query: { query: { a: 'b' } }, reply: { a: 'b' } },
    open,
    (request) => request.query,
  )
  const headers = { 'X-Trace': t.String(), 'x-priority': t.Optional(t.Integer()) }
  const traced = { headers: { 'x-trace': 'abc', 'x-priority': 2 }, reply: { priority: 2 } }
  route(app, 'GET /parts/headers', traced, { schema: { headers } }, (request) => ({
    priority: request.headers['x-priority'],
  }))
  const response = {
    '2xx': { done: t.Boolean() },
    '4xx': { message: t.String() },
    default: t.Any(),
  }
  route(
    app,
    'PUT /parts/statuses',
    { status: 202, reply: { done: true } },
    { schema: { response } },
  )
  const gone = {
    response: { 404: t.Null(), 200: t.Object({ id: t.Integer() }), 410: { description: 'Gone' } },
  }
  route(app, 'GET /parts/gone', { reply: { id: 1 } }, { schema: gone })
  const maybe = { body: t.Union([t.Object({ a: t.Integer() }), t.Null()]) }
  route(app, 'POST /parts/maybe', { reply: 'none' }, { schema: maybe }, (_request, reply) =>
    reply.send('none'),
  )
}

/** What documents say beside schemas. */
function words(app: UntypedServer): void {
  const told = {
    operationId: 'subscribe',
    summary: 'Subscribes',
    description: 'To all **events**.',
    tags: ['events'],
    deprecated: true,
    externalDocs: { url: 'https://example.com/docs' },
    servers: [{ url: 'https://events.example.com' }],
    callbacks: {
      event: {
        '{$request.body#/url}': {
          post: {
            summary: 'Says what happened',
            requestBody: {
              content: { 'application/json': { schema: { type: ['string', 'null'] } } },
            },
            responses: { 204: { description: 'Taken' } },
          },
        },
      },
    },
    'x-internal-note': 'kept',
  }
  const body = t.Object({ url: t.String({ format: 'uri' }) })
  const taken = { body: { url: 'http://a.example/' }, status: 201 }
  route(app, 'POST /words', taken, { schema: { ...told, body, response: { 201: body } } })
  route(app, 'GET /words/hidden', {}, { schema: { hide: true } })
}

const bearer = { authorization: 'Bearer key' }
const basic = { authorization: `Basic ${Buffer.from('ada:secret').toString('base64')}` }

async function checkPassword(name: string, password: string): Promise<void> {
  if (name !== 'ada' || password !== 'secret') throw new Error('wrong password')
}

/** Routes behind guards of each kind. */
function guards(app: UntypedServer): void {
  const checkKey: AnyHandler = async ({ headers }) => {
    if (headers['x-key'] !== 'key') throw Object.assign(new Error('no key'), { statusCode: 401 })
  }
  const scheme = { key: { type: 'apiKey', in: 'header', name: 'x-key' } } as const
  const onRequest = secured(checkKey, scheme, ['admin'])
  route(
    app,
    'GET /guards/secured',
    { headers: { 'x-key': 'key' }, reply: { ok: true } },
    { onRequest },
  )
  app.register(async (inside) => {
    inside.register(bearerAuth, { keys: ['key'] })
    route(inside, 'GET /guards/bearer', { headers: bearer, reply: { ok: true } })
  })
  app.register(async (inside: any) => {
    await inside.register(basicAuth, { validate: checkPassword, authenticate: true })
    inside.addHook('onRequest', inside.basicAuth)
    route(inside, 'GET /guards/basic', { headers: basic, reply: { ok: true } })
  })
  app.register(async (inside: any) => {
    await inside.register(jwt, { secret: 'change me' })
    const authorization = `Bearer ${inside.jwt.sign({ name: 'ada' })}`
    const verify: AnyHandler = (request) => request.jwtVerify()
    const preHandler = secured(verify, {
      jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    })
    route(
      inside,
      'GET /guards/jwt',
      { headers: { authorization }, reply: { ok: true } },
      { preHandler },
    )
  })
  app.register(async (inside: any) => {
    await inside
      .register(basicAuth, { validate: checkPassword })
      .register(bearerAuth, { keys: ['key'], addHook: false })
    await inside.register(auth)
    const either = secured(inside.auth([inside.basicAuth, inside.verifyBearerAuth]), {
      basic: { type: 'http', scheme: 'basic' },
      bearer: { type: 'http', scheme: 'bearer' },
    })
    route(
      inside,
      'GET /guards/either',
      { headers: bearer, reply: { ok: true } },
      { onRequest: either },
    )
  })
  const inCookie = (scheme: string, name: string) =>
    ({ [scheme]: { type: 'apiKey', in: 'cookie', name } }) as const
  const asksForUser: AnyHandler = async ({ session: kept }) => {
    if (kept.get('user') === undefined)
      throw Object.assign(new Error('log in'), { statusCode: 401 })
  }
  app.register(async (inside: any) => {
    await inside.register(secureSession, { key: Buffer.alloc(32, 7), cookie: { path: '/' } })
    const value = inside.encodeSecureSession(inside.createSecureSession({ user: 'ada' }))
    const headers = { cookie: `session=${encodeURIComponent(value)}` }
    route(
      inside,
      'GET /guards/secure-session',
      { headers, reply: { ok: true } },
      { preHandler: secured(asksForUser.bind(undefined), inCookie('secureSession', 'session')) },
    )
  })
  app.register(async (inside: any) => {
    const secret = 'a secret with minimum length of 32 characters'
    const store = {
      set: (_id: string, _value: unknown, done: () => void) => done(),
      get: (_id: string, done: (error: null, value: unknown) => void) =>
        done(null, { user: 'ada', cookie: {} }),
      destroy: (_id: string, done: () => void) => done(),
    }
    await inside
      .register(cookie, { secret })
      .register(session, { secret, store, cookie: { secure: false } })
    const headers = { cookie: `sessionId=${encodeURIComponent(inside.signCookie('a'.repeat(32)))}` }
    route(
      inside,
      'GET /guards/session',
      { headers, reply: { ok: true } },
      { preHandler: secured(asksForUser.bind(undefined), inCookie('session', 'sessionId')) },
    )
  })
}

/** What the document has beside the routes. */
export const options: DocumentOptions = {
  info: {
    title: 'Every form',
    summary: 'All that a document may have to tell',
    version: '1.0.0',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: 'https://api.example.com', description: 'production' }],
  tags: [{ name: 'events', description: 'What happens' }],
  externalDocs: { url: 'https://example.com' },
  include: ({ constraints }) => constraints['version'] !== '2.0.0',
  jsonSchema: {
    valibot: (schema: GenericSchema, typeMode) =>
      toJsonSchema(schema, { typeMode, target: 'draft-2020-12' }),
  },
  webhooks: {
    happened: {
      post: {
        operationId: 'happened',
        summary: 'Something happened',
        security: [],
        requestBody: { content: { 'application/json': { schema: { type: ['string', 'null'] } } } },
        responses: { '204': { description: 'Taken' }, '4XX': { description: 'Refused' } },
      },
    },
  },
}

/** Makes the application. */
export function everyForm(): UntypedServer {
  const app = untyped({
    ajv: {
      plugins: [ajvFilePlugin],
      customOptions: { discriminator: true, strictTuples: false, allowUnionTypes: true },
    },
    handlerTimeout: 5000,
  })
  for (const add of [
    kinds,
    references,
    plainSchemas,
    libraries,
    mediaTypes,
    paths,
    parts,
    words,
    guards,
  ])
    add(app)
  return app
}
