import { errorCodes } from '../errors/codes.ts'
import { settled } from '../schema/compilation.ts'
import { readOutcome, type Refusal, type ValidationOutcome } from '../validation/run-validator.ts'
import { createValidationError, type ValidationRules } from '../validation/validation-error.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { StageFailure, type Stage } from './exchange.ts'
import type { ContentValidators, PartCheck, PartValidator } from './part-check.ts'
import type { Request } from './request.ts'

/** The stage that validates params, body, querystring and headers, up to the first that fails.
 *  With `attachValidation` it validates all, and sets the first error on the request. */
export function createValidation(route: CompiledRoute): Stage {
  let validation: Validation | undefined
  return ({ request }) => {
    // The first request waits until its validators are compiled.
    validation ??= new Validation(route)
    return validation.run(request, 0)
  }
}

class Validation {
  readonly #route: CompiledRoute
  readonly #parts: readonly PartValidator[]
  readonly #rules: ValidationRules

  constructor(route: CompiledRoute) {
    const { server, place, schemaErrorFormatter: formatter, dialect, schemas } = route
    const bundle: ValidationRules['bundle'] = (given, part) => schemas.bundle(given, part)
    this.#rules = { server, place, formatter, policy: dialect.errors, bundle }
    this.#route = route
    this.#parts = route.validators.map((each) => ({ ...each, validate: settled(each.validate) }))
  }

  /** @param first the index of the first part that is validated */
  run(
    request: Request,
    first: number,
  ): StageFailure | Promise<StageFailure | undefined> | undefined {
    for (let at = first; at < this.#parts.length; at++) {
      const part = this.#parts[at]
      const check = part?.byType === undefined ? part : this.#checkOf(request, part.byType)
      if (check === undefined) {
        // The handler's types say that every body was validated.
        if (this.#route.dialect.validation.refusesOtherTypes)
          return new StageFailure(new errorCodes.ESP_ERR_CTP_INVALID_MEDIA_TYPE())
        continue
      }
      const data = readPart(request, check)
      const outcome = validate(check, data)
      if (outcome instanceof Promise) {
        return outcome.then(
          (later) => this.#settle(request, check, data, later) ?? this.run(request, at + 1),
        )
      }
      const failure = this.#settle(request, check, data, outcome)
      if (failure !== undefined) return failure
    }
    return undefined
  }

  /** The check of a body by its type. Undefined if the schema does not declare the type. */
  #checkOf(request: Request, byType: ContentValidators): PartCheck | undefined {
    const type = request.raw.headers['content-type']
    const isAbsent = type === undefined && request.body === undefined
    const isNone = isAbsent && this.#route.dialect.validation.refusesOtherTypes
    return isNone ? byType.ofNone : byType.of(type)
  }

  /** Sets the validated value of a part on the request, or returns its error.
   *  @param outcome undefined if the data is valid as it is */
  #settle(
    request: Request,
    check: PartCheck,
    data: unknown,
    outcome: ValidationOutcome | undefined,
  ): StageFailure | undefined {
    if (outcome !== undefined && 'error' in outcome)
      return this.#fail(request, check, data, outcome)
    const { part, leavesAbsent } = check
    const value = outcome === undefined ? data : outcome.value
    if (part === 'querystring') request.query = value
    // Types say null for a body that was not sent, if its schema takes null.
    else if (part === 'body' && request.body === undefined) {
      const isLeft = outcome === undefined ? leavesAbsent !== 'never' : leavesAbsent === 'null'
      if (!isLeft || (outcome !== undefined && value !== null)) request.body = value
    } else request[part] = value
    return undefined
  }

  #fail(
    request: Request,
    { part, given: schema }: PartCheck,
    checked: unknown,
    refusal: Refusal,
  ): StageFailure | undefined {
    const data = part === 'body' ? request.body : checked
    const error = createValidationError({ part, schema, data, refusal, rules: this.#rules })
    if (!this.#route.routeOptions.attachValidation) return new StageFailure(error)
    request.validationError ??= error
    return undefined
  }
}

/** Undefined for valid data. */
function validate({ validate }: PartCheck, data: unknown): ReturnType<typeof readOutcome> {
  const answer = validate(data)
  if (answer === true) return undefined
  return answer === false ? { error: validate.errors ?? [] } : readOutcome(answer, validate)
}

/** Reads a part. ajv writes into what it validates, so Node's headers object is copied. */
function readPart(request: Request, { part, absent }: PartCheck): unknown {
  if (part === 'headers') return { ...request.raw.headers }
  if (part === 'querystring') return request.query
  if (part === 'params') return request.params
  return request.body === undefined ? absent : request.body
}
