// A contract names a route by a key that is not its own, or what is no route; or a server does not serve it.
import espalier, { defineRoute, t, type Contract } from 'espalier'
import { client } from 'espalier/client'

const byId = defineRoute({
  method: 'GET',
  url: '/users/:id',
  schema: { params: { id: t.Integer() }, response: { 200: { name: t.String() } } },
  handler: () => ({ name: '' }),
})
const changed = defineRoute({
  method: 'GET',
  url: '/users/:id',
  schema: { params: { id: t.Integer() }, response: { 200: { title: t.String() } } },
  handler: () => ({ title: '' }),
})

interface Right {
  'GET /v1/users/:id': typeof byId
}
interface Misspelt {
  'GET /v1/users/:ID': typeof byId
}
interface NoRoute {
  'GET /v1/users/:id': typeof byId.handler
}
client<Contract<Misspelt>>('')('GET /v1/users/:ID', { params: { ID: 1 } }) // <- The contract has 'GET /users/:id' by another key
client<Contract<NoRoute>>('')('GET /v1/users/:id', { params: { id: 1 } }) // <- The contract has no route here: 'typeof' names one that 'defineRoute' made
client<Contract<Right>>('')('GET /v1/user/:id', { params: { id: 1 } }) // <- '"GET /v1/user/:id"' is not assignable to parameter of type '"GET /v1/users/:id"'
client<Right>('') // <- Property ''~context'' is missing in type 'Right'

const app = espalier()
const served = app.register(async (v1) => v1.addRoutes([byId]), { prefix: '/v1' })
served satisfies Contract<Misspelt> // <- Property ''GET /v1/users/:ID'' is missing in type
served satisfies Contract<NoRoute> // <- routes['GET /v1/users/:id']' are incompatible
app.addRoutes([byId]) satisfies Contract<Right> // <- Property ''GET /v1/users/:id'' is missing in type
app.register(async (v1) => v1.addRoutes([changed]), { prefix: '/v1' }) satisfies Contract<Right> // <- routes['GET /v1/users/:id']' are incompatible
