// The server of Node by hand, with the validator, the serializer, the router and the logger that Espalier and Fastify use.
import { Buffer } from 'node:buffer'
import * as http from 'node:http'
import * as http2 from 'node:http2'
import { Readable } from 'node:stream'
import { Ajv } from 'ajv'
import serializer from 'fast-json-stringify'
import findMyWay from 'find-my-way'
import { accept, bodyLimit, chunks, failure, items, listen, manyPaths } from './shared.mjs'
import { ownAnswer, ownSchemas, schemas, upTo } from './shared.mjs'

const ajv = new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true })
const router = findMyWay()
/** The handlers of paths without parameters. */
const fixed = new Map()

/** Routes a request. A handler gets the request, the response, and what the router found. */
function handle(request, response) {
  const fast = request.method === 'GET' ? fixed.get(request.url) : undefined
  if (fast) return fast(request, response)
  const found = router.find(request.method, request.url)
  if (found) return found.handler(request, response, found)
  const message = `Route ${request.method}:${request.url} not found`
  send(response, 404, JSON.stringify(failure(404, 'Not Found', message)))
}

function get(path, handler) {
  if (path.includes(':')) router.on('GET', path, handler)
  else fixed.set(path, handler)
}

function send(response, status, text) {
  const length = `${Buffer.byteLength(text)}`
  const type = 'application/json; charset=utf-8'
  response.writeHead(status, ['content-type', type, 'content-length', length])
  response.end(text)
}

function refuse(response, message, status = 400) {
  send(response, status, JSON.stringify(failure(status, http.STATUS_CODES[status], message)))
}

/** A function that sends a refusal, and tells so, where a value is not of a schema. */
function checker(part, schema) {
  const validate = ajv.compile(schema)
  return (value, response) => {
    if (validate(value)) return true
    refuse(response, ajv.errorsText(validate.errors, { dataVar: part }))
    return false
  }
}

/** Reads a body of JSON. */
function withBody(limit, use) {
  return (request, response, found) => {
    const parts = []
    let size = 0
    request.on('data', (part) => {
      size += part.length
      if (size <= limit) parts.push(part)
    })
    request.on('end', () => {
      if (size > limit) return refuse(response, 'The body is too large', 413)
      const text = parts.length === 1 ? parts[0].toString() : Buffer.concat(parts).toString()
      let body
      try {
        body = JSON.parse(text)
      } catch {
        return refuse(response, 'The body is no JSON')
      }
      use(body, response, found)
    })
    request.on('error', () => response.destroy())
  }
}

export async function start({ log, http2: second, many, zod, keepAliveTimeout = 5000 }) {
  addPlain()
  addDeep()
  addBodies()
  if (many) for (const path of manyPaths) get(path, sendParams)
  if (zod) await addZod()
  const listener = log ? await logged() : handle
  return listen(
    second ? http2.createServer(listener) : http.createServer({ keepAliveTimeout }, listener),
  )
}

function addPlain() {
  const hello = serializer(schemas.hello)
  get('/', (_request, response) => send(response, 200, hello({ hello: 'world' })))

  const checkParams = checker('params', schemas.params)
  const checkQuery = checker('querystring', schemas.query)
  const posts = serializer(schemas.posts)
  get('/users/:user/posts', (_request, response, { params, searchParams: query }) => {
    if (!checkParams(params, response) || !checkQuery(query, response)) return
    send(response, 200, posts({ user: params.user, ...query }))
  })

  const list = serializer(schemas.items)
  get('/items', (_request, response) => send(response, 200, list(items)))

  get('/stream', (_request, response) => {
    response.writeHead(200, ['content-type', 'application/octet-stream'])
    Readable.from(chunks).pipe(response)
  })

  get('/slow', (_request, response) => {
    setTimeout(() => send(response, 200, '{"slow":true}'), 5)
  })
}

function addDeep() {
  const deep = serializer(schemas.deep)
  const hooks = [
    (request) => (request.a = 1),
    (request) => (request.b = 2),
    (request) => (request.c = 3),
    (request) => (request.d = 4),
    (request) => (request.c += 1),
    (request) => (request.d += 1),
  ]
  get('/a/b/c/d', (request, response) => {
    for (const hook of hooks) hook(request)
    const { a, b, c, d } = request
    send(response, 200, deep({ a, b, c, d }))
  })
}

function addBodies() {
  const checkOrder = checker('body', schemas.order)
  const accepted = serializer(schemas.accepted)
  const takeOrder = (body, response) => {
    if (checkOrder(body, response)) send(response, 200, accepted(accept(body)))
  }
  router.on('POST', '/orders', withBody(2 ** 20, takeOrder))

  const checkLines = checker('body', schemas.lines)
  const count = serializer(schemas.count)
  const takeLines = (body, response) => {
    if (checkLines(body, response)) send(response, 200, count({ count: body.lines.length }))
  }
  router.on('POST', '/lines', withBody(bodyLimit, takeLines))
}

function sendParams(_request, response, found) {
  send(response, 200, JSON.stringify(found?.params ?? {}))
}

async function addZod() {
  const { zodOrder } = await import('./zod.mjs')
  const take = async (body, response) => {
    const checked = zodOrder['~standard'].validate(body)
    const { value, issues } = checked instanceof Promise ? await checked : checked
    if (issues) refuse(response, issues[0].message)
    else send(response, 200, JSON.stringify(accept(value)))
  }
  router.on('POST', '/zod', withBody(2 ** 20, take))
}

/** The listener with two lines a request, as Espalier and Fastify write them. */
async function logged() {
  const { pino } = await import('pino')
  const logger = pino()
  let id = 0
  return (request, response) => {
    const begin = performance.now()
    const log = logger.child({ reqId: `req-${(++id).toString(36)}` })
    const { method, url } = request
    const { remoteAddress, remotePort } = request.socket
    log.info(
      { req: { method, url, host: request.headers.host, remoteAddress, remotePort } },
      'incoming request',
    )
    response.on('finish', () => {
      const { statusCode } = response
      const responseTime = performance.now() - begin
      log.info({ res: { statusCode }, responseTime }, 'request completed')
    })
    handle(request, response)
  }
}

export async function startOwn({ routes, contexts }) {
  for (const n of upTo(routes)) addOwn(n)
  for (const n of upTo(contexts)) {
    get(`/c${n}`, (_request, response) => send(response, 200, JSON.stringify({ own: n })))
  }
  return listen(http.createServer(handle))
}

function addOwn(n) {
  const { params, querystring, body, response } = ownSchemas(n)
  const checkParams = checker('params', params)
  const checkQuery = checker('querystring', querystring)
  const checkBody = checker('body', body)
  const serialize = serializer(response)
  const take = (sent, reply, found) => {
    if (!checkParams(found.params, reply) || !checkQuery(found.searchParams, reply)) return
    if (checkBody(sent, reply)) send(reply, 200, serialize(ownAnswer(n, found.params.id)))
  }
  router.on('POST', `/r${n}/:id`, withBody(2 ** 20, take))
}
