import { errorCodes } from '../errors/codes.ts'
import type { EspalierError } from '../errors/espalier-error.ts'
import type { ErrorPolicy } from '../dialect/dialect.ts'
import { describe } from '../errors/describe.ts'
import { ignoreRejection } from '../types/promises.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import type {
  HttpPart,
  SchemaErrorFormatter,
  ValidationError,
  ValidationIssue,
  ValidationRecord,
} from '../schema/compiler-types.ts'
import { mostErrors } from './error-limit.ts'
import { toIssues } from './issues.ts'
import type { Refusal } from './run-validator.ts'

/** How the errors of a route's failed validations are made. */
export interface ValidationRules {
  /** What messages call the part. @default its name */
  readonly subject?: string
  /** The server, which is `this` inside of the formatter. */
  readonly server: unknown
  readonly formatter: SchemaErrorFormatter | undefined
  /** The name of the route's plugin in messages. */
  readonly place: string
  readonly policy: ErrorPolicy
  /** The bundle that was compiled for the schema of a part. */
  readonly bundle: (given: unknown, part: HttpPart) => JsonObject | undefined
}

/** A failed validation. */
export interface ValidationFailure {
  readonly part: HttpPart
  /** The schema, as the route has it. */
  readonly schema: unknown
  readonly data: unknown
  readonly refusal: Refusal
  readonly rules: ValidationRules
}

const computed = new WeakMap<ValidationFailure, readonly ValidationIssue[]>()

function issuesOf(failure: ValidationFailure): readonly ValidationIssue[] {
  const { part, schema, data, refusal, rules } = failure
  const { error: errors, issues: given } = refusal
  const known = computed.get(failure)
  if (known !== undefined) return known
  const made = toIssues({ part, data, errors, given, schema: rules.bundle(schema, part) })
  computed.set(failure, made)
  return made
}

const Coded: new (message: string, cause: unknown) => EspalierError = errorCodes.ESP_ERR_VALIDATION

/** The error of a failed validation. Its issues are computed when they are read. A getter of its
 *  class costs a refused request nothing; one of its own would cost a microsecond. */
export class ValidationFailed extends Coded {
  readonly #failure: ValidationFailure

  constructor(failure: ValidationFailure, message: string, cause: unknown) {
    super(message, cause)
    this.#failure = failure
  }

  get issues(): readonly ValidationIssue[] {
    return issuesOf(this.#failure)
  }
}
Object.defineProperty(ValidationFailed, 'name', { value: errorCodes.ESP_ERR_VALIDATION.name })

/** Makes the error of a failed validation (specification 2.7): status 400, with the result of the
 *  validator as `validation` and the part as `validationContext`.
 *  @throws ESP_ERR_SCH_ERROR_FORMATTER when the formatter does not return an Error */
export function createValidationError(failure: ValidationFailure): ValidationError {
  const { part, refusal, rules } = failure
  const { error: errors } = refusal
  const { formatter, policy } = rules
  const isPassedOn = !policy.wrapsForeign && errors instanceof Error
  if (isPassedOn && Object.isExtensible(errors)) return complete(errors, failure)
  const made = !Array.isArray(errors)
    ? wrapForeign(errors, failure)
    : formatter === undefined
      ? formatRecords(errors as ValidationRecord[], failure)
      : callFormatter(formatter, errors as ValidationRecord[], failure)
  const given: Partial<ValidationError> = Object.isExtensible(made)
    ? made
    : wrapForeign(made, failure)
  const { code = policy.validationCode } = given
  // cast: it gets what it lacks
  const error = given as ValidationError
  if (policy.refuse === undefined && !('issues' in error)) {
    const get = (): unknown => issuesOf(failure)
    Object.defineProperty(error, 'issues', { get, configurable: true })
  }
  error.statusCode = 400
  error.code = code
  error.validation = errors
  error.validationContext = part
  return error
}

/** Adds the missing properties to the error of a custom validator, in a dialect that passes on that
 *  very error. */
function complete(
  error: Partial<ValidationError>,
  { part, rules }: ValidationFailure,
): ValidationError {
  error.statusCode ??= 400
  error.code ??= rules.policy.validationCode
  error.validationContext ??= part
  // cast: nothing is missing any more
  return error as ValidationError
}

function callFormatter(
  formatter: SchemaErrorFormatter,
  errors: readonly ValidationRecord[],
  { part, rules }: ValidationFailure,
): Error {
  const error: unknown = formatter.call(rules.server, errors, part)
  if (error instanceof Error) return error
  ignoreRejection(error)
  throw new errorCodes.ESP_ERR_SCH_ERROR_FORMATTER(rules.place, describe(error))
}

/** The default formatter: one clause for each record, as `body/age must be integer`. */
function formatRecords(errors: readonly ValidationRecord[], failure: ValidationFailure): Error {
  const { subject = failure.part } = failure.rules
  let text = ''
  let count = 0
  for (const { instancePath = '', message = 'is not valid' } of errors) {
    if (count++ === mostErrors) break
    text += `${text && ', '}${subject}${instancePath} ${message}`
  }
  return createWithoutStack(failure, text || `${subject} is not valid`)
}

/** Makes an error whose cause is the error of a custom library, which itself is not changed. */
function wrapForeign(error: unknown, failure: ValidationFailure): Error {
  const message = isObject(error) ? error['message'] : error
  const isText = typeof message === 'string' && message !== ''
  return createWithoutStack(failure, isText ? message : `${failure.part} is not valid`, error)
}

/** Makes an error without a stack. A refused request is no fault of the program, and capturing a
 *  stack costs a hundred times more than all other work here: it invites a denial of service. */
function createWithoutStack(failure: ValidationFailure, message: string, cause?: unknown): Error {
  const { stackTraceLimit } = Error
  const { policy } = failure.rules
  Error.stackTraceLimit = 0
  try {
    return policy.refuse?.(message, cause) ?? new ValidationFailed(failure, message, cause)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
