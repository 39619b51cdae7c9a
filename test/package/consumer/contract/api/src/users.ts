import { plugin, t } from 'espalier'
import type { Needs } from './needs.js'
export const users = plugin<Needs>()(async (app) =>
  app
    .get(
      '/:id',
      {
        schema: {
          params: { id: t.Integer() },
          response: { 200: t.Ref('user#'), 404: { message: t.String({ default: 'x' }) } },
        },
      },
      async ({ params }) => app.db.find(params.id),
    )
    .post(
      '/',
      {
        schema: {
          body: t.Object(
            {
              name: t.String(),
              age: t.Integer({ default: 1 }),
              on: t.Union([t.Literal('a'), t.Null()]),
              tuple: t.Tuple([t.Boolean()]),
              rec: t.Record(t.String(), t.Number()),
            },
            { additionalProperties: false },
          ),
          response: { 201: t.Ref('user#') },
        },
      },
      async (_q, reply) => reply.code(201).send({ id: 1, name: '' }),
    ),
)
