// All of the album typed: no generics, no `declare module`. What plugins add is taken from their own declarations, which
// are for the module `fastify`; the front end gets `App`.
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import jwt from '@fastify/jwt'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import files from '@fastify/static'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { adopt, espalier, plugin, t, type Output } from 'espalier'
import type { FastifyReply, FastifyRequest } from 'fastify'

interface Cookies {
  reply: Pick<FastifyReply, 'setCookie'>
}
interface Tokens {
  request: Pick<FastifyRequest, 'jwtVerify'>
  reply: Pick<FastifyReply, 'jwtSign'>
}
interface Uploads {
  request: Pick<FastifyRequest, 'file'>
}
interface Files {
  reply: Pick<FastifyReply, 'sendFile'>
}

const Message = t.Object({ message: t.String() })
const User = t.Object({ name: t.String({ minLength: 1 }) })
const Photo = t.Object(
  { id: t.Integer(), title: t.String(), size: t.Integer(), by: t.String() },
  { $id: 'photo' },
)

const session = plugin<Cookies & Tokens>()(async (app) =>
  app.post(
    '/login',
    {
      config: { rateLimit: { max: 3, timeWindow: '1 minute' } },
      schema: {
        tags: ['session'],
        body: { ...User.properties, password: t.String() },
        response: { 200: { token: t.String() }, 401: Message },
      },
    },
    async (request, reply) => {
      const { name, password } = request.body
      if (password !== 'secret') return reply.code(401).send({ message: 'wrong password' })
      const token = await reply.jwtSign({ name })
      reply.setCookie('token', token, { path: '/', httpOnly: true, sameSite: 'strict' })
      return { token }
    },
  ),
)

const members = plugin<Tokens>()(async (app) => {
  const album: Output<typeof Photo>[] = []

  return app
    .register(adopt<Uploads>()(multipart), { limits: { fileSize: 1024 * 1024 } })
    .addSchema(Photo)
    .derive('onRequest', async (request) => ({
      member: await request.jwtVerify<Output<typeof User>>(),
    }))
    .get('/me', { schema: { tags: ['session'], response: { 200: User } } }, ({ member }) => member)
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
        const added = { id: album.length + 1, title, size, by: request.member.name }
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

export interface App extends ReturnType<typeof build> {}

export function build() {
  return espalier()
    .register(adopt<Cookies>()(cookie))
    .register(adopt<Tokens>()(jwt), {
      secret: 'change me',
      cookie: { cookieName: 'token', signed: false },
    })
    .register(adopt()(rateLimit), { max: 100, timeWindow: '1 minute' })
    .register(adopt()(swagger), { openapi: { info: { title: 'Album', version: '1.0.0' } } })
    .register(adopt()(swaggerUi), { routePrefix: '/docs' })
    .register(adopt<Files>()(files), {
      root: join(import.meta.dirname, 'public'),
      prefix: '/public/',
    })
    .register(session)
    .register(members)
    .get('/', { schema: { hide: true } }, (_request, reply) => reply.sendFile('index.html'))
}

if (process.argv[1] === import.meta.filename) await build().listen({ port: 3000 })
