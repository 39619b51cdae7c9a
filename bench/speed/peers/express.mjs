import * as http from 'node:http'
import { Readable } from 'node:stream'
import express from 'express'
import { notFound, Refusal, refused, validator } from './ajv.mjs'
import { accept, bodyLimit, chunks, items, listen, manyPaths } from './shared.mjs'
import { ownAnswer, ownSchemas, schemas, upTo } from './shared.mjs'

export async function start({ log, many }) {
  const app = express()
  if (log) app.use((await import('morgan')).default('combined'))
  addRoutes(app)
  if (many)
    for (const path of manyPaths) app.get(path, ({ params }, response) => response.json(params))
  return listen(finish(app))
}

/** Adds what answers a request that no route answered. */
function finish(app) {
  app.use(({ method, url }, response) => response.status(404).json(notFound(method, url)))
  app.use((error, _request, response, next) => {
    if (error instanceof Refusal) response.status(400).json(refused(error.message))
    else next(error)
  })
  return http.createServer(app)
}

function addRoutes(app) {
  app.get('/', (_request, response) => response.json({ hello: 'world' }))
  const params = validator('params', schemas.params)
  const query = validator('querystring', schemas.query)
  app.get('/users/:user/posts', (request, response) => {
    const { user } = params(request.params)
    response.json({ user, ...query(request.query) })
  })
  const order = validator('body', schemas.order)
  app.post('/orders', express.json({ limit: 2 ** 20 }), ({ body }, response) => {
    response.json(accept(order(body)))
  })
  app.get('/items', (_request, response) => response.json(items))
  app.use('/a', deep())
  app.get('/stream', (_request, response) => {
    response.type('application/octet-stream')
    Readable.from(chunks).pipe(response)
  })
  const lines = validator('body', schemas.lines)
  app.post('/lines', express.json({ limit: bodyLimit }), ({ body }, response) => {
    response.json({ count: lines(body).lines.length })
  })
}

const set = (name, value) => (request, _response, next) => {
  request[name] = value
  next()
}

const add = (name) => (request, _response, next) => {
  request[name] += 1
  next()
}

/** Four routers, each in the one before it. */
function deep() {
  const d = express.Router().use(set('d', 4)).use(add('c')).use(add('d'))
  d.get('/', ({ a, b, c, d }, response) => response.json({ a, b, c, d }))
  const c = express.Router().use(set('c', 3)).use('/d', d)
  const b = express.Router().use(set('b', 2)).use('/c', c)
  return express.Router().use(set('a', 1)).use('/b', b)
}

export async function startOwn({ routes, contexts }) {
  const app = express()
  for (const n of upTo(routes)) {
    const schemas = ownSchemas(n)
    const params = validator('params', schemas.params)
    const query = validator('querystring', schemas.querystring)
    const body = validator('body', schemas.body)
    app.post(`/r${n}/:id`, express.json(), (request, response) => {
      const { id } = params(request.params)
      query(request.query)
      body(request.body)
      response.json(ownAnswer(n, id))
    })
  }
  for (const n of upTo(contexts)) {
    const child = express.Router().use(set('own', n))
    app.use(
      `/c${n}`,
      child.get('/', ({ own }, response) => response.json({ own })),
    )
  }
  return listen(finish(app))
}
