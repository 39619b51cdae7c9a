// The client of a server's type, with libraries checked.
import espalier, { t } from 'espalier'
import { client, type Client } from 'espalier/client'

export const app = espalier().get(
  '/users/:id',
  { schema: { params: { id: t.Integer() }, response: { 200: t.Object({ id: t.Integer() }) } } },
  async (request) => ({ id: request.params.id }),
)
const api: Client<typeof app> = client<typeof app>('http://localhost')

export async function load(): Promise<number> {
  const response = await api('GET /users/:id', { params: { id: 1 } })
  return response.json().id
}
// @ts-expect-error a route that is not there
export const none = api('GET /nope')
