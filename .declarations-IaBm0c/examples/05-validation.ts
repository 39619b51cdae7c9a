// Validation by ajv, with the baseline of the specification: values are coerced to the schema's
// types, a single value becomes a list where a list is expected, defaults are filled in, and what
// `additionalProperties: false` excludes is removed. The handler reads the result, typed.
import espalier, { t } from 'espalier'
import { startWhenRun } from './start.ts'

const Order = t.Object(
  {
    item: t.String({ minLength: 1 }),
    count: t.Integer({ minimum: 1, default: 1 }),
    gift: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
)

export const app = espalier()
  .get(
    '/',
    { schema: { querystring: { ids: t.Array(t.Integer(), { default: [] }) } } },
    (request) => ({ params: request.query }),
  )
  .post(
    '/orders/:shop',
    {
      schema: {
        params: { shop: t.Integer() },
        headers: { 'x-priority': t.Integer({ default: 3 }) },
        body: Order,
      },
    },
    ({ params, headers, body }) => ({
      shop: params.shop,
      priority: headers['x-priority'],
      ...body,
    }),
  )
  // With attachValidation the handler runs all the same, and decides what a failure means.
  .post('/lenient', { schema: { body: Order }, attachValidation: true }, (request, reply) => {
    const { validationError } = request
    if (validationError === undefined) return { ok: true }
    return reply
      .code(400)
      .send({ part: validationError.validationContext, text: validationError.message })
  })

const json = `-H 'content-type: application/json'`
await startWhenRun(import.meta.url, app, (url) => [
  `curl '${url}/?ids=1'                                       # {"params":{"ids":[1]}}`,
  `curl ${url}/orders/7 ${json} -d '{"item":"tea","x":1}'     # count 1, priority 3, no x`,
  `curl ${url}/orders/7 ${json} -d '{"count":0}'              # 400`,
  `curl ${url}/lenient ${json} -d '{}'`,
])
