// What a generator gives is no item of the stream, or there is no stream.
import { event, t } from 'espalier'
import { app } from './scope.js'

const users = {
  response: { 200: { content: { 'text/event-stream': { itemSchema: t.Ref('user#') } } } },
} as const
const csv = {
  response: { 200: { content: { 'text/csv': { itemSchema: t.String() } } } },
} as const
const user = { response: { 200: t.Ref('user#') } } as const

app.get('/a', { schema: users }, async function* () {
  // <- The yielded 'id' is a string, where the response schema has a number
  yield { id: '1', name: 'Ada' }
})
app.get('/b', { schema: users }, async function* () {
  // <- The yielded item lacks 'name', which the response schema requires
  yield event({ id: 1 }, { id: 1 })
})
app.get('/c', { schema: user }, async function* () {
  // <- The returned value is an async iterable, whose items the response schema does not have: declare them as 'itemSchema', or for text a content type without 'schema'
  yield { id: 1, name: 'Ada' }
})
app.get('/d', { schema: users }, () => ({ id: 1, name: 'Ada' })) // <- The returned value is an object, where the response schema has a stream of items
app.get('/e', async function* () {
  // <- Without a response schema an async iterable gives text or bytes: declare its items
  yield { id: 1 }
})
app.get('/f', { schema: csv }, () => 'a') // <- 'itemSchema' is for responses of text/event-stream
app.get('/g', { schema: users }, (_request, reply) => reply.send(wrong())) // <- is not assignable to type 'AsyncIterable<

async function* wrong() {
  yield { id: '1', name: 'Ada' }
}
