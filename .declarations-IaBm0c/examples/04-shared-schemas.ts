// Shared schemas and the six forms of a reference. The compiler resolves each against what the
// context sees: a misspelt one is an error at the route, in the editor and again at boot.
import espalier, { t } from 'espalier'
import { startWhenRun } from './start.ts'

const Address = t.Object(
  {
    street: t.String(),
    zip: t.String({ $id: '#zip', pattern: '^[0-9]{5}$' }),
    country: t.Ref('#/definitions/country'), // a field of `definitions` of the same schema
  },
  { $id: 'address', definitions: { country: t.Union([t.Literal('DE'), t.Literal('FR')]) } },
)
const Person = t.Object(
  {
    name: t.String({ minLength: 1 }),
    home: t.Ref('address#'), // a whole shared schema
    friends: t.Array(t.Ref('person#')), // itself
  },
  { $id: 'person' },
)

export const app = espalier()
  .addSchema(Address)
  .addSchema(Person)
  .post(
    '/people',
    { schema: { body: t.Ref('person#'), response: { 201: t.Ref('person#') } } },
    async (request, reply) => reply.code(201).send(request.body),
  )
  .get(
    '/lookup',
    {
      schema: {
        querystring: {
          country: t.Ref('address#/definitions/country'), // `definitions` of a shared schema
          zip: t.Ref('address#zip'), // a sub-schema of a shared schema by its $id
          street: t.Optional(t.Ref('address#/properties/street')), // a property of a shared schema
          code: t.Optional(t.Ref('#code')), // a sub-schema of the same schema by its $id
          last: t.Optional(t.String({ $id: '#code', minLength: 2 })),
        },
      },
    },
    ({ query }) => ({ country: query.country, zip: query.zip, street: query.street }),
  )
  // A schema is as visible as a decorator: here, and below, and nowhere else.
  .register(async (child) =>
    child
      .addSchema(t.Object({ note: t.String() }, { $id: 'note' }))
      .get('/sub', (request) => Object.keys(request.server.getSchemas())),
  )
  .get('/deep', (request) => Object.keys(request.server.getSchemas()))

await startWhenRun(import.meta.url, app, (url) => [
  `curl '${url}/lookup?country=DE&zip=10115'`,
  `curl '${url}/lookup?country=UK&zip=1'`,
  `curl ${url}/sub    # address, person and note`,
  `curl ${url}/deep   # address and person`,
])
