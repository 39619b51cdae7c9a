// The loggers of requests: their level, their serializers, and who makes them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { Lines } from '../support/lines.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const around = (...inside: string[]) => ['incoming request', ...inside, 'request completed']

test('the level of a plugin is that of its routes and of those below; a route may have another', async () => {
  const log = new Lines()
  const app = untyped({ logger: pino({ level: 'error' }, log.stream) })
  const route = (server: any, url: string, options = {}) =>
    server.get(url, options, ({ log: own }: any) => {
      own.info(`info ${url}`)
      own.debug(`debug ${url}`)
      own.error(`error ${url}`)
      return 'a'
    })
  route(app, '/root')
  app.register(
    async (child) => {
      route(child, '/info')
      route(child, '/route', { logLevel: 'fatal' })
      child.register(async (below) => route(below, '/below'))
      child.register(async (below) => route(below, '/debug'), { logLevel: 'debug' })
    },
    { logLevel: 'info' },
  )
  const ask = async (url: string) => {
    log.all.length = 0
    await app.inject(url)
    return log.messages
  }
  assert.deepEqual(await ask('/root'), ['error /root'])
  assert.deepEqual(await ask('/info'), around('info /info', 'error /info'))
  assert.deepEqual(await ask('/below'), around('info /below', 'error /below'))
  assert.deepEqual(await ask('/debug'), around('info /debug', 'debug /debug', 'error /debug'))
  assert.deepEqual(await ask('/route'), [])
})

test('the level of a plugin is that of its not-found handler and of its error handlers', async () => {
  const log = new Lines()
  const app = untyped({ logger: pino({ level: 'warn' }, log.stream) })
  app.register(
    async (child) => {
      child.setNotFoundHandler((request, reply) => {
        request.log.error('not logged')
        request.log.fatal('not found')
        reply.code(404).send()
      })
      child.setErrorHandler((_error, _request, reply) => {
        reply.log.fatal('failed')
        reply.code(500).send()
      })
      child.get('/', () => {
        throw new Error('kaboom')
      })
    },
    { logLevel: 'fatal' },
  )
  await app.inject('/nowhere')
  await app.inject('/')
  assert.deepEqual(log.messages, ['not found', 'failed'])
})

test('a level that the logger has not is a boot error that names the route', async () => {
  const app = untyped({ logger: { level: 'info', customLevels: { loud: 35 } } })
  app.get('/loud', { logLevel: 'loud' }, () => 'a')
  app.get('/', { logLevel: 'shout' }, () => 'a')
  await assert.rejects(app.ready(), {
    code: 'ESP_ERR_LOG_INVALID_LEVEL',
    message: /'shout' of GET \/ in root.*loud/,
  })
})

test('wrong options of a route and of a plugin are refused where they are given', async () => {
  const wrong = { logLevel: 30, logSerializers: { a: 'b' } }
  for (const [name, value] of Object.entries(wrong)) {
    const app = untyped()
    assert.throws(() => app.get('/', { [name]: value }, () => 'a'), {
      code: 'ESP_ERR_ROUTE_OPTION',
    })
    app.register(async () => undefined, { [name]: value })
    await assert.rejects(app.ready(), { code: 'ESP_ERR_LOG_OPTION', message: new RegExp(name) })
  }
  const factory = { childLoggerFactory: 'a' }
  assert.throws(() => untyped().get('/', factory, () => 'a'), { code: 'ESP_ERR_ROUTE_OPTION' })
})

test('serializers of the server, of plugins and of the route are taken together, the nearest first', async () => {
  const log = new Lines()
  const mark = (text: string) => (value: string) => text + value
  const logger = pino({ serializers: { a: mark('server '), b: mark('server ') } }, log.stream)
  const app = untyped({ logger })
  const values = { a: '1', b: '2', c: '3', d: '4' }
  const handler = ({ log: own }: any) => {
    own.info(values, 'mine')
    return 'a'
  }
  app.get('/root', handler)
  app.register(
    async (child) => {
      child.register(
        async (below) => {
          const logSerializers = { d: mark('route ') }
          below.get('/', { logSerializers }, handler)
        },
        { logSerializers: { c: mark('below ') } },
      )
    },
    { logSerializers: { b: mark('child '), c: mark('child '), d: mark('child ') } },
  )
  const ask = async (url: string) => {
    await app.inject(url)
    const { a, b, c, d } = log.all.findLast(({ msg }) => msg === 'mine')
    return [a, b, c, d]
  }
  assert.deepEqual(await ask('/'), ['server 1', 'child 2', 'below 3', 'route 4'])
  assert.deepEqual(await ask('/root'), ['server 1', 'server 2', '3', '4'])
})

