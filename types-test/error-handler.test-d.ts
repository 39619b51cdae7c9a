// An error handler gets what was thrown, of any route of its scope, and answers it.
import espalier, {
  errorCodes,
  EspalierError,
  t,
  type CodedError,
  type ErrorHandlerFor,
  type ForeignFailure,
  type HandledError,
  type HttpPart,
  type ThrownValue,
  type ValidationError,
  type ValidationIssue,
  type ValidationRecord,
} from 'espalier'
import { expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier()
  .decorate('db', { name: 'x' })
  .decorateRequest('answer', 42)
  .decorateReply('ok', () => true)

// Its arguments and its `this` have the decorators of the scope.
app.setErrorHandler(function (error, request, reply) {
  expectType<false>(isAny(this))
  expectType<false>(isAny(error))
  expectType<false>(isAny(request))
  expectType<false>(isAny(reply))
  expectType<{ name: string }>(this.db)
  expectType<number>(request.answer)
  expectType<boolean>(reply.ok())
  expectError(this.redis)
  expectError(request.question)
  expectError(reply.fail())
  return reply.code(500).send({})
})

// The error is one of three: a failed validation, one of the framework's own, or whatever else was
// thrown. They are told apart without a cast.
app.setErrorHandler((error) => {
  expectType<HandledError>(error)
  expectType<false>(isAny(error.message))
  if (error.validation) expectType<ValidationError>(error)
  if (error.validation !== undefined) {
    expectType<ValidationError>(error)
    expectType<HttpPart>(error.validationContext)
    expectType<number>(error.statusCode)
    expectType<string>(error.message)
    expectType<readonly ValidationIssue[]>(error.issues)
    // A custom library says what it will: only a list is one of records.
    expectError(error.validation.length)
    if (Array.isArray(error.validation)) {
      expectType<ValidationRecord[]>(error.validation)
      expectType<string | undefined>(error.validation[0]?.instancePath)
    } else expectType<ForeignFailure>(error.validation)
    return {}
  }
  expectType<CodedError | ThrownValue>(error)
  if (error instanceof errorCodes.ESP_ERR_CTP_BODY_TOO_LARGE) {
    expectType<string>(error.code)
    expectType<number>(error.statusCode)
    return {}
  }
  if (error instanceof EspalierError) {
    expectType<string>(error.code)
    expectType<string>(error.message)
    return {}
  }
  if (error instanceof RangeError) {
    expectType<string>(error.message)
    expectType<string>(error.name)
    return {}
  }
  if (typeof error.statusCode === 'number') expectType<number>(error.statusCode)
  return {}
})
app.setErrorHandler((error) => {
  if (typeof error === 'string') expectType<string>(error.trim())
  if (typeof error === 'number') expectType<string>(error.toFixed())
  return {}
})

// What was thrown may be anything, so nothing is taken for granted of it.
app.setErrorHandler((error) => {
  expectType<unknown>(error.message)
  expectType<unknown>(error.code)
  expectType<unknown>(error.statusCode)
  expectType<HttpPart | undefined>(error.validationContext)
  expectError(error.message.length)
  expectError(error.status)
  expectError<Error>(error)
  return error instanceof Error ? { message: error.message.length } : {}
})

// The request is of any route.
app.setErrorHandler((_error, request) => {
  expectType<unknown>(request.params)
  expectType<unknown>(request.query)
  expectType<unknown>(request.body)
  expectError(request.body.name)
  return {}
})

// It sends, returns a payload, or does either later; any status will do.
app.setErrorHandler((error, _request, reply) => {
  expectError(reply.code('500'))
  expectError(reply.code(error.statusCode ?? 500))
  return reply.code(error.validation ? 422 : 500).send({ message: error.message })
})
app.setErrorHandler(async (error) => ({ message: error.message }))
app.setErrorHandler((_error, _request, reply) => {
  reply.send('x')
})
expectError(app.setErrorHandler(1))
expectError(app.setErrorHandler())
expectError(app.setErrorHandler((error: number) => error))
expectError(app.setErrorHandler((error: Error) => error))
app.setErrorHandler((error: unknown) => error)

// It is chained, and leaves the type as it is.
const chained = app.get('/a', () => 1).setErrorHandler(() => 1)
expectType<{ name: string }>(chained.db)
expectType<number>((await chained.inject('GET /a')).json())
expectError(chained.redis)

// That of a child sees what the child has.
app.register((child) =>
  child.decorateRequest('mine', 'x').setErrorHandler((_error, request) => {
    expectType<string>(request.mine)
    expectError(request.question)
    return {}
  }),
)

// That of a route sees the scope, whatever the route declares.
app.post(
  '/:id',
  {
    schema: { body: { n: t.Integer() }, response: { 200: t.Integer() } },
    errorHandler(error, request, reply) {
      expectType<false>(isAny(this))
      expectType<HandledError>(error)
      expectType<number>(request.answer)
      expectType<unknown>(request.body)
      expectError(request.body.n)
      return reply.code(418).send({ any: 'thing' })
    },
  },
  ({ body }) => body.n,
)

// The framework's own errors are classes by code.
const error = new errorCodes.ESP_ERR_VALIDATION('words')
expectType<string>(error.code)
expectType<number>(error.statusCode)
expectError(new errorCodes.ESP_ERR_VALIDATOIN('words'))

// The error of a failed validation is made by a formatter, which is synchronous.
app.setSchemaErrorFormatter(function (errors, dataVar) {
  expectType<false>(isAny(this))
  expectType<false>(isAny(errors))
  expectType<{ name: string }>(this.db)
  expectType<'body' | 'params' | 'querystring' | 'headers'>(dataVar)
  expectType<string | undefined>(errors[0]?.message)
  expectError(this.redis)
  return new Error(dataVar)
})
expectError(app.setSchemaErrorFormatter(async () => new Error('x')))
expectError(app.setSchemaErrorFormatter(() => 'x'))

// One in a file of its own says what it needs of its scope.
const failed: ErrorHandlerFor<{ server: { key: string }; request: { user?: string | undefined } }> =
  function (error, request, reply) {
    expectType<HandledError>(error)
    expectType<string | undefined>(request.user)
    expectType<unknown>(request.body)
    expectType<false>(isAny(this.key))
    this.log.info(this.key)
    expectError(request.usr)
    expectError(reply.code('x'))
    return reply.code(500).send({ user: request.user })
  }
const keyed = espalier().decorate('key', 'x')
keyed.derive('onRequest', async () => ({ user: 'ada' })).setErrorHandler(failed)
keyed.decorateRequest('user', 'ada').get('/', { errorHandler: failed }, () => 1)
expectError(keyed.setErrorHandler(failed).decorateRequest('user', 1).setErrorHandler(failed))
expectError(espalier().setErrorHandler(failed))
const plainly: ErrorHandlerFor = (_error, _request, reply) => reply.code(500).send('failed')
espalier().setErrorHandler(plainly)
keyed.setErrorHandler(plainly)

// One that returns nothing and takes no reply answers nothing.
const silent = espalier()
expectError(silent.setErrorHandler(() => {}))
expectError(silent.setErrorHandler(async () => {}))
expectError(silent.setErrorHandler(() => undefined))
expectError(silent.setErrorHandler((error) => console.error(error)))
expectError(silent.setErrorHandler(async (error, request) => request.log.error(error)))
expectError(
  silent.setErrorHandler(function () {
    this.log.error('failed')
  }),
)
const logged = (error: HandledError): void => console.error(error)
expectError(silent.setErrorHandler(logged))

// One that takes the reply may send it, and one that throws, or returns a payload at times, answers.
silent.setErrorHandler((_error, _request, reply) => {
  reply.send('failed')
})
silent.setErrorHandler(async (_error, _request, reply) => {
  await reply.send('failed')
})
silent.setErrorHandler((...args) => {
  args[2].send('failed')
})
silent.setErrorHandler((...args: any[]) => console.error(args))
silent.setErrorHandler((_error: unknown, _request: unknown, reply: any) => console.error(reply))
silent.setErrorHandler((_error: unknown, _request: unknown, reply: { sent: boolean }) => {
  console.error(reply.sent)
})
silent.setErrorHandler((error) => {
  throw error
})
silent.setErrorHandler(async (error) => {
  throw error
})
silent.setErrorHandler(() => null)
silent.setErrorHandler(({ validation }) => (validation ? 'invalid' : undefined))
declare const anyHandler: any
silent.setErrorHandler(anyHandler)
silent.setErrorHandler((error) => anyHandler(error))
function around<T>(get: (error: unknown) => T, load: () => Promise<T>) {
  silent.setErrorHandler(get).setErrorHandler(load)
  silent.setErrorHandler((error) => get(error)).setErrorHandler(async () => await load())
}
around(String, async () => '')

// The issues of a failed validation have one shape, also for a handler with `attachValidation`. Another error may have a
// field of that name, of any type.
app
  .setErrorHandler((error) => {
    expectType<unknown>(error.issues)
    if (!error.validation) return {}
    for (const issue of error.issues) {
      expectType<HttpPart>(issue.part)
      expectType<string>(issue.pointer)
      expectType<string>(issue.code)
      expectType<unknown>(issue.expected)
      expectType<string>(issue.message)
      if (issue.received === 'missing') return { missing: issue.pointer }
      expectError((issue.pointer = ''))
    }
    return {}
  })
  .post('/issues', { schema: { body: { n: t.Integer() } }, attachValidation: true }, (request) => {
    if (!request.validationError) return []
    expectType<readonly ValidationIssue[]>(request.validationError.issues)
    return request.validationError.issues
  })
