import { errorCodes } from '../errors/codes.ts'
import type { HttpPart } from '../schema/compiler-types.ts'
import { runValidator, type ValidationOutcome } from '../validation/run-validator.ts'
import { createValidationError } from '../validation/validation-error.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { StageFailure, type Stage } from './exchange.ts'
import type { ContentValidators, PartCheck } from './part-check.ts'
import type { Request } from './request.ts'

/** The stage that validates params, body, querystring and headers, up to the first that fails.
 *  With `attachValidation` it validates all, and sets the first error on the request. */
export function createValidation(route: CompiledRoute): Stage {
  return ({ request }) => validateFrom(0, route, request)
}

function validateFrom(
  first: number,
  route: CompiledRoute,
  request: Request,
): StageFailure | Promise<StageFailure | undefined> | undefined {
  for (let at = first; at < route.validators.length; at++) {
    const validator = route.validators[at]
    if (validator === undefined) continue
    const { part } = validator
    const { byType } = validator
    const check = byType === undefined ? validator : choose(route, request, byType)
    if (check === undefined) {
      // The handler's types say that every body was validated.
      if (route.dialect.validation.refusesOtherTypes)
        return new StageFailure(new errorCodes.ESP_ERR_CTP_INVALID_MEDIA_TYPE())
      continue
    }
    const { validate, absent } = check
    const data = readPart(request, part, absent)
    const result = runValidator(validate, data)
    if (result instanceof Promise) {
      return result.then((later) => {
        const failure = applyResult(route, request, check, later ?? unchanged(check, request, data))
        return failure ?? validateFrom(at + 1, route, request)
      })
    }
    const failure = applyResult(route, request, check, result ?? unchanged(check, request, data))
    if (failure !== undefined) return failure
  }
  return undefined
}

/** The value of a valid part if the validator gives none. */
function unchanged(
  { part, leavesAbsent }: PartCheck,
  request: Request,
  data: unknown,
): ValidationOutcome {
  return { value: leavesAbsent !== 'never' && isAbsent(part, request) ? undefined : data }
}

/** Sets the validated value of a part on the request, or returns its error. */
function applyResult(
  route: CompiledRoute,
  request: Request,
  { part, leavesAbsent }: PartCheck,
  result: ValidationOutcome,
): StageFailure | undefined {
  if ('error' in result) {
    const { server, place, schemaErrorFormatter: formatter, dialect } = route
    const policy = dialect.errors
    const { error: errors } = result
    const error = createValidationError({ errors, part, server, place, formatter, policy })
    if (!route.routeOptions.attachValidation) return new StageFailure(error)
    request.validationError ??= error
    return undefined
  }
  if (part === 'querystring') request.query = result.value
  // Types say null for a body that was not sent, if its schema takes null.
  else if (!(leavesAbsent === 'null' && isAbsent(part, request) && result.value === null))
    request[part] = result.value
  return undefined
}

const isAbsent = (part: HttpPart, { body }: Request): boolean =>
  part === 'body' && body === undefined

/** The validator of a body by its type. Undefined if the schema does not declare the type. */
function choose(
  { dialect }: CompiledRoute,
  request: Request,
  byType: ContentValidators,
): PartCheck | undefined {
  const type = request.raw.headers['content-type']
  const isAbsent = type === undefined && request.body === undefined
  const isNone = isAbsent && dialect.validation.refusesOtherTypes
  return isNone ? byType.ofNone : byType.of(type)
}

/** Reads a part. ajv writes into what it validates, so Node's headers object is copied. */
function readPart(request: Request, part: HttpPart, absent: null | undefined): unknown {
  if (part === 'headers') return { ...request.raw.headers }
  if (part === 'querystring') return request.query
  if (part === 'params') return request.params
  return request.body === undefined ? absent : request.body
}
