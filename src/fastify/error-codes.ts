import { errorCodePrefix, errorCodes as ownCodes, type ErrorCode } from '../errors/codes.ts'
import { fastifyDialect } from '../dialect/fastify.ts'
import type { ErrorClass } from '../errors/create-error.ts'

/** The classes of errors by code, and by the code that Fastify has in its place. */
export type FastifyErrorCodes = Readonly<Record<ErrorCode | FastifyCode<ErrorCode>, ErrorClass>>

type FastifyCode<Code> = Code extends `ESP_ERR_${infer What}` ? `FST_ERR_${What}` : never

/** The class of an error whose instances have Fastify's code. Those that the framework makes are instances too. */
function named(errorClass: ErrorClass): ErrorClass {
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

const classes = Object.values(ownCodes).map((each) => named(each))

/** Every coded error, under its own code and under Fastify's. */
export const errorCodes: FastifyErrorCodes = Object.freeze({
  ...ownCodes,
  // What fromEntries gives has any key: which ones they are is said by `FastifyErrorCodes`.
  ...(Object.fromEntries(classes.map((each) => [each.code, each])) as Record<
    FastifyCode<ErrorCode>,
    ErrorClass
  >),
})
