// Errors: words of one's own in the schema (ajv-errors), a formatter, a handler that answers a failed
// validation with 422 in the client's language (ajv-i18n), and a not-found handler.
import { createRequire } from 'node:module'
import ajvErrors from 'ajv-errors'
import espalier, { errorCodes, t } from 'espalier'
import { startWhenRun } from './start.ts'

type Localize = (errors: unknown) => void
// Its typings describe another system of modules.
const languages = createRequire(import.meta.url)('ajv-i18n') as Record<string, Localize>

const Signup = t.Object({
  name: t.String({ minLength: 2 }),
  age: t.Integer({ minimum: 18 }),
})

class OutOfStock extends Error {
  readonly statusCode = 409
  readonly item: string
  constructor(item: string) {
    super(`${item} is out of stock`)
    this.item = item
  }
}

// `allErrors` is for ajv-errors. It lets a client make the validator work: keep bodies small.
export const app = espalier({
  ajv: { customOptions: { allErrors: true }, plugins: [ajvErrors] },
  bodyLimit: 1024,
})
  // What can arrive is told apart by looking at it.
  .setErrorHandler((error, request, reply) => {
    if (error.validation !== undefined) {
      localizeFor(request.headers['accept-language'], error.validation)
      return reply.code(422).send({ part: error.validationContext, problems: error.validation })
    }
    if (error instanceof OutOfStock) return reply.code(409).send({ sold: error.item })
    if (error instanceof errorCodes.ESP_ERR_CTP_BODY_TOO_LARGE) {
      return reply.code(413).send({ limit: request.routeOptions.bodyLimit })
    }
    throw error
  })
  .setNotFoundHandler((request, reply) => reply.code(404).send({ nothingAt: request.url }))
  .post('/signup', { schema: { body: Signup } }, ({ body }) => ({ welcome: body.name }))
  .get('/buy/:item', ({ params }) => {
    throw new OutOfStock(params.item)
  })
  .get('/fails', () => {
    throw new Error('the password of the database is wrong')
  })
  // Messages that stand in the schema, under the property and the rule that they are for.
  .register(async (child) =>
    child
      .setErrorHandler((error, _request, reply) => reply.code(400).send({ message: error.message }))
      .setSchemaErrorFormatter((errors, part) => {
        const problems = errors.map(({ message }) => message)
        return new Error(`The ${part} is wrong: ${problems.join('; ')}.`)
      })
      .post(
        '/rooms',
        {
          schema: {
            body: {
              type: 'object',
              required: ['beds'],
              properties: {
                beds: {
                  type: 'integer',
                  maximum: 4,
                  errorMessage: { type: 'beds are counted', maximum: 'no room has so many beds' },
                },
              },
              errorMessage: { required: { beds: 'how many beds?' } },
            },
          },
        },
        ({ body }) => ({ beds: body.beds }),
      ),
  )

function localizeFor(accepted: string | undefined, errors: unknown): void {
  const language = /^[a-z]{2}/.exec(accepted ?? '')?.[0] ?? 'en'
  languages[language]?.(errors)
}

const json = `-H 'content-type: application/json'`
await startWhenRun(import.meta.url, app, (url) => [
  `curl ${url}/signup ${json} -H 'accept-language: de' -d '{"age":3}'   # 422, in German`,
  `curl ${url}/rooms ${json} -d '{"beds":9}'                            # 400, in words of the schema`,
  `curl ${url}/buy/tea                                                  # 409`,
  `curl ${url}/fails                                                    # 500 without the message`,
  `curl ${url}/nowhere                                                  # 404`,
])
