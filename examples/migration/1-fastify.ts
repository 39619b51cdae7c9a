// A photo album as it was written for Fastify 5: every type is declared by hand, beside the schema that says the same.
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import jwt from '@fastify/jwt'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import files from '@fastify/static'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void>
  }
}
declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: { name: string }
    user: { name: string }
  }
}

interface Photo {
  id: number
  title: string
  size: number
  by: string
}

const message = { type: 'object', properties: { message: { type: 'string' } } }
const photo = {
  $id: 'photo',
  type: 'object',
  required: ['id', 'title', 'size', 'by'],
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    size: { type: 'integer' },
    by: { type: 'string' },
  },
}

const session: FastifyPluginAsync = async (app) => {
  const credentials = {
    type: 'object',
    required: ['name', 'password'],
    properties: { name: { type: 'string', minLength: 1 }, password: { type: 'string' } },
  }
  const token = { type: 'object', properties: { token: { type: 'string' } } }

  app.post<{ Body: { name: string; password: string } }>(
    '/login',
    {
      config: { rateLimit: { max: 3, timeWindow: '1 minute' } },
      schema: { tags: ['session'], body: credentials, response: { 200: token, 401: message } },
    },
    async (request, reply) => {
      const { name, password } = request.body
      if (password !== 'secret') return reply.code(401).send({ message: 'wrong password' })
      const token = await reply.jwtSign({ name })
      reply.setCookie('token', token, { path: '/', httpOnly: true, sameSite: 'strict' })
      return { token }
    },
  )
  app.get(
    '/me',
    { onRequest: app.authenticate, schema: { tags: ['session'] } },
    async (request) => ({
      name: request.user.name,
    }),
  )
}

const photos: FastifyPluginAsync = async (app) => {
  const album: Photo[] = []

  app.addHook('onRequest', app.authenticate)
  app.post<{ Querystring: { title: string }; Reply: Photo | { message: string } }>(
    '/photos',
    {
      schema: {
        tags: ['photos'],
        consumes: ['multipart/form-data'],
        querystring: {
          type: 'object',
          properties: { title: { type: 'string', default: 'untitled' } },
        },
        response: { 201: { $ref: 'photo#' }, 400: message },
      },
    },
    async (request, reply) => {
      const file = await request.file()
      if (file === undefined) return reply.code(400).send({ message: 'no file' })
      const { length: size } = await file.toBuffer()
      const { title } = request.query
      const added = { id: album.length + 1, title, size, by: request.user.name }
      album.push(added)
      return reply.code(201).send(added)
    },
  )
  app.get<{ Params: { id: number }; Reply: Photo | { message: string } }>(
    '/photos/:id',
    {
      schema: {
        tags: ['photos'],
        params: { type: 'object', properties: { id: { type: 'integer' } } },
        response: { 200: { $ref: 'photo#' }, 404: message },
      },
    },
    async (request, reply) => {
      const found = album[request.params.id - 1]
      return found ?? reply.code(404).send({ message: 'no such photo' })
    },
  )
}

export function build(): FastifyInstance {
  const app = Fastify()
  app.register(cookie)
  app.register(jwt, { secret: 'change me', cookie: { cookieName: 'token', signed: false } })
  app.register(multipart, { limits: { fileSize: 1024 * 1024 } })
  app.register(rateLimit, { max: 100, timeWindow: '1 minute' })
  app.register(swagger, { openapi: { info: { title: 'Album', version: '1.0.0' } } })
  app.register(swaggerUi, { routePrefix: '/docs' })
  app.register(files, { root: join(import.meta.dirname, 'public'), prefix: '/public/' })

  app.addSchema(photo)
  app.decorate('authenticate', async (request: FastifyRequest) => {
    await request.jwtVerify()
  })
  app.register(session)
  app.register(photos)
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.sendFile('index.html'))
  return app
}

if (process.argv[1] === import.meta.filename) await build().listen({ port: 3000 })
