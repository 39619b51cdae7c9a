// What plugins and requests are made of: fastify-plugin, @fastify/autoload, @fastify/middie, @fastify/request-context,
// @fastify/sensible, @fastify/url-data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import autoload from '@fastify/autoload'
import middie from '@fastify/middie'
import requestContext, { requestContext as store } from '@fastify/request-context'
import sensible from '@fastify/sensible'
import urlData from '@fastify/url-data'
import fp from 'fastify-plugin'
import { folderOf } from '../support/files.ts'
import { posted, serve } from '../support/serve.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

test('fastify-plugin shares what a plugin does with the context around it', async (t) => {
  const app = untyped()
  const add = async (server: any, { name }: { name: string }) => server.decorate(name, name)
  app.register(async (server, options) => add(server, options), { name: 'inside' })
  app.register(fp(add, { name: 'shared', fastify: '5.x' }) as typeof add, { name: 'here' })
  app.get('/', function () {
    return [this.here ?? null, this.inside ?? null, app.hasPlugin('shared')]
  })
  const ask = await serve(t, app)
  assert.deepEqual(await (await ask('/')).json(), ['here', null, true])
})

test('fastify-plugin checks at boot what a plugin needs', async () => {
  const needs = async (metadata: object, before: (app: any) => void = () => {}) => {
    const app = untyped()
    before(app)
    app.register(fp(async () => {}, { name: 'mine', ...metadata }) as any)
    await app.ready()
  }
  await needs({ decorators: { request: ['user'] } }, (app) => app.decorateRequest('user', null))
  await assert.rejects(needs({ decorators: { request: ['user'] } }), /user/)
  await assert.rejects(needs({ dependencies: ['other'] }), /other/)
  await assert.rejects(needs({ fastify: '6.x' }), /6\.x/)
})

const tree = {
  'plugins/database.mjs': `
    const plugin = async (app, { name }) => void app.decorate('database', name)
    plugin[Symbol.for('skip-override')] = true
    export default plugin`,
  'routes/index.mjs': `export default async (app) => void app.get('/', () => app.database)`,
  'routes/users/autohooks.mjs': `export default async (app) => void app.addHook('onRequest', async (request) => {
    request.headers.hooked = 'yes'
  })`,
  'routes/users/index.mjs': `export default async (app) => void app.get('/', (request) => request.headers.hooked)`,
  'routes/users/_id/index.mjs': `export default async (app) => void app.get('/', (request) => request.params.id)`,
  'routes/more/other.mjs': `
    export const autoPrefix = '/renamed'
    export default async (app) => void app.get('/', (request) => String(request.headers.hooked))`,
  'routes/more/skipped.test.mjs': `throw new Error('loaded')`,
}

test('@fastify/autoload loads plugins and routes of folders, with their prefixes and hooks', async (t) => {
  const dir = folderOf(t, tree)
  const app = untyped()
    .register(autoload, { dir: `${dir}/plugins`, options: { name: 'db' } })
    .register(autoload, {
      dir: `${dir}/routes`,
      autoHooks: true,
      cascadeHooks: true,
      routeParams: true,
      ignorePattern: /\.test\./,
      options: { prefix: '/v1' },
    })
  const ask = await serve(t, app)
  const text = async (path: string) => (await ask(path)).text()
  assert.equal(await text('/v1/'), 'db')
  assert.equal(await text('/v1/users'), 'yes')
  assert.equal(await text('/v1/users/7'), '7')
  assert.equal(await text('/v1/renamed'), 'undefined')
})

test('@fastify/autoload fails at boot with the error of a file', async (t) => {
  const dir = folderOf(t, {
    'broken.mjs': `export default async () => { throw new Error('no start') }`,
  })
  const app = untyped().register(autoload, { dir })
  await assert.rejects(app.ready(), (error: any) => error.cause.message === 'no start')
})

test('@fastify/middie runs middleware, for all, for a path, or in its own context', async (t) => {
  const app: any = untyped()
  await app.register(middie)
  const mark = (name: string) => (request: any, response: any, next: () => void) => {
    response.setHeader('x-seen', [...(response.getHeader('x-seen') ?? []), name])
    request.mark = name
    next()
  }
  app.use(mark('all'))
  app.use('/path', mark('path'))
  app.register(async (inside: any) => {
    inside.use(mark('inside'))
    inside.get('/inside', (request: any) => request.raw.mark)
  })
  app.get('/path/x', (request: any) => request.raw.mark)
  app.get('/', (request: any) => request.raw.mark)
  const ask = await serve(t, app)
  const seen = async (path: string) => (await ask(path)).headers.get('x-seen')
  assert.equal(await seen('/'), 'all')
  assert.equal(await seen('/path/x'), 'all, path')
  assert.equal(await seen('/inside'), 'all, inside')
  assert.equal(await seen('/none'), 'all')
  assert.equal(await (await ask('/inside')).text(), 'inside')
})

