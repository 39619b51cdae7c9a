import { errorCodes } from '../errors/codes.ts'
import type { HttpPart } from '../schema/compiler-types.ts'
import { runValidator, type ValidationResult } from '../validation/run-validator.ts'
import { createValidationError } from '../validation/validation-error.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { StageFailure, type Stage } from './exchange.ts'
import type { ContentValidators, PartCheck } from './part-check.ts'
import type { Request } from './request.ts'

/** The stage that validates: params, body, querystring, headers, up to the first that fails. With
 *  `attachValidation` all are validated, and the first error is left on the request. */
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
      // Types have it that every body was validated.
      if (route.dialect.validation.refusesOtherTypes)
        return new StageFailure(new errorCodes.ESP_ERR_CTP_INVALID_MEDIA_TYPE())
      continue
    }
    const { validate, absent } = check
    const data = readPart(request, part, absent)
    const verdict = runValidator(validate, data)
    if (verdict instanceof Promise) {
      return verdict.then((later) => {
        const failure = settle(route, request, check, later ?? standing(check, request, data))
        return failure ?? validateFrom(at + 1, route, request)
      })
    }
    const failure = settle(route, request, check, verdict ?? standing(check, request, data))
    if (failure !== undefined) return failure
  }
  return undefined
}

/** What a valid part is where the validator gives no value. */
function standing(
  { part, leavesAbsent }: PartCheck,
  request: Request,
  data: unknown,
): ValidationResult {
  return { value: leavesAbsent !== 'never' && isAbsent(part, request) ? undefined : data }
}

/** Takes over the value of a part, or what was wrong with it. */
function settle(
  route: CompiledRoute,
  request: Request,
  { part, leavesAbsent }: PartCheck,
  verdict: ValidationResult,
): StageFailure | undefined {
  if ('error' in verdict) {
    const { server, place, schemaErrorFormatter: formatter, dialect } = route
    const policy = dialect.errors
    const { error: errors } = verdict
    const error = createValidationError({ errors, part, server, place, formatter, policy })
    if (!route.routeOptions.attachValidation) return new StageFailure(error)
    request.validationError ??= error
    return undefined
  }
  if (part === 'querystring') request.query = verdict.value
  // A body that was not sent is null where its schema takes null, as types have it.
  else if (!(leavesAbsent === 'null' && isAbsent(part, request) && verdict.value === null))
    request[part] = verdict.value
  return undefined
}

const isAbsent = (part: HttpPart, { body }: Request): boolean =>
  part === 'body' && body === undefined

/** The validator of a body by its type; undefined where the schema says nothing of that. */
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

/** ajv writes into what it validates. Node's own headers object is shared with whatever else reads
 *  the request, so it is copied. */
function readPart(request: Request, part: HttpPart, absent: null | undefined): unknown {
  if (part === 'headers') return { ...request.raw.headers }
  if (part === 'querystring') return request.query
  if (part === 'params') return request.params
  return request.body === undefined ? absent : request.body
}