test('a line that is switched off costs no logger of the request', async () => {
  let children = 0
  const logger = pino({ level: 'error' }, new Lines().stream)
  const child = logger.child.bind(logger)
  Object.assign(logger, {
    child: (...args: Parameters<typeof child>) => {
      children++
      return child(...args)
    },
  })
  const app = untyped({ loggerInstance: logger })
  const made = children
  app.get('/', () => 'a')
  app.get('/400', () => {
    throw Object.assign(new Error('a'), { statusCode: 400 })
  })
  app.get('/quiet', { logLevel: 'silent' }, () => 'a')
  for (const url of ['/', '/400', '/quiet', '/nowhere']) await app.inject(url)
  assert.equal(children, made)
})

test('the level of the server may be changed while it runs', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream, level: 'error' } })
  app.get('/', () => 'a')
  await app.inject('/')
  assert.deepEqual(log.messages, [])
  ;(app as any).log.level = 'info'
  await app.inject('/')
  assert.deepEqual(log.messages, around())
})

test('request and reply have one logger, which may be replaced', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream } })
  app.addHook('onRequest', async (request, reply) => {
    assert.equal(request.log, reply.log)
    request.log = reply.log = request.log.child({ user: 'Ada' })
  })
  app.get('/', ({ log: own }) => {
    own.info('mine')
    return 'a'
  })
  await app.inject('/')
  assert.deepEqual(
    log.all.map(({ user }) => user),
    [undefined, 'Ada', 'Ada'],
  )
})

test('a factory makes the loggers of a scope and of those below; a route may have its own', async () => {
  const log = new Lines()
  const named =
    (name: string) =>
    (logger: any, bindings: object, ...[options, raw]: any[]) => {
      assert.equal(typeof raw.url, 'string')
      return logger.child({ ...bindings, name }, options)
    }
  const app: any = untyped({ logger: { stream: log.stream }, childLoggerFactory: named('option') })
  app.get('/option', () => 'a')
  app.register(async (child: any) => {
    assert.equal(child.setChildLoggerFactory(named('child')), child)
    child.get('/child', () => 'a')
    child.get('/route', { childLoggerFactory: named('route') }, () => 'a')
    child.register(async (below: any) => below.get('/below', () => 'a'))
  })
  for (const [url, name] of Object.entries({
    '/option': 'option',
    '/child': 'child',
    '/below': 'child',
    '/route': 'route',
    '/nowhere': 'option',
  })) {
    log.all.length = 0
    await app.inject(url)
    const names = log.all.map((line) => line.name as string)
    assert.deepEqual(new Set(names), new Set([name]), url)
  }
})

test('a factory is called once for a request, with its server as this, whether there is a logger or not', async () => {
  for (const options of [{}, { logger: { stream: new Lines().stream } }]) {
    const app: any = untyped(options)
    const calls: unknown[] = []
    app.setChildLoggerFactory(function (this: unknown, logger: any, bindings: any, given: any) {
      calls.push([this === app, logger === app.log, Object.keys(bindings), given])
      return Object.assign(logger.child(bindings, given), { own: () => 'own' })
    })
    app.get('/', ({ log }: any, reply: any) => `${log.own()} ${reply.log.own()}`)
    assert.equal((await app.inject('/')).body, 'own own')
    assert.deepEqual(calls, [[true, true, ['reqId'], {}]])
    // What it adds is of that logger alone.
    assert.equal(app.log.own, undefined)
    assert.equal(app.childLoggerFactory.length, 3)
  }
})

test('the factory of a scope can be read from it, also where none is set', () => {
  const app: any = untyped()
  const child = { made: true }
  const logger = { child: (...args: unknown[]) => ({ ...child, args }) }
  const made = app.childLoggerFactory(logger, { reqId: 1 }, { level: 'warn' }, {})
  assert.deepEqual(made, { made: true, args: [{ reqId: 1 }, { level: 'warn' }] })
  assert.throws(() => app.setChildLoggerFactory('a'), { code: 'ESP_ERR_FUNCTION_EXPECTED' })
})

for (const [what, returned] of Object.entries({
  undefined,
  null: null,
  'an object': { info: () => undefined },
  'an object that is a promise': Promise.resolve({}),
})) {
  test(`a factory that returns ${what} fails the request, and says whose it is`, async () => {
    const app: any = untyped()
    app.register(async function mine(child: any) {
      child.setChildLoggerFactory(() => returned)
      child.get('/', () => 'a')
      child.setNotFoundHandler(() => 'none')
    })
    for (const url of ['/', '/none']) {
      const asked = () => app.inject(url) as Promise<any>
      const [{ statusCode, payload }, text] = await silenced(asked)
      assert.equal(statusCode, 500)
      assert.doesNotMatch(payload, /childLoggerFactory/)
      assert.match(text, /ESP_ERR_LOG_INVALID_LOGGER/)
      const kind = what.replace(' that is a promise', '')
      assert.match(text, new RegExp(`childLoggerFactory of .* in root > mine returned ${kind}`))
    }
  })
}

test('setChildLoggerFactory is for boot only', async () => {
  const app: any = untyped()
  await app.ready()
  assert.throws(() => app.setChildLoggerFactory(() => app.log), {
    code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING',
  })
})