test('@fastify/middie lets middleware answer, and hands its errors to error handlers', async (t) => {
  const app: any = untyped()
  await app.register(middie)
  app.use('/ends', (_request: any, response: any) => response.end('by middleware'))
  app.use('/fails', (_request: any, _response: any, next: (error: Error) => void) => {
    next(Object.assign(new Error('not you'), { statusCode: 403 }))
  })
  app.get('/ends', () => 'by handler')
  app.get('/fails', () => 'by handler')
  const ask = await serve(t, app)
  assert.equal(await (await ask('/ends')).text(), 'by middleware')
  const failed = await ask('/fails')
  assert.deepEqual([failed.status, (await failed.json()).message], [403, 'not you'])
})

test('@fastify/request-context keeps values of one request for all that it awaits', async (t) => {
  const later = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return String(store.get('name' as never))
  }
  const app = untyped().register(requestContext, {
    defaultStoreValues: (request: any) => ({ name: request.query.name, steps: [] }),
  })
  const step = (name: string) => async (request: any) =>
    request.requestContext.get('steps').push(name)
  app.addHook('onRequest', step('onRequest')).addHook('preHandler', step('preHandler'))
  app.post('/', async (request) => {
    const name = await later()
    return { name, steps: request.requestContext.get('steps'), body: request.body }
  })
  const ask = await serve(t, app)
  const names = ['a', 'b', 'c']
  const answers = names.map(async (name) => (await ask(`/?name=${name}`, posted({ name }))).json())
  const steps = ['onRequest', 'preHandler']
  assert.deepEqual(
    await Promise.all(answers),
    names.map((name) => ({ name, steps, body: { name } })),
  )
  assert.equal(store.get('name' as never), undefined)
})

test('@fastify/sensible has errors, replies and tests by name', async (t) => {
  const app: any = untyped()
  await app.register(sensible, { sharedSchemaId: 'HttpError' })
  const schema = { response: { 404: { $ref: 'HttpError#' } } }
  app
    .get('/thrown', { schema }, async () => {
      throw app.httpErrors.notFound('no such photo')
    })
    .get('/sent', (_request: any, reply: any) => reply.badRequest('not so'))
    .get('/fault', (_request: any, reply: any) => reply.internalServerError('secret'))
    .get('/asserted', (request: any) => {
      app.assert(request.query.age >= 18, 403, 'too young')
      return 'in'
    })
    .get('/cached', (_request: any, reply: any) => {
      reply.cacheControl('public').cacheControl('max-age', '1m').vary('accept')
      return { is: _request.is(['json']), forwarded: _request.forwarded().length }
    })
  const ask = await serve(t, app)
  const told = async (path: string) => {
    const response = await ask(path)
    return [response.status, (await response.json()).message]
  }
  assert.deepEqual(await told('/thrown'), [404, 'no such photo'])
  assert.deepEqual(await told('/sent'), [400, 'not so'])
  const [fault] = await silenced(() => told('/fault'))
  assert.equal(fault[0], 500)
  assert.deepEqual(await told('/asserted'), [403, 'too young'])
  assert.equal(await (await ask('/asserted?age=18')).text(), 'in')
  const cached = await ask('/cached')
  assert.equal(cached.headers.get('cache-control'), 'public, max-age=60')
  assert.equal(cached.headers.get('vary'), 'accept')
  assert.deepEqual(await app.to(Promise.resolve(1)), [null, 1])
})

test('@fastify/url-data takes the URL of a request apart, in its own context only', async (t) => {
  const app = untyped().get('/outside', (request) => String('urlData' in request))
  app.register(async (inside) => {
    inside.register(urlData)
    inside.get('/a/b', (request) => ({ ...request.urlData(), one: request.urlData('path') }))
  })
  const ask = await serve(t, app)
  const { scheme, path, query, one } = await (await ask('/a/b?c=d')).json()
  assert.deepEqual([scheme, path, query, one], ['http', '/a/b', 'c=d', '/a/b'])
  assert.equal(await (await ask('/outside')).text(), 'false')
})
