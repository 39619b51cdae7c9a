import { errorCodes } from '../errors/codes.ts'
import type { ErrorPolicy } from '../dialect/dialect.ts'
import { describe } from '../errors/describe.ts'
import { ignoreRejection } from '../types/promises.ts'
import { isObject } from '../types/objects.ts'
import type {
  HttpPart,
  SchemaErrorFormatter,
  ValidationError,
  ValidationRecord,
} from '../schema/compiler-types.ts'

/** A failed validation. */
interface ValidationFailure {
  /** The result of the validator: a list of records, or the error of a custom library. */
  readonly errors: NonNullable<unknown>
  readonly part: HttpPart
  /** What messages call the part. @default its name */
  readonly subject?: string
  /** The server, which is `this` inside of the formatter. */
  readonly server: unknown
  readonly formatter: SchemaErrorFormatter | undefined
  /** The name of the route's plugin in messages. */
  readonly place: string
  readonly policy: ErrorPolicy
}

/** Makes the error of a failed validation (specification 2.7): status 400, with the result of the
 *  validator as `validation` and the part as `validationContext`.
 *  @throws ESP_ERR_SCH_ERROR_FORMATTER when the formatter does not return an Error */
export function createValidationError(failure: ValidationFailure): ValidationError {
  const { errors, policy } = failure
  const isPassedOn = !policy.wrapsForeign && errors instanceof Error
  if (isPassedOn && Object.isExtensible(errors)) return complete(errors, failure)
  const made = Array.isArray(errors)
    ? formatList(failure, errors as ValidationRecord[])
    : wrapForeign(errors, failure)
  const error = Object.isExtensible(made) ? made : wrapForeign(made, failure)
  const { code } = error as Partial<ValidationError>
  return Object.assign(error, {
    statusCode: 400,
    code: code ?? policy.validationCode,
    validation: errors,
    validationContext: failure.part,
  })
}

/** Adds the missing properties to the error of a custom validator, in a dialect that passes on that
 *  very error. */
function complete(
  error: Partial<ValidationError>,
  { part, policy }: ValidationFailure,
): ValidationError {
  error.statusCode ??= 400
  error.code ??= policy.validationCode
  error.validationContext ??= part
  // cast: nothing is missing any more
  return error as ValidationError
}

function formatList(failure: ValidationFailure, errors: readonly ValidationRecord[]): Error {
  const { formatter, server, part, place } = failure
  if (formatter === undefined) return formatRecords(errors, failure)
  const error: unknown = formatter.call(server, errors, part)
  if (error instanceof Error) return error
  ignoreRejection(error)
  throw new errorCodes.ESP_ERR_SCH_ERROR_FORMATTER(place, describe(error))
}

/** The default formatter: one clause for each record, as `body/age must be integer`. */
function formatRecords(
  errors: readonly ValidationRecord[],
  { part, subject = part, policy }: ValidationFailure,
): Error {
  let text = ''
  for (const { instancePath = '', message = 'is not valid' } of errors)
    text += `${text && ', '}${subject}${instancePath} ${message}`
  return createWithoutStack(policy, text || `${subject} is not valid`)
}

/** Makes an error whose cause is the error of a custom library, which itself is not changed. */
function wrapForeign(error: unknown, { part, policy }: ValidationFailure): Error {
  const message = isObject(error) ? error['message'] : error
  const text = typeof message === 'string' && message !== '' ? message : `${part} is not valid`
  return createWithoutStack(policy, text, error)
}

/** Makes an error without a stack. A refused request is no fault of the program, and capturing a
 *  stack costs a hundred times more than all other work here: it invites a denial of service. */
function createWithoutStack(policy: ErrorPolicy, message: string, cause?: unknown): Error {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return policy.refuse(message, cause)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
