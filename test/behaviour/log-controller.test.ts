// Lines of one's own in the place of those that the framework writes of requests.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import espalier, { LogController } from '../../src/index.ts'
import { Lines } from '../support/lines.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

/** Notes which lines it was asked for, and with which ids, and writes none. */
class Notes extends LogController {
  readonly all: string[] = []
  #note(line: string, ...details: readonly unknown[]): void {
    this.all.push([line, ...details].join(' '))
  }
  override incomingRequest(...[request]: Parameters<LogController['incomingRequest']>): void {
    this.#note('incoming', request.url)
  }
  override requestCompleted(...args: Parameters<LogController['requestCompleted']>): void {
    const [error, request, reply, metadata] = args
    assert.equal(typeof metadata?.['responseTime'], 'number')
    this.#note('completed', request.url, reply.statusCode, error?.message ?? 'whole')
  }
  override defaultErrorLog(...args: Parameters<LogController['defaultErrorLog']>): void {
    this.#note('error', String(args[0]), args[2].statusCode)
  }
  override streamError(error: unknown): void {
    this.#note('stream', String(error))
  }
  override routeNotFound(...[request]: Parameters<LogController['routeNotFound']>): void {
    this.#note('not found', request.url)
  }
  override writeHeadError(error: unknown): void {
    this.#note('head', String(error))
  }
  override serializerError(
    ...[, , , metadata]: Parameters<LogController['serializerError']>
  ): void {
    this.#note('serializer', metadata?.['statusCode'])
  }
  override serviceUnavailable(
    ...[logger, server]: Parameters<LogController['serviceUnavailable']>
  ) {
    this.#note('unavailable', typeof logger.info, typeof Reflect.get(server, 'inject'))
  }
}

test('a controller writes the lines of requests, of errors and of what is not found', async () => {
  const log = new Lines()
  const logController = new Notes()
  const app = untyped({ logger: { stream: log.stream }, logController })
  app.get('/', () => 'a')
  app.get('/500', () => {
    throw new Error('kaboom')
  })
  await app.inject('/')
  await app.inject('/500')
  await app.inject('/nowhere')
  assert.deepEqual(logController.all, [
    'incoming /',
    'completed / 200 whole',
    'incoming /500',
    'error Error: kaboom 500',
    'completed /500 500 whole',
    'incoming /nowhere',
    'not found /nowhere',
    'completed /nowhere 404 whole',
  ])
  assert.deepEqual(log.messages, [])
})

test('a controller is told of what fails behind the first bytes, and of errors that cannot be sent', async () => {
  const logController = new Notes()
  const app = untyped({ logger: { stream: new Lines().stream }, logController })
  app.get('/stream', (_request, reply) => {
    const broken = async function* () {
      yield 'a'
      throw new Error('torn')
    }
    return reply.send(Readable.from(broken()))
  })
  const response = { 500: { type: 'object', required: ['gone'], properties: { gone: {} } } }
  app.get('/schema', { schema: { response } }, () => {
    throw new Error('kaboom')
  })
  app.get('/head', (_request, reply) => {
    reply.header('x-wrong', 'a\nb')
    throw new Error('kaboom')
  })
  const url = await app.listen({ port: 0 })
  await assert.rejects(fetch(`${url}/stream`).then((answer) => answer.text()))
  for (const path of ['/schema', '/head']) assert.equal((await fetch(url + path)).status, 500)
  await app.close()
  const failed = logController.all.filter((line) => /^(stream|serializer|head) /.test(line))
  assert.equal(failed.length, 3)
  assert.equal(failed[0], 'stream Error: torn')
  assert.equal(failed[1], 'serializer 500')
  assert.match(String(failed[2]), /^head TypeError/)
})

test('a controller is told of a client that left, and of one that came too late', async () => {
  const logController = new Notes()
  const app = untyped({ logger: { stream: new Lines().stream }, logController })
  const gone = new Promise<void>((resolve) => {
    app.addHook('onRequestAbort', async () => {
      resolve()
    })
  })
  app.get('/never', () => new Promise(() => undefined))
  app.get('/slow', (_request, reply) => {
    void app.close()
    setImmediate(() => reply.send('a'))
  })
  const { port, hostname } = new URL(await app.listen({ port: 0 }))
  const first = connect(Number(port), hostname)
  first.write('GET /never HTTP/1.1\r\nhost: x\r\n\r\n', () => first.destroy())
  await gone
  const second = connect(Number(port), hostname)
  second.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\nGET /late HTTP/1.1\r\nhost: x\r\n\r\n')
  second.resume()
  await once(second, 'close')
  await app.close()
  assert.ok(logController.all.includes('completed /never 200 premature close'))
  assert.ok(logController.all.includes('unavailable function function'))
})

