import { errorCodes } from '../errors/codes.ts'
import type { ErrorPolicy } from '../dialect/dialect.ts'
import { describe, ignoreRejection, isObject } from '../schema/values.ts'
import type {
  HttpPart,
  SchemaErrorFormatter,
  ValidationError,
  ValidationRecord,
} from '../schema/compiler-types.ts'

/** What the error of a failed validation is made from. */
export interface ValidationFailure {
  /** What the validator returned: a list of records, or the error of a custom library. */
  readonly errors: NonNullable<unknown>
  readonly part: HttpPart
  /** The server, which is `this` inside the formatter. */
  readonly server: unknown
  readonly formatter: SchemaErrorFormatter | undefined
  /** The plugin that the route stands in, for messages. */
  readonly place: string
  readonly policy: ErrorPolicy
}

/** Makes the error of a failed validation (specification 2.7): status 400, with the validator's own
 *  result as `validation` and the part as `validationContext`.
 *  @throws ESP_ERR_SCH_ERROR_FORMATTER when the formatter does not return an Error */
export function createValidationError(failure: ValidationFailure): ValidationError {
  const { errors, policy } = failure
  const isPassedOn = !policy.wrapsForeign && errors instanceof Error
  if (isPassedOn && Object.isExtensible(errors)) return complete(errors, failure)
  const made = isList(errors) ? formatList(failure, errors) : wrapForeign(errors, failure)
  const error = Object.isExtensible(made) ? made : wrapForeign(made, failure)
  const { code } = error as Partial<ValidationError>
  return Object.assign(error, {
    statusCode: 400,
    code: code ?? policy.validationCode,
    validation: errors,
    validationContext: failure.part,
  })
}

/** Where programs for Fastify look for the very error of a custom validator, it is given what it lacks. */
function complete(
  error: Partial<ValidationError>,
  { part, policy }: ValidationFailure,
): ValidationError {
  error.statusCode ??= 400
  error.code ??= policy.validationCode
  error.validationContext ??= part
  // cast: it is whole now
  return error as ValidationError
}

/** The default formatter: `body/age must be integer`, one such clause for each record. */
export function formatSchemaErrors(
  errors: readonly ValidationRecord[],
  { part, policy }: Pick<ValidationFailure, 'part' | 'policy'>,
): Error {
  const clauses = errors.map(
    ({ instancePath, message = 'is not valid' }) => `${part}${instancePath ?? ''} ${message}`,
  )
  return withoutStack(policy, clauses.join(', ') || `${part} is not valid`)
}

function formatList(failure: ValidationFailure, errors: readonly ValidationRecord[]): Error {
  const { formatter, server, part, place } = failure
  if (formatter === undefined) return formatSchemaErrors(errors, failure)
  const error: unknown = formatter.call(server, errors, part)
  if (error instanceof Error) return error
  ignoreRejection(error)
  throw new errorCodes.ESP_ERR_SCH_ERROR_FORMATTER(place, describe(error))
}

/** The error of a custom library is not changed: it becomes the cause of ours. */
function wrapForeign(error: unknown, { part, policy }: ValidationFailure): Error {
  const message = isObject(error) ? error['message'] : error
  const text = typeof message === 'string' && message !== '' ? message : `${part} is not valid`
  return withoutStack(policy, text, error)
}

/** A refused request is no fault of the program, and capturing a stack would cost a hundred times
 *  more than all else here: it invites a denial of service. */
function withoutStack(policy: ErrorPolicy, message: string, cause?: unknown): Error {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return policy.refuse(message, cause)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function isList(errors: unknown): errors is readonly ValidationRecord[] {
  return Array.isArray(errors)
}
