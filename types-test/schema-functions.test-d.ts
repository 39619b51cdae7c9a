// What a handler validates, serializes and reads by name.
import espalier, { t, type ValidationFunction } from 'espalier'
import { expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier()
  .decorate('db', { name: 'x' })
  .decorateRequest('answer', 42)
  .decorateRequest('user', null as { id: number } | null)
  .decorateRequest('who', { getter: () => 'x' })
  .decorateReply('ok', () => true)

app.post('/a', { schema: { body: { n: t.Integer() } } }, (request, reply) => {
  // Validators: of a part, or of a schema.
  expectType<ValidationFunction | undefined>(request.getValidationFunction('body'))
  expectType<ValidationFunction | undefined>(request.getValidationFunction({ type: 'object' }))
  expectType<ValidationFunction>(request.compileValidationSchema(t.Integer(), 'query' as never))
  expectType<boolean>(request.validateInput({}, t.Object({}), 'body'))
  expectType<boolean>(request.validateInput({}, 'querystring'))
  expectError(request.validateInput({}, 'query'))
  expectError(request.validateInput({}))
  expectError(request.getValidationFunction('cookies'))
  expectType<false>(isAny(request.getValidationFunction('body')))

  // Serializers: of a status, or of a schema.
  expectType<string | Uint8Array>(reply.serialize({ a: 1 }))
  expectType<((payload: unknown) => string) | undefined>(reply.getSerializationFunction(200))
  expectType<((payload: unknown) => string) | undefined>(
    reply.getSerializationFunction('2xx', 'application/json'),
  )
  expectType<(payload: unknown) => string>(reply.compileSerializationSchema(t.Integer(), 200))
  expectType<string>(reply.serializeInput(1, t.Integer(), 200, 'application/json'))
  expectType<string>(reply.serializeInput(1, '2xx', 'application/json'))
  expectError(reply.serializeInput(1))
  expectError(reply.serializeInput(1, 200, 404))
  reply.serializer((payload) => {
    expectType<unknown>(payload)
    return Buffer.from('x')
  })
  expectError(reply.serializer(() => 1))

  // Decorators by name, and no others.
  expectType<number>(request.getDecorator('answer'))
  expectType<{ id: number } | null>(request.getDecorator('user'))
  request.setDecorator('user', { id: 1 })
  expectError(request.setDecorator('user', { id: 'x' }))
  expectError(request.setDecorator('who', 'x'))
  expectError(request.getDecorator('question'))
  expectType<boolean>(reply.getDecorator('ok')())
  expectError(reply.getDecorator('answer'))
  expectType<{ name: string }>(request.server.getDecorator('db'))
  expectError(request.server.getDecorator('answer'))
  return {}
})

// In hooks too.
app.addHook('preHandler', async (request, reply) => {
  expectType<number>(request.getDecorator('answer'))
  request.setDecorator('user', null)
  expectError(request.getDecorator('ok'))
  expectType<number>(reply.elapsedTime)
  expectType<boolean>(reply.getDecorator('ok')())
})

// A serializer of a scope makes text or bytes.
app.setReplySerializer(function (payload, statusCode) {
  expectType<unknown>(payload)
  expectType<number>(statusCode)
  expectType<{ name: string }>(this.db)
  return JSON.stringify(payload)
})
app.setReplySerializer(() => new Uint8Array())
expectError(app.setReplySerializer(() => 1))
expectError(app.setReplySerializer(async () => 'x'))

// The server.
expectType<boolean>(app.hasPlugin('x'))
expectType<string>(app.printPlugins())
expectError(app.hasPlugin(1))
