import { errorCodePrefix, errorCodes as ownCodes, type ErrorCode } from '../errors/codes.ts'
import type { ErrorClass } from '../errors/create-error.ts'

/** The classes of errors by code, and by the code that Fastify has in its place. */
export type FastifyErrorCodes = Readonly<Record<ErrorCode | FastifyCode<ErrorCode>, ErrorClass>>

type FastifyCode<Code> = Code extends `ESP_ERR_${infer What}` ? `FST_ERR_${What}` : never

const named = Object.entries(ownCodes).map(([code, errorClass]) => [
  code.replace(errorCodePrefix, 'FST_ERR_'),
  errorClass,
])

/** Every coded error, under its own code and under Fastify's. What an error carries is its own. */
export const errorCodes: FastifyErrorCodes = Object.freeze({
  ...ownCodes,
  // What fromEntries gives has any key: which ones they are is said by `FastifyErrorCodes`.
  ...(Object.fromEntries(named) as Record<FastifyCode<ErrorCode>, ErrorClass>),
})
