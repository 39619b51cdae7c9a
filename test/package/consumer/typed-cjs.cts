// The same from CommonJS: the module is the factory, the named exports are its properties.
import espalier = require('espalier')

const { t, shared } = espalier
const again = espalier.default

const app = espalier()
  .register(shared(async (child) => child.decorate('answer', 42)))
  .get('/users/:id', { schema: { params: { id: t.Integer() } } }, async (request) => {
    const id: number = request.params.id
    // @ts-expect-error a parameter that the schema does not name
    void request.params.name
    return { id }
  })

const address: Promise<string> = app.listen({ port: 0 })
const other: Promise<string> = again().listen({ port: 0 })
void [address, other]
