// Which logger a server has: one of pino, any other, or none.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pino from 'pino'
import { logMethods } from '../../src/http/logger.ts'
import { Lines } from '../support/lines.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const logOf = (app: object): any => (app as { log: unknown }).log

test('without a logger there is one that writes nothing, and whose children do not either', async () => {
  for (const options of [{}, { logger: false }, { logger: undefined }, { logger: null }]) {
    const app = untyped(options)
    for (const log of [logOf(app), logOf(app).child({ a: 1 })]) {
      for (const name of logMethods) assert.equal(typeof log[name], 'function')
      log.fatal('nothing')
    }
    app.get('/', ({ log }, reply) => {
      assert.equal(log, logOf(app))
      assert.equal(reply.log, log)
      return 'a'
    })
    assert.equal((await app.inject('/')).body, 'a')
  }
})

test('true and an object stand for pino, at level info unless they say another', () => {
  assert.equal(logOf(untyped({ logger: true })).level, 'info')
  assert.equal(logOf(untyped({ logger: {} })).level, 'info')
  assert.equal(logOf(untyped({ logger: { level: 'warn' } })).level, 'warn')
  // What is neither options nor a logger has none of either.
  assert.equal(logOf(untyped({ logger: new Date() })).level, 'info')
})

test('pino is given its options: redact, formatters, base, a serializer in the place of ours', async () => {
  const log = new Lines()
  const app = untyped({
    logger: {
      stream: log.stream,
      base: { app: 'tea' },
      redact: ['req.headers.authorization'],
      serializers: { req: ({ headers, url }: any) => ({ headers, url }) },
    },
  })
  app.get('/', () => 'a')
  await app.inject({ url: '/', headers: { authorization: 'Bearer secret' } })
  const [came, ended] = log.all
  assert.equal(came.app, 'tea')
  assert.equal(came.req.headers.authorization, '[Redacted]')
  assert.equal(came.req.method, undefined)
  assert.deepEqual(ended.res, { statusCode: 200 })
})

test('what is logged as req or res need not be a request or a reply', () => {
  const log = new Lines()
  logOf(untyped({ logger: { stream: log.stream } })).info({ req: {}, res: {} })
  assert.deepEqual([log.all[0].req, log.all[0].res], [{}, {}])
})

test('lines may go to a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-'))
  const file = join(folder, 'log')
  const app = untyped({ logger: { file } })
  app.get('/', () => 'a')
  await app.inject('/')
  const destination = logOf(app)[pino.symbols.streamSym]
  destination.end()
  await once(destination, 'close')
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  assert.deepEqual(messages, ['incoming request', 'request completed'])
  rmSync(folder, { recursive: true })
})

test('a logger of pino that is given keeps its own serializers, and gets the others', async () => {
  for (const option of ['logger', 'loggerInstance']) {
    const log = new Lines()
    const serializers = { req: ({ url }: any) => ({ url }) }
    const app = untyped({ [option]: pino({ serializers }, log.stream) })
    app.get('/', () => 'a')
    await app.inject('/')
    assert.deepEqual(log.all[0].req, { url: '/' })
    assert.deepEqual(log.all[1].res, { statusCode: 200 })
  }
})

test('any object with the methods of a logger is one, and is taken as it is', async () => {
  for (const option of ['logger', 'loggerInstance']) {
    const lines: unknown[][] = []
    const write =
      (level: string) =>
      (...line: unknown[]) =>
        lines.push([level, ...line])
    const logger: any = Object.fromEntries(logMethods.map((name) => [name, write(name)]))
    logger.child = (bindings: object) => ({ ...logger, bindings })
    const app = untyped({ [option]: logger })
    assert.equal(logOf(app), logger)
    app.get('/', ({ log, id }) => {
      assert.deepEqual(log.bindings, { reqId: id })
      log.debug('mine')
      return 'a'
    })
    await app.inject('/')
    const told = lines.map((line) => [line[0], line.at(-1)])
    assert.deepEqual(told, [
      ['info', 'incoming request'],
      ['debug', 'mine'],
      ['info', 'request completed'],
    ])
  }
})

test('what is no logger is refused at once, with what it lacks', () => {
  const { child: _child, ...noChild } = logOf(untyped())
  const wrong: [object, string, RegExp][] = [
    [{ logger: console }, 'INVALID_LOGGER', /'logger'.*fatal, child$/],
    [{ logger: noChild }, 'INVALID_LOGGER', /child$/],
    [{ loggerInstance: console }, 'INVALID_LOGGER', /'loggerInstance'.*fatal, child$/],
    [{ loggerInstance: { level: 'info' } }, 'INVALID_LOGGER_INSTANCE', /Options of pino/],
    [{ loggerInstance: 'info' }, 'INVALID_LOGGER_INSTANCE', /Options of pino/],
    [{ logger: 'info' }, 'INVALID_LOGGER_CONFIG', /takes a boolean/],
    [{ logger: true, loggerInstance: pino() }, 'LOGGER_AND_LOGGER_INSTANCE_PROVIDED', /Keep one/],
    [{ logger: { file: '/x', stream: process.stdout } }, 'INVALID_DESTINATION', /Keep one/],
  ]
  for (const [options, code, message] of wrong) {
    assert.throws(() => untyped(options), { code: `ESP_ERR_LOG_${code}`, message })
  }
})

test('the other options of logging are checked as all options are', () => {
  const wrong = { requestIdLogLabel: '', disableRequestLogging: 'yes', childLoggerFactory: {} }
  for (const [name, value] of Object.entries(wrong)) {
    assert.throws(() => untyped({ [name]: value }), {
      code: 'ESP_ERR_INIT_OPTS_INVALID',
      message: new RegExp(`'${name}' must be`),
    })
  }
})

test('without a logger an unforeseen error goes to stderr, and one of a client nowhere', async () => {
  const app = untyped()
  app.get('/500', () => {
    throw new Error('secret')
  })
  app.get('/400', () => {
    throw Object.assign(new Error('public'), { statusCode: 400 })
  })
  const [response, text] = await silenced(() => app.inject('/500'))
  assert.doesNotMatch(response.body, /secret/)
  assert.match(text, /^GET \/500 in root: Error: secret/)
  const [, nothing] = await silenced(() => app.inject('/400'))
  assert.equal(nothing, '')
})
