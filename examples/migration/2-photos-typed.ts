// The same album with its photos typed: what `photos` needs and adds is said, all else is inferred. The rest is as it was.
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import jwt from '@fastify/jwt'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import files from '@fastify/static'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, {
  adopt,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { plugin, t, type HookFor, type Output } from 'espalier'

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

const message = { type: 'object', properties: { message: { type: 'string' } } }
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

const Message = t.Object({ message: t.String() })
const Photo = t.Object(
  { id: t.Integer(), title: t.String(), size: t.Integer(), by: t.String() },
  { $id: 'photo' },
)

/** What the server around it brings. */
interface Needs {
  server: { authenticate: HookFor<'onRequest'> }
  request: Pick<FastifyRequest, 'user'>
}

const photos = plugin<Needs>()(async (app) => {
  const album: Output<typeof Photo>[] = []

  return app
    .register(adopt<{ request: Pick<FastifyRequest, 'file'> }>()(multipart), {
      limits: { fileSize: 1024 * 1024 },
    })
    .addSchema(Photo)
    .addHook('onRequest', app.authenticate)
    .post(
      '/photos',
      {
        schema: {
          tags: ['photos'],
          consumes: ['multipart/form-data'],
          querystring: { title: t.Optional(t.String({ default: 'untitled' })) },
          response: { 201: t.Ref('photo#'), 400: Message },
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
    .get(
      '/photos/:id',
      {
        schema: {
          tags: ['photos'],
          params: { id: t.Integer() },
          response: { 200: t.Ref('photo#'), 404: Message },
        },
      },
      async (request, reply) => {
        const found = album[request.params.id - 1]
        return found ?? reply.code(404).send({ message: 'no such photo' })
      },
    )
})

export function build(): FastifyInstance {
  const app = Fastify()
  app.register(cookie)
  app.register(jwt, { secret: 'change me', cookie: { cookieName: 'token', signed: false } })
  app.register(rateLimit, { max: 100, timeWindow: '1 minute' })
  app.register(swagger, { openapi: { info: { title: 'Album', version: '1.0.0' } } })
  app.register(swaggerUi, { routePrefix: '/docs' })
  app.register(files, { root: join(import.meta.dirname, 'public'), prefix: '/public/' })

  app.decorate('authenticate', async (request: FastifyRequest) => {
    await request.jwtVerify()
  })
  app.register(session)
  app.register(photos)
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.sendFile('index.html'))
  return app
}

if (process.argv[1] === import.meta.filename) await build().listen({ port: 3000 })
