// Compiled against the packed declarations, with libraries checked.
import espalier, { t } from 'espalier'

const app = espalier().get(
  '/users/:id',
  {
    schema: {
      params: { id: t.Integer() },
      response: { 200: t.Object({ id: t.Integer() }) },
    },
  },
  async (request) => {
    const id: number = request.params.id
    // @ts-expect-error a parameter that the schema does not name
    void request.params.name
    return { id }
  },
)

export const address: Promise<string> = app.listen({ port: 0 })
