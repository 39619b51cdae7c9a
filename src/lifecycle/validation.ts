import type { HttpPart } from '../schema/compiler-types.ts'
import { runValidator, type Verdict } from '../validation/run-validator.ts'
import { createValidationError } from '../validation/validation-error.ts'
import type { Request } from '../exchange/request.ts'
import type { CompiledRoute, RequestStep } from '../route/compiled-route.ts'

/** The stage that validates: params, body, querystring, headers, up to the first that fails, whose
 *  error is thrown. With `attachValidation` all are validated, and the first error is left on the
 *  request. */
export function createValidation(route: CompiledRoute): RequestStep {
  return (request) => validateFrom(0, route, request)
}

function validateFrom(
  first: number,
  route: CompiledRoute,
  request: Request,
): Promise<void> | undefined {
  for (let at = first; at < route.validators.length; at++) {
    const validator = route.validators[at]
    if (validator === undefined) continue
    const { part, validate } = validator
    const data = readPart(request, part)
    const verdict = runValidator(validate, data)
    if (verdict instanceof Promise) {
      return verdict.then((later) => {
        settle(route, request, part, later ?? { value: data })
        return validateFrom(at + 1, route, request)
      })
    }
    settle(route, request, part, verdict ?? { value: data })
  }
  return undefined
}

/** Takes over the value of a part, or what was wrong with it. */
function settle(route: CompiledRoute, request: Request, part: HttpPart, verdict: Verdict): void {
  if ('error' in verdict) {
    const { server, place, schemaErrorFormatter: formatter } = route
    const { error: errors } = verdict
    const error = createValidationError({ errors, part, server, place, formatter })
    if (!route.routeOptions.attachValidation) throw error
    request.validationError ??= error
    return
  }
  if (part === 'querystring') request.query = verdict.value
  else request[part] = verdict.value
}

/** ajv writes into what it validates. Node's own headers object is shared with whatever else reads
 *  the request, so it is copied. An absent body is validated as null. */
function readPart(request: Request, part: HttpPart): unknown {
  if (part === 'headers') return { ...request.raw.headers }
  if (part === 'querystring') return request.query
  return part === 'body' ? (request.body ?? null) : request.params
}
