import { isDeepStrictEqual } from 'node:util'
import { errorCodes } from '../errors/codes.ts'
import { describe } from '../errors/describe.ts'
import { isObject } from '../types/objects.ts'
import { errorsIn, joinErrors } from '../schema/http-error.ts'
import { snapshot } from '../schema/shared-schemas.ts'

/** A response that a scope declares. */
export interface ScopeResponse {
  /** A copy of the given schema, in full form. */
  readonly schema: unknown
  /** The context that declares it, in error messages. */
  readonly place: string
}

/** The responses of one context, linked to those of its parent. */
export class Responses {
  readonly #own = new Map<string, ScopeResponse>()
  readonly #children: Responses[] = []
  readonly #parent: Responses | undefined
  /** What is visible, until something is added. */
  #visible: ReadonlyMap<string, ScopeResponse> | undefined

  constructor(parent?: Responses) {
    this.#parent = parent
    if (parent !== undefined) parent.#children.push(this)
  }

  /** Adds responses by status. A status may be declared again with an equal schema, so that two
   *  plugins can declare the same. Errors of `httpError` stand beside others of their status.
   *  @param given the responses, in full form
   *  @param place this context, and the plugin that adds to it, in error messages
   *  @throws ESP_ERR_SCH_NOT_OBJECT, ESP_ERR_SCOPE_RESPONSE_KEY, ESP_ERR_SCOPE_RESPONSE_PRESENT,
   *  ESP_ERR_SCOPE_ERROR_PRESENT */
  add(given: unknown, place: string): void {
    if (!isObject(given)) {
      const what = `What was given to addResponses in ${place}`
      throw new errorCodes.ESP_ERR_SCH_NOT_OBJECT(what, describe(given))
    }
    const read = Object.entries(snapshot(given))
    for (const [key, schema] of read) {
      assertKey(key, place)
      const status = key.toLowerCase()
      const above = this.all()?.get(status)
      const others = [...(above === undefined ? [] : [above]), ...this.#below(status)]
      for (const other of others) assertFits(status, { schema, place }, other)
    }
    for (const [key, schema] of read) {
      const status = key.toLowerCase()
      this.#own.set(status, beside(this.#own.get(status), { schema, place }))
    }
    this.#forget()
  }

  /** All visible responses by status, in lower case. Undefined for none. It is one map until
   *  something is added, so that routes share what is compiled of it. */
  all(): ReadonlyMap<string, ScopeResponse> | undefined {
    const above = this.#parent?.all()
    if (this.#own.size === 0) return above
    if (above === undefined) return this.#own
    if (this.#visible === undefined) {
      const visible = new Map(above)
      for (const [status, own] of this.#own) visible.set(status, beside(above.get(status), own))
      this.#visible = visible
    }
    return this.#visible
  }

  #forget(): void {
    this.#visible = undefined
    for (const child of this.#children) child.#forget()
  }

  /** The responses of a status in the contexts below. */
  #below(status: string): ScopeResponse[] {
    return this.#children.flatMap((child) => {
      const own = child.#own.get(status)
      return [...(own === undefined ? [] : [own]), ...child.#below(status)]
    })
  }
}

/** Two responses of one status that fit each other: all their errors, or the second. */
function beside(first: ScopeResponse | undefined, second: ScopeResponse): ScopeResponse {
  const schema = joinErrors(first?.schema, second.schema)
  return schema === undefined ? second : { schema, place: second.place }
}

/** A status has one schema, or errors that their codes tell apart. */
function assertFits(status: string, added: ScopeResponse, other: ScopeResponse): void {
  const [errors, others] = [errorsIn(added.schema), errorsIn(other.schema)]
  if (errors === undefined || others === undefined) {
    if (isDeepStrictEqual(other.schema, added.schema)) return
    throw new errorCodes.ESP_ERR_SCOPE_RESPONSE_PRESENT(status, other.place, added.place)
  }
  for (const [code, schema] of errors) {
    if (!others.has(code) || isDeepStrictEqual(others.get(code), schema)) continue
    throw new errorCodes.ESP_ERR_SCOPE_ERROR_PRESENT(code, status, other.place, added.place)
  }
}

/** A success belongs to its route, whose handler is typed by it. `default` would be one too. */
function assertKey(key: string, place: string): void {
  if (/^[1345](\d\d|xx)$/i.test(key)) return
  throw new errorCodes.ESP_ERR_SCOPE_RESPONSE_KEY(key, place)
}
