// A route is called by a key that is not there, or with the wrong input.
import espalier, { t } from 'espalier'
import { client } from 'espalier/client'
import { app } from './scope.js'

const routes = app
  .get('/users', () => [1])
  .get('/users/:id', { schema: { params: { id: t.Integer() } } }, () => 1)
  .post('/users', { schema: { body: { name: t.String() } } }, () => 1)
const api = client<typeof routes>('')

routes.inject('GET /usrs') // <- '"GET /usrs"' is not assignable to parameter of type '"GET /users"
routes.inject('GET /usrs', { params: { id: 1 } }) // <- '"GET /usrs"' is not assignable to parameter of type '"GET /users"
routes.inject('GET /users/:id') // <- Route 'GET /users/:id' takes an input with 'params', which is missing
routes.inject('GET /users/:id', { params: { id: 'x' } }) // <- Type '"x"' is not assignable to type 'number | `${number}`'
routes.inject('POST /users', { body: { nam: '' } }) // <- 'nam' does not exist in type '{ name: string; }'
routes.inject('GET /usrs', {}, { cookies: { a: '' } }) // <- '"GET /usrs"' is not assignable to parameter of type '"GET /users"
routes.inject('GET /users/:id', { params: { id: 'x' } }, { cookies: { a: '' } }) // <- Type '"x"' is not assignable to type 'number | `${number}`'
routes.inject('GET /users', {}, { cookie: { a: '' } }) // <- 'cookie' does not exist in type 'InjectCallOptions'
routes.inject('GET /users', { cookies: { a: '' } }) // <- 'cookies' does not exist in type
routes.inject('/users', {}, { cookies: { a: '' } }) // <- Expected 1 arguments, but got 3
api('GET /usrs') // <- '"GET /usrs"' is not assignable to parameter of type '"GET /users"
api('GET /users/:id') // <- Expected 2-3 arguments, but got 1
api('POST /users', {}) // <- Property 'body' is missing
api('GET /users/:id', { params: { id: 'x' } }) // <- Type '"x"' is not assignable to type 'number | `${number}`'
api('POST /users', { body: { nam: '' } }) // <- 'nam' does not exist in type '{ name: string; }'

// No type was given, or that of a server whose routes were declared in statements, each for itself.
client('')('GET /users') // <- The type of this client has no routes
const statements = espalier()
statements.get('/users', () => [1])
client<typeof statements>('')('GET /users', { query: {} }) // <- The type of this client has no routes
