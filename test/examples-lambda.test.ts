// The example of AWS Lambda answers events in the shapes that AWS documents.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import type { LambdaFastifyOptions } from '@fastify/aws-lambda'
import type { Context } from 'aws-lambda'
import espalier from 'espalier'
import { handler } from '../examples/lambda/handler.ts'
import { lambda, type LambdaEvent } from '../examples/lambda/lambda.ts'
import { routes } from '../examples/lambda/routes.ts'

const root = join(import.meta.dirname, '..', 'examples', 'lambda', 'events')

type Changes = Record<string, unknown>

/** A recorded event, with other members. */
function event(name: string, changes: Changes = {}): LambdaEvent {
  const recorded = JSON.parse(readFileSync(join(root, `${name}.json`), 'utf8')) as LambdaEvent
  return { ...recorded, ...changes }
}

/** An event of version 2 for another route. */
function request(name: 'http-api' | 'function-url', target: string, changes: Changes = {}) {
  const [method = '', url = ''] = target.split(' ')
  const [rawPath, rawQueryString = ''] = url.split('?')
  const { requestContext } = event(name) as { requestContext: { http: object } }
  const http = { ...requestContext.http, method, path: rawPath }
  return event(name, {
    rawPath,
    rawQueryString,
    requestContext: { ...requestContext, http },
    ...changes,
  })
}

const context = { awsRequestId: '1', functionName: 'notes' } as Context
const call = (sent: LambdaEvent) => handler(sent, context)
/** Nobody but AWS can send an event. */
const behindAws = (_address: string, hop: number) => hop === 0
const found = { tag: ['a', 'b'], text: 'salt, pepper' }

describe('a REST API (version 1 of the event)', () => {
  test('gives each value of the query', async () => {
    const { statusCode, headers, body } = await call(event('rest-api'))
    assert.deepEqual([statusCode, JSON.parse(body)], [200, found])
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  })

  test('sends a body, which the schema checks', async () => {
    const post = { path: '/notes', httpMethod: 'POST' }
    const sent = { 'Content-Type': 'application/json' }
    const headers = { headers: sent, multiValueHeaders: { 'Content-Type': [sent['Content-Type']] } }
    const made = await call(event('rest-api', { ...post, ...headers, body: '{"text":"tea"}' }))
    assert.deepEqual([made.statusCode, JSON.parse(made.body)], [201, { id: 1, text: 'tea' }])
    const refused = await call(event('rest-api', { ...post, ...headers, body: '{"text":""}' }))
    assert.equal(refused.statusCode, 400)
    assert.match(refused.body, /body\/text/)
  })

  test('tells a route who calls, and from where', async () => {
    const { body } = await call(event('rest-api', { path: '/me' }))
    assert.deepEqual(JSON.parse(body), { ip: '203.0.113.7', user: 'ada' })
  })

  test('gets several cookies as a list of one header', async () => {
    const answer: object = await call(event('rest-api', { path: '/login' }))
    assert.deepEqual(answer['multiValueHeaders' as never], {
      'set-cookie': ['session=s3cret; HttpOnly', 'theme=dark'],
    })
  })

  test('gets 404 for a path that no route has', async () => {
    assert.equal((await call(event('rest-api', { path: '/nowhere' }))).statusCode, 404)
  })
})

describe('an HTTP API (version 2 of the event)', () => {
  test('gives each value of the query, and leaves commas in values', async () => {
    assert.deepEqual(JSON.parse((await call(event('http-api'))).body), found)
    const one = await call(
      event('http-api', {
        rawQueryString: 'tag=a,b',
        queryStringParameters: { tag: 'a,b' },
      }),
    )
    assert.deepEqual(JSON.parse(one.body), { tag: ['a,b'], text: '' })
  })

  test('sends cookies, and gets those of the reply', async () => {
    const { body, cookies, headers } = await call(request('http-api', 'GET /login'))
    assert.deepEqual(JSON.parse(body), { cookie: 'session=s3cret;theme=dark' })
    assert.deepEqual(cookies, ['session=s3cret; HttpOnly', 'theme=dark'])
    assert.equal(headers['set-cookie'], undefined)
  })

  test('sends a body', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '14' }
    const made = await call(request('http-api', 'POST /notes', { headers, body: '{"text":"tea"}' }))
    assert.deepEqual([made.statusCode, JSON.parse(made.body)], [201, { id: 1, text: 'tea' }])
  })
})

