// All entry points, for a compiler that reads no `exports` of package.json.
import espalier, { type Server } from 'espalier'
import { client } from 'espalier/client'
import fastify, { type FastifyInstance, type RouteGenericInterface } from 'espalier/fastify'
import { t } from 'espalier/schema'

export const app = espalier().get(
  '/users/:id',
  { schema: { params: { id: t.Integer() } } },
  ({ params }) => {
    const id: number = params.id
    // @ts-expect-error a parameter that the schema does not name
    void params.name
    return { id }
  },
)
const call = client<typeof app>('http://127.0.0.1')
void call('GET /users/:id', { params: { id: 1 } }).then((response) =>
  response.ok ? response.json().id.toFixed() : response.json().message,
)
// @ts-expect-error no route has this key
void call('GET /user')

const root: Server = espalier()
const other: FastifyInstance = fastify()
other.get<{ Params: { id: string } }>('/:id', (request) => request.params.id.trim())
// @ts-expect-error each entry point has types
void [root.nothing, other.nothing]
export type Generic = RouteGenericInterface['Body']
