// The application. It needs the plugin `lambda`, and works as well on a server that listens.
import { setTimeout as wait } from 'node:timers/promises'
import { plugin, t } from 'espalier'
import type { OnLambda } from './lambda.ts'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='

export const routes = plugin<OnLambda>()(async (app) =>
  app
    .addContentTypeParser('image/png', { parseAs: 'buffer' }, async (_request, body) => body)
    .get(
      '/search',
      {
        schema: {
          querystring: {
            tag: t.Array(t.String(), { default: [] }),
            text: t.String({ default: '' }),
          },
        },
      },
      ({ query }) => query,
    )
    .post(
      '/notes',
      {
        schema: {
          body: { text: t.String({ minLength: 1 }) },
          response: { 201: { id: t.Integer(), text: t.String() } },
        },
      },
      ({ body }, reply) => reply.code(201).send({ id: 1, ...body }),
    )
    .post('/pictures', ({ body }) => ({ bytes: (body as Buffer).toString('hex') }))
    .get('/pixel.png', (_request, reply) =>
      reply.type('image/png').send(Buffer.from(pixel, 'base64')),
    )
    .get('/login', ({ headers }, reply) =>
      reply
        .header('set-cookie', ['session=s3cret; HttpOnly', 'theme=dark'])
        .send({ cookie: headers.cookie ?? '' }),
    )
    // Who calls, as an authorizer of API Gateway says it.
    .get('/me', ({ ip, awsLambda: { event } }) => {
      const { authorizer } = (event?.requestContext ?? {}) as {
        authorizer?: { principalId?: string }
      }
      return { ip, user: authorizer?.principalId ?? null }
    })
    .get(
      '/count',
      {
        schema: {
          response: { 200: { content: { 'text/event-stream': { itemSchema: t.Integer() } } } },
        },
      },
      async function* () {
        for (const number of [1, 2, 3]) {
          yield number
          await wait(10)
        }
      },
    ),
)
