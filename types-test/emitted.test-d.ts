// A client of a file that `espalier contract emit` writes has the types that the file says, and knows nothing else.
import { client, type CallArguments, type Client, type Emitted } from 'espalier/client'
import type { AnyFormData, FetchBody, InputOf, ResponseOf, RouteKey } from 'espalier/client'
import { socket } from 'espalier/socket'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import type { Equal } from './support.js'

interface Routes {
  'GET /': { request: {}; responses: { '2xx': { json: { up: boolean } } } }
  'POST /': { request: {}; responses: { '2xx': { json: unknown } } }
  'GET /users/:id': {
    request: { params: { id: `${number}` | number }; query?: { page?: `${number}` | number } }
    responses: { 200: { json: User }; 204: {}; 404: { json: { message: string } } }
  }
  'PUT /users/:id': {
    request: { params: { id: number }; headers: { 'x-token': string }; body: { name: string } }
    responses: {
      '2xx': { json: User }
      409: { json: User[] }
      '4xx': { json: string }
      default: {}
    }
  }
  'POST /users': {
    request: { body: { name: string; age?: number } }
    responses: { 201: { json: User }; '2xx': { json: { later: true } } }
  }
  'PATCH /:kind': {
    request: { params: { kind: 'a' }; body: 1 } | { params: { kind: 'b' }; body: 2 }
    responses: { 200: {} }
  }
  'GET /file': { request: {}; responses: { 200: { bytes: true } } }
  'POST /form': { request: { body: AnyFormData }; responses: { 200: { bytes: true; form: true } } }
  'PUT /file': { request: { body?: FetchBody }; responses: { 204: {} } }
  'GET /events': { request: {}; responses: { 200: { bytes: true; events: { at: string } } } }
  'GET /lines': { request: {}; responses: { 200: { json: { n: 1 }[]; lines: { n: 1 } } } }
  'GET /room/:id': {
    request: { params: { id: string } }
    responses: { '2xx': { json: unknown } }
    websocket: { send: { text: string }; receive: { at: string } }
  }
}
interface User {
  id: number
  name: string
}
interface Api extends Emitted<Routes> {}

const api = client<Api>('')
expectType<keyof Routes>({} as RouteKey<Api>)

// The status says what the body is.
const found = await api('GET /users/:id', { params: { id: 1 }, query: { page: '2' } })
expectType<200 | 204 | 404>(found.statusCode)
expectError(found.json())
if (found.statusCode === 200) expectType<User>(found.json())
else if (found.statusCode === 404) expectType<{ message: string }>(found.json())
else expectError(found.json())
if (found.ok) expectType<200 | 204>(found.statusCode)
expectType<true>(found.declared)
expectType<Response>(found.raw)

// A class is all of its statuses that have no response of their own, and `default` is those of no class that is there.
const put = await api('PUT /users/:id', {
  params: { id: 1 },
  headers: { 'x-token': 'a' },
  body: { name: 'Ada' },
})
if (put.statusCode === 409) expectType<User[]>(put.json())
if (put.statusCode === 404) expectType<string>(put.json())
if (put.statusCode === 201) expectType<User>(put.json())
if (put.statusCode === 500) expectError(put.json())
const made = await api('POST /users', { body: { name: 'Ada' } })
if (made.statusCode === 201) expectType<User>(made.json())
else expectType<{ later: true }>(made.json())
expectType<true>(made.ok)
expectNotAssignable<400>(made.statusCode)

