import { errorCodes } from '../errors/codes.ts'
import { settled } from '../schema/compilation.ts'
import type { HttpPart } from '../schema/compiler-types.ts'
import { readOutcome, type ValidationOutcome } from '../validation/run-validator.ts'
import { createValidationError } from '../validation/validation-error.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { StageFailure, type Stage } from './exchange.ts'
import type { PartCheck, PartValidator } from './part-check.ts'
import type { Request } from './request.ts'

/** The stage that validates params, body, querystring and headers, up to the first that fails.
 *  With `attachValidation` it validates all, and sets the first error on the request. */
export function createValidation(route: CompiledRoute): Stage {
  let checks: readonly PartValidator[] | undefined
  return ({ request }) => {
    // The first request waits until its validators are compiled.
    checks ??= route.validators.map((each) => ({ ...each, validate: settled(each.validate) }))
    return validateFrom(0, checks, route, request)
  }
}

function validateFrom(
  first: number,
  checks: readonly PartValidator[],
  route: CompiledRoute,
  request: Request,
): StageFailure | Promise<StageFailure | undefined> | undefined {
  for (let at = first; at < checks.length; at++) {
    const validator = checks[at]
    const check = validator && checkOf(validator, route, request)
    if (check === undefined) {
      // The handler's types say that every body was validated.
      if (route.dialect.validation.refusesOtherTypes)
        return new StageFailure(new errorCodes.ESP_ERR_CTP_INVALID_MEDIA_TYPE())
      continue
    }
    const data = readPart(request, check)
    const answer = check.validate(data)
    const outcome = answer === true ? undefined : readOutcome(answer, check.validate)
    if (outcome instanceof Promise)
      return outcome.then(
        (later) =>
          settlePart(route, request, check, data, later) ??
          validateFrom(at + 1, checks, route, request),
      )
    const failure = settlePart(route, request, check, data, outcome)
    if (failure !== undefined) return failure
  }
  return undefined
}

/** Sets the validated value of a part on the request, or returns its error.
 *  @param outcome undefined if the data is valid as it is */
function settlePart(
  route: CompiledRoute,
  request: Request,
  { part, leavesAbsent }: PartCheck,
  data: unknown,
  outcome: ValidationOutcome | undefined,
): StageFailure | undefined {
  if (outcome !== undefined && 'error' in outcome)
    return failPart(route, request, part, outcome.error)
  const value = outcome === undefined ? data : outcome.value
  if (part === 'querystring') request.query = value
  // Types say null for a body that was not sent, if its schema takes null.
  else if (part === 'body' && request.body === undefined) {
    const isLeft = outcome === undefined ? leavesAbsent !== 'never' : leavesAbsent === 'null'
    if (!isLeft || (outcome !== undefined && value !== null)) request.body = value
  } else request[part] = value
  return undefined
}

function failPart(
  { server, place, schemaErrorFormatter: formatter, dialect, routeOptions }: CompiledRoute,
  request: Request,
  part: HttpPart,
  errors: NonNullable<unknown>,
): StageFailure | undefined {
  const policy = dialect.errors
  const error = createValidationError({ errors, part, server, place, formatter, policy })
  if (!routeOptions.attachValidation) return new StageFailure(error)
  request.validationError ??= error
  return undefined
}

/** The check of a part: that of a body may depend on its type. Undefined if the schema does not
 *  declare the type. */
function checkOf(
  validator: PartValidator,
  { dialect }: CompiledRoute,
  request: Request,
): PartCheck | undefined {
  const { byType } = validator
  if (byType === undefined) return validator
  const type = request.raw.headers['content-type']
  const isAbsent = type === undefined && request.body === undefined
  const isNone = isAbsent && dialect.validation.refusesOtherTypes
  return isNone ? byType.ofNone : byType.of(type)
}

/** Reads a part. ajv writes into what it validates, so Node's headers object is copied. */
function readPart(request: Request, { part, absent }: PartCheck): unknown {
  if (part === 'headers') return { ...request.raw.headers }
  if (part === 'querystring') return request.query
  if (part === 'params') return request.params
  return request.body === undefined ? absent : request.body
}
