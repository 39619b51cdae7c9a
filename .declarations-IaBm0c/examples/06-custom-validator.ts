// Any validation library can take ajv's place: for one route, or for a context and its children.
// A validator compiler makes a function that returns { value } or { error }, or a promise of either.
import espalier, { t } from 'espalier'
import * as yup from 'yup'
import { startWhenRun } from './start.ts'

const Signup = yup.object({ email: yup.string().email().required(), age: yup.number().min(18) })

export const app = espalier()
  // Beside it, ajv validates as ever.
  .get('/ajv', { schema: { querystring: { n: t.Integer() } } }, ({ query }) => ({ n: query.n }))
  .register(async function signups(child) {
    child.setValidatorCompiler(({ schema }) => {
      if (!yup.isSchema(schema)) throw new Error('a yup schema is expected here')
      return async (data: unknown) => {
        try {
          return { value: await schema.validate(data, { abortEarly: false }) }
        } catch (error) {
          return { error }
        }
      }
    })
    // A handler of this context sees what the library said: `validation` is its own error.
    child.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof Error) || !('validation' in error)) throw error
      const { validation } = error
      const problems = validation instanceof yup.ValidationError ? validation.errors : []
      return reply.code(422).send({ problems })
    })
    child.post('/signup', { schema: { body: Signup } }, (request) => ({ got: request.body }))
  })

const json = `-H 'content-type: application/json'`
await startWhenRun(import.meta.url, app, (url) => [
  `curl ${url}/signup ${json} -d '{"email":"ada@example.org","age":"36"}'`,
  `curl ${url}/signup ${json} -d '{"email":"nobody","age":7}'     # 422, both problems`,
  `curl '${url}/ajv?n=x'                                          # 400`,
])
