import { fastifyDialect } from '../dialect/fastify.ts'
import {
  errorCodePrefix,
  errorCodes as ownCodes,
  type ErrorClass,
  type ErrorCode,
} from '../errors/codes.ts'

/** The error classes by code, under the codes of Espalier and under those of Fastify. */
export type FastifyErrorCodes = Readonly<Record<ErrorCode | FastifyCode<ErrorCode>, ErrorClass>>

type FastifyCode<Code> = Code extends `ESP_ERR_${infer Name}` ? `FST_ERR_${Name}` : never

/** Makes an error class whose instances have Fastify's code. The errors of the framework itself are
 *  instances of it too. */
function withFastifyCode(errorClass: ErrorClass): ErrorClass {
  const code = errorClass.code.replace(errorCodePrefix, 'FST_ERR_')
  const FastifyError = class extends errorClass {
    static override readonly code = code
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof errorClass
    }
    constructor(...details: unknown[]) {
      super(...details)
      fastifyDialect.errors.show(this)
    }
  }
  return Object.defineProperty(FastifyError, 'name', { value: code })
}

const classes = Object.values(ownCodes).map(withFastifyCode)

/** The classes of all coded errors, under the codes of Espalier and under those of Fastify. */
export const errorCodes: FastifyErrorCodes = Object.freeze({
  ...ownCodes,
  // The keys of `fromEntries` are any strings by their type, and Fastify's codes in fact.
  ...(Object.fromEntries(classes.map((each) => [each.code, each])) as Record<
    FastifyCode<ErrorCode>,
    ErrorClass
  >),
})
