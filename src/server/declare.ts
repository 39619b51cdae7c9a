import { errorCodes } from '../errors/codes.ts'
import { describe } from '../errors/describe.ts'
import { isObject } from '../types/objects.ts'
import {
  type GivenRoute,
  readRoute,
  type RouteDeclaration,
  type RouteRules,
} from '../route/declaration.ts'

/** Reads the arguments of a shortcut such as `get`: `(path, handler)`, `(path, options, handler)`
 *  or `(path, options)`.
 *  @throws ESP_ERR_ROUTE_ARGUMENTS */
export function readShortcut(
  name: string,
  method: readonly string[],
  [url, options, handler]: readonly unknown[],
  place: string,
): GivenRoute {
  const wrong = (what: string): Error =>
    new errorCodes.ESP_ERR_ROUTE_ARGUMENTS(name, url, place, what)
  if (typeof options !== 'function' && !isObject(options)) {
    throw wrong(`options are an object or the handler, not ${describe(options)}`)
  }
  if (isObject(options) && options['handler'] !== undefined && handler !== undefined) {
    throw wrong('there are two handlers')
  }
  const given =
    typeof options === 'function'
      ? { handler: options }
      : { ...options, handler: options['handler'] ?? handler }
  return { ...given, method: method.length === 1 ? method[0] : method, url }
}

/** Reads the arguments of `setNotFoundHandler`: `(handler)` or `(options, handler)`. The options
 *  are hooks.
 *  @throws ESP_ERR_FUNCTION_EXPECTED, ESP_ERR_INIT_OPTS_INVALID, ESP_ERR_ROUTE_OPTION,
 *  ESP_ERR_HOOK_* */
export function readNotFound(
  args: readonly unknown[],
  place: string,
  rules: RouteRules,
): RouteDeclaration {
  const [options, handler] = args.length > 1 ? args : [{}, args[0]]
  if (typeof handler !== 'function') {
    throw new errorCodes.ESP_ERR_FUNCTION_EXPECTED('setNotFoundHandler', place, describe(handler))
  }
  if (options !== undefined && !isObject(options)) {
    const what = `The options of setNotFoundHandler in ${place} must be an object`
    throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(`${what}, but are ${describe(options)}`)
  }
  const { preValidation, preHandler, ...others } = options ?? {}
  const [unknown] = Object.keys(others)
  if (unknown !== undefined && rules.dialect.boot.refusesUnknown) {
    const rule = 'is not supported: there are preValidation and preHandler'
    throw new errorCodes.ESP_ERR_ROUTE_OPTION(unknown, 'setNotFoundHandler', place, rule)
  }
  const own = { method: 'GET', path: '*', url: '*', handler, preValidation, preHandler }
  return readRoute({ ...others, ...own }, place, rules)
}