describe('a load balancer', () => {
  const apps = {
    single: espalier().register(lambda, {}).register(routes),
    multi: espalier({ trustProxy: behindAws })
      .register(lambda, { albMultiValueHeaders: true } satisfies LambdaFastifyOptions)
      .register(routes),
  }
  before(() => Promise.all([apps.single.ready(), apps.multi.ready()]))

  test('gives the last value of the query', async () => {
    const answer = await apps.single.lambda(event('alb'), context)
    assert.deepEqual(JSON.parse(answer.body), { tag: ['b'], text: 'salt, pepper' })
    assert.equal(answer.isBase64Encoded, false)
  })

  test('gives each value, and gets headers as lists, where headers have several values', async () => {
    const answer = await apps.multi.lambda(event('alb-multi-value'), context)
    assert.deepEqual(JSON.parse(answer.body), found)
    const lists = answer['multiValueHeaders' as never] as Record<string, string[]>
    assert.deepEqual(lists['content-type'], ['application/json; charset=utf-8'])
    const login = await apps.multi.lambda(event('alb-multi-value', { path: '/login' }), context)
    assert.deepEqual(JSON.parse(login.body), { cookie: 'session=s3cret; theme=dark' })
    const { 'set-cookie': cookies } = login['multiValueHeaders' as never] as typeof lists
    assert.deepEqual(cookies, ['session=s3cret; HttpOnly', 'theme=dark'])
  })

  test('names the client in a header, whose last address the balancer has written', async () => {
    const { body } = await apps.multi.lambda(event('alb-multi-value', { path: '/me' }), context)
    assert.deepEqual(JSON.parse(body), { ip: '203.0.113.7', user: null })
  })
})

describe('a function URL', () => {
  test('sends bytes as base64', async () => {
    const { statusCode, body } = await call(event('function-url'))
    assert.deepEqual([statusCode, JSON.parse(body)], [200, { bytes: '89504e47' }])
  })

  test('gets bytes as base64, and text as it is', async () => {
    const picture = await call(request('function-url', 'GET /pixel.png'))
    assert.equal(picture.isBase64Encoded, true)
    assert.equal(Buffer.from(picture.body, 'base64').toString('latin1', 1, 4), 'PNG')
    const text = await call(request('function-url', 'GET /login'))
    assert.equal(text.isBase64Encoded, false)
  })

  test('sends cookies and an address', async () => {
    const login = await call(request('function-url', 'GET /login'))
    assert.deepEqual(JSON.parse(login.body), { cookie: 'session=s3cret' })
    const me = await call(request('function-url', 'GET /me'))
    assert.deepEqual(JSON.parse(me.body), { ip: '203.0.113.7', user: null })
  })

  test('is called by HTTPS, which `trustProxy` lets a request know', async () => {
    const app = espalier({ trustProxy: behindAws })
      .register(lambda, {})
      .get('/', ({ ip, protocol }) => ({ ip, protocol }))
    await app.ready()
    const { body } = await app.lambda(request('function-url', 'GET /'), context)
    assert.deepEqual(JSON.parse(body), { ip: '203.0.113.7', protocol: 'https' })
  })

  test('believes no client that sends headers of the package', async () => {
    const headers = { 'x-aws-lambda-fastify-request': '1', 'x-apigateway-event': '{}' }
    const me = await call(request('function-url', 'GET /me', { headers }))
    assert.deepEqual(JSON.parse(me.body), { ip: '203.0.113.7', user: null })
  })
})

/** The stream that Lambda gives a function: what it sends is a head as JSON, eight zeros, and the body. */
class ResponseStream extends Writable {
  type = ''
  head: unknown
  readonly chunks: string[] = []
  setContentType(type: string) {
    this.type = type
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.chunks.push(chunk.toString('latin1'))
    this.emit('sent')
    done()
  }
  static from(stream: ResponseStream, head: unknown) {
    stream.setContentType('application/vnd.awslambda.http-integration-response')
    stream.head = head
    return stream
  }
}

describe('response streaming', async () => {
  Object.assign(globalThis, {
    awslambda: { streamifyResponse: (given: unknown) => given, HttpResponseStream: ResponseStream },
  })
  const { handler } = await import('../examples/lambda/stream.ts')
  after(() => Reflect.deleteProperty(globalThis, 'awslambda'))
  const stream = (target: string) => {
    const sent = new ResponseStream()
    const done = handler(
      request('function-url', target),
      sent as unknown as awslambda.HttpResponseStream,
      context,
    )
    return { sent, done: Promise.resolve(done) }
  }

  test('sends each part as it is made', async () => {
    const { sent, done } = stream('GET /count')
    await once(sent, 'sent')
    assert.deepEqual(sent.chunks, ['data: 1\n\n'])
    await done
    assert.equal(sent.chunks.join(''), 'data: 1\n\ndata: 2\n\ndata: 3\n\n')
    const { statusCode, headers } = sent.head as { statusCode: number; headers: Changes }
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/event-stream'])
    assert.equal(sent.type, 'application/vnd.awslambda.http-integration-response')
  })

  test('sends bytes as they are, and cookies in the head', async () => {
    const picture = stream('GET /pixel.png')
    await picture.done
    assert.equal(picture.sent.chunks.join('').slice(1, 4), 'PNG')
    const login = stream('GET /login')
    await login.done
    const { cookies } = login.sent.head as { cookies: string[] }
    assert.deepEqual(cookies, ['session=s3cret; HttpOnly', 'theme=dark'])
  })

  test('has an end for a reply without a body', async () => {
    const { sent, done } = stream('HEAD /count')
    await done
    assert.deepEqual([sent.writableFinished, sent.chunks.join('')], [true, ''])
  })
})