test('what a controller does not override is written as ever, also where its options leave it out', async () => {
  const log = new Lines()
  class Quiet extends LogController {
    override routeNotFound(...[request]: Parameters<LogController['routeNotFound']>): void {
      request.log.warn(`nothing at ${request.url}`)
    }
  }
  const options = {
    requestIdLogLabel: 'traceId',
    disableRequestLogging: (request: { readonly url: string }) => request.url === '/health',
  }
  const app = untyped({ logger: { stream: log.stream }, logController: new Quiet(options) })
  app.get('/health', () => 'a').get('/', () => 'a')
  await app.inject('/health')
  await app.inject('/')
  assert.deepEqual(log.messages, ['incoming request', 'request completed'])
  assert.ok(log.all.every(({ traceId }) => typeof traceId === 'string'))
  await app.inject('/none')
  assert.deepEqual(log.messages.slice(2), [
    'incoming request',
    'nothing at /none',
    'request completed',
  ])
})

test('a controller that is no subclass leaves out what it is told to', async () => {
  const log = new Lines()
  const logController = new LogController({ disableRequestLogging: true })
  const app = untyped({ logger: { stream: log.stream }, logController })
  app.get('/', () => {
    throw new Error('kaboom')
  })
  await app.inject('/')
  await app.inject('/none')
  assert.deepEqual(log.messages, ['kaboom'])
})

test('a controller that throws fails no request: stderr is told why, and of the error that was to be told', async () => {
  class Broken extends LogController {
    override incomingRequest(): void {
      throw new Error('no incoming')
    }
    override defaultErrorLog(): void {
      throw new Error('no error')
    }
    override routeNotFound(): void {
      throw new Error('no route')
    }
    override serviceUnavailable(): void {
      throw new Error('no service')
    }
  }
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream }, logController: new Broken() })
  app.get('/', () => 'a')
  app.get('/500', () => {
    throw new Error('kaboom')
  })
  const [statuses, text] = await silenced(() =>
    Promise.all(['/', '/500', '/none'].map(async (url) => (await app.inject(url)).statusCode)),
  )
  assert.deepEqual(statuses, [200, 500, 404])
  for (const told of [/no incoming/, /no error/, /kaboom/, /no route/]) assert.match(text, told)
})

test('without a logger nothing is written, and errors go to stderr', async () => {
  const logController = new Notes()
  const app = untyped({ logController })
  app.get('/', () => {
    throw new Error('kaboom')
  })
  const [, text] = await silenced(() => app.inject('/'))
  assert.match(text, /kaboom/)
  assert.deepEqual(logController.all, [])
})

test('what a controller says stands in the initial configuration', () => {
  const logController = new LogController({ requestIdLogLabel: 'traceId' })
  const { initialConfig } = espalier({ logController })
  assert.equal(initialConfig.requestIdLogLabel, 'traceId')
  assert.equal(initialConfig['disableRequestLogging'], false)
})

test('what is no controller is refused, and so is an option that it says itself', () => {
  const given = (options: object) => () => espalier(options as never)
  assert.throws(given({ logController: {} }), { code: 'ESP_ERR_LOG_INVALID_LOG_CONTROLLER' })
  const logController = new LogController()
  assert.throws(given({ logController, disableRequestLogging: true }), {
    code: 'ESP_ERR_INIT_OPTS_INVALID',
    message: /'disableRequestLogging'.*constructor/,
  })
  assert.throws(() => new LogController({ disableRequestLogging: 'yes' as never }), {
    code: 'ESP_ERR_INIT_OPTS_INVALID',
    message: /disableRequestLogging.*LogController.*'yes'/,
  })
  assert.throws(() => new LogController({ requestIdLogLabel: '' }), { message: /a name/ })
})
