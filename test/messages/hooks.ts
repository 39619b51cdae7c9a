// A hook has a name that is none, or does not fit its name.
import { app } from './scope.js'

app.addHook('preHandlr', async () => {}) // <- '"preHandlr"' is not assignable to parameter of type '"on
app.addHook('onRequest', () => 1) // <- Gives<"an onRequest hook gives nothing, or the reply"
app.addHook('preHandler', () => ({ user: 'ada' })) // <- Gives<"a preHandler hook gives nothing, or the reply"
app.addHook('preHandler', async (request) => {
  // <- Gives<"a preHandler hook gives nothing, or the reply"
  return request.answer === 42
})
app.addHook('onSend', () => 5) // <- Gives<"an onSend hook gives nothing, or what is sent: text, bytes, a stream or a Response"
app.addHook('preParsing', async () => 'text') // <- Gives<"a preParsing hook gives nothing, a stream, or the reply"
app.addHook('onError', async () => 1) // <- Gives<"an onError hook gives nothing"
app.addHook('preHandler', (request, reply, done) => done('failed')) // <- 'string' is not assignable to parameter of type 'Error'
app.derive('onSend', () => ({ a: 1 })) // <- is not assignable to parameter of type '"onRequest" |
app.get('/a', { preHandlers: async () => {} }, () => 1) // <- 'preHandlers' does not exist in type
app.get('/b', { preHandler: () => 1 }, () => 1) // <- Type 'number' is not assignable to type 'void |
app.addHook('onRequest', async (request, reply, done) => done()) // <- "A hook that is async, or returns a promise, takes no 'done': drop one of the two"
app.addHook('onSend', async (request, reply, payload, done) => {
  // <- "A hook that is async, or returns a promise, takes no 'done': drop one of the two"
  done(null, payload)
})