// What is sent is checked: all that is needed, and nothing that is not there.
expectError(api('GET /users/:id'))
expectError(api('GET /users/:id', {}))
expectError(api('GET /users/:id', { params: {} }))
expectError(api('GET /users/:id', { params: { id: 'x' } }))
expectError(api('GET /users/:id', { params: { id: 1 }, query: { pge: 1 } }))
expectError(api('GET /users/:id', { params: { id: 1 }, body: {} }))
expectError(api('PUT /users/:id', { params: { id: 1 }, body: { name: '' } }))
expectError(api('POST /users', { body: { name: 1 } }))
expectError(api('POST /users', { body: { name: '', ages: 1 } }))
api('GET /users/:id', { params: { id: 1 }, headers: { 'x-any': '1' } })
api('PATCH /:kind', { params: { kind: 'b' }, body: 2 })
expectError(api('PATCH /:kind', { params: { kind: 'b' }, body: 1 }))

// A key is one of the file.
expectError(api('GET /user/:id', { params: { id: 1 } }))
expectError(api('DELETE /users/:id', { params: { id: 1 } }))
expectError(api('/'))
expectError(api(''))

// A route without schemas takes anything; but a GET has no body.
expectType<{ up: boolean }>((await api('GET /')).json())
expectType<unknown>((await api('POST /', { body: [1], query: { a: 1 } })).json())
expectError(api('GET /', { body: 1 }))

// Bytes and forms are read later, and items as they come.
const file = await api('GET /file')
expectType<Promise<Uint8Array<ArrayBuffer>>>(file.bytes())
expectError(file.json())
expectError(file.events())
expectError(file.formData())
const form = await api('POST /form', { body: new FormData() })
expectType<Promise<FormData>>(form.formData())
expectError(form.json())
expectError(api('POST /form', { body: 'a=1' }))
api('PUT /file')
api('PUT /file', { body: new Uint8Array() })
const events = await api('GET /events')
for await (const item of events.events({ reconnect: true })) expectType<{ at: string }>(item)
for await (const { data } of events.messages()) expectType<{ at: string }>(data)
const lines = await api('GET /lines')
for await (const item of lines.events()) expectType<{ n: 1 }>(item)
expectType<{ n: 1 }[]>(lines.json())
expectError(lines.messages())

const room = await socket<Api>('')('/room/:id', { params: { id: 'a' } })
for await (const message of room) expectType<{ at: string }>(message)
expectError(room.send({ txt: '' }))
expectError(socket<Api>('')('/users/:id', { params: { id: 1 } }))

// The types of one route, and a function around the client.
expectType<User>(
  {} as ReturnType<Extract<ResponseOf<Api, 'GET /users/:id'>, { statusCode: 200 }>['json']>,
)
expectType<true>({} as Equal<ResponseOf<Api, 'GET /users/:id'>, typeof found>)
expectAssignable<InputOf<Api, 'POST /users'>>({ body: { name: '', age: 1 }, headers: {} })
expectNotAssignable<InputOf<Api, 'POST /users'>>({})
expectAssignable<CallArguments<Api, 'GET /'>>([])
expectAssignable<CallArguments<Api, 'POST /users'>>([
  { body: { name: '' } },
  { signal: AbortSignal.timeout(1) },
])
expectNotAssignable<CallArguments<Api, 'POST /users'>>([])
expectError<InputOf<Api, 'GET /none'>>({})
expectError<ResponseOf<Api, 'GET /none'>>({})
const call = <Key extends RouteKey<Api>>(key: Key, ...input: CallArguments<Api, Key>) =>
  api(key, ...input)
expectType<{ up: boolean }>((await call('GET /')).json())
expectError(call('POST /users'))

// Clients of two files are told apart, also where a key is in both.
interface Other extends Emitted<{
  'GET /': { request: {}; responses: { 200: { json: string } } }
  'GET /other': { request: {}; responses: { 200: {} } }
}> {}
const other = client<Other>('')
expectType<string>((await other('GET /')).json())
expectError(other('GET /file'))
expectError(api('GET /other'))
expectNotAssignable<Client<Api>>(other)
expectNotAssignable<Client<Other>>(api)
expectNotAssignable<Other>({} as Api)
expectNotAssignable<Api>({} as Other)

// The list of routes is no contract by itself.
expectError(client<Routes>(''))
