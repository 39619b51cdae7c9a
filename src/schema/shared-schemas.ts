import { errorCodes } from '../errors/codes.ts'
import { isStandardSchema } from './standard-schema.ts'
import { describe, isObject, type JsonObject } from './values.ts'

/** The shared schemas of one context, linked to those of its parent (specification 2.2). */
export class SharedSchemas {
  readonly #own = new Map<string, JsonObject>()
  readonly #children: SharedSchemas[] = []
  readonly #parent: SharedSchemas | undefined
  readonly #place: string

  /** @param place what error messages call this context */
  constructor(place: string, parent?: SharedSchemas) {
    this.#place = place
    this.#parent = parent
    if (parent !== undefined) parent.#children.push(this)
  }

  /** Adds a schema under its `$id`, or under the given id.
   *  @throws ESP_ERR_SCH_MISSING_ID, ESP_ERR_SCH_NOT_OBJECT, ESP_ERR_SCH_ALREADY_PRESENT */
  add(schema: unknown, givenId?: string): void {
    const isForeign = isStandardSchema(schema)
    if (!isObject(schema) || isForeign) {
      const what = `What was given to addSchema in ${this.#place}`
      const found = isForeign ? 'a Standard Schema: give it to routes as a part' : describe(schema)
      throw new errorCodes.ESP_ERR_SCH_NOT_OBJECT(what, found)
    }
    const id = givenId ?? schema['$id']
    if (typeof id !== 'string' || id === '') {
      throw new errorCodes.ESP_ERR_SCH_MISSING_ID(this.#place)
    }
    const holder = this.#holderOf(id) ?? this.#holderBelow(id)
    if (holder !== undefined) {
      const where = `added in ${holder.#place}, again in ${this.#place}`
      throw new errorCodes.ESP_ERR_SCH_ALREADY_PRESENT(id, where)
    }
    this.#own.set(id, schema)
  }

  /** The schema with this id that the context sees: the very object that was added. */
  get(id: string): JsonObject | undefined {
    const holder = this.#holderOf(id)
    return holder === undefined ? undefined : holder.#own.get(id)
  }

  /** All schemas that the context sees, by id: its own and those of its ancestors. */
  all(): Record<string, JsonObject> {
    return { ...this.#parent?.all(), ...Object.fromEntries(this.#own) }
  }

  /** The ids of this context's own schemas. */
  names(): string[] {
    return [...this.#own.keys()]
  }

  /** The nearest context on the way to the root that has schemas of its own. Contexts with the
   *  same source see the same schemas, and so share what was compiled from them. */
  source(): SharedSchemas {
    return this.#own.size > 0 || this.#parent === undefined ? this : this.#parent.source()
  }

  #holderOf(id: string): SharedSchemas | undefined {
    if (this.#own.has(id) || this.#parent === undefined) return this.#own.has(id) ? this : undefined
    return this.#parent.#holderOf(id)
  }

  #holderBelow(id: string): SharedSchemas | undefined {
    for (const child of this.#children) {
      const holder = child.#own.has(id) ? child : child.#holderBelow(id)
      if (holder !== undefined) return holder
    }
    return undefined
  }
}
