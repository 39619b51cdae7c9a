import { isDeepStrictEqual } from 'node:util'
import { errorCodes } from '../errors/codes.ts'
import { describe } from '../errors/describe.ts'
import { isObject } from '../types/objects.ts'
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

  constructor(parent?: Responses) {
    this.#parent = parent
    if (parent !== undefined) parent.#children.push(this)
  }

  /** Adds responses by status. A status may be declared again with an equal schema, so that two
   *  plugins can declare the same.
   *  @param given the responses, in full form
   *  @param place this context, and the plugin that adds to it, in error messages
   *  @throws ESP_ERR_SCH_NOT_OBJECT, ESP_ERR_SCOPE_RESPONSE_KEY, ESP_ERR_SCOPE_RESPONSE_PRESENT */
  add(given: unknown, place: string): void {
    if (!isObject(given)) {
      const what = `What was given to addResponses in ${place}`
      throw new errorCodes.ESP_ERR_SCH_NOT_OBJECT(what, describe(given))
    }
    const read = Object.entries(snapshot(given))
    for (const [key, schema] of read) {
      assertKey(key, place)
      this.#assertFree(key.toLowerCase(), { schema, place })
    }
    for (const [key, schema] of read) this.#own.set(key.toLowerCase(), { schema, place })
  }

  /** All visible responses by status, in lower case. Undefined for none. */
  all(): ReadonlyMap<string, ScopeResponse> | undefined {
    const above = this.#parent?.all()
    if (this.#own.size === 0) return above
    return above === undefined ? this.#own : new Map([...above, ...this.#own])
  }

  #assertFree(status: string, { schema, place }: ScopeResponse): void {
    const other = this.all()?.get(status) ?? this.#below(status)
    if (other === undefined || isDeepStrictEqual(other.schema, schema)) return
    throw new errorCodes.ESP_ERR_SCOPE_RESPONSE_PRESENT(status, other.place, place)
  }

  #below(status: string): ScopeResponse | undefined {
    for (const child of this.#children) {
      const found = child.#own.get(status) ?? child.#below(status)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** A success belongs to its route, whose handler is typed by it. `default` would be one too. */
function assertKey(key: string, place: string): void {
  if (/^[1345](\d\d|xx)$/i.test(key)) return
  throw new errorCodes.ESP_ERR_SCOPE_RESPONSE_KEY(key, place)
}
