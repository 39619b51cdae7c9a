// Validation and refusals of servers whose framework has no validator of JSON Schemas.
import { Ajv } from 'ajv'
import { failure } from './shared.mjs'

// As Espalier and Fastify have it by default.
const ajv = new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true })

export class Refusal extends Error {}

/** A function that validates and coerces one part of a request. It throws a refusal. */
export function validator(part, schema) {
  const validate = ajv.compile(schema)
  return (value) => {
    if (validate(value)) return value
    throw new Refusal(ajv.errorsText(validate.errors, { dataVar: part }))
  }
}

/** The body of a refusal. */
export const refused = (message) => failure(400, 'Bad Request', message)

/** The body where no route is found. */
export const notFound = (method, url) =>
  failure(404, 'Not Found', `Route ${method}:${url} not found`)
