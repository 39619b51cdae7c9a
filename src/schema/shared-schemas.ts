import { errorCodes } from '../errors/codes.ts'
import { isStandardSchema } from './standard-schema.ts'
import type { BucketFactory, SchemaBucket } from './compiler-types.ts'
import { refusePromise } from '../errors/refuse-promise.ts'
import { describe } from '../errors/describe.ts'
import { isObject, isPlainObject, type JsonObject } from '../types/objects.ts'
import { readFluent } from './fluent-schema.ts'

/** The shared schemas of one context, linked to those of its parent (specification 2.2). */
export class SharedSchemas {
  /** Each schema as the user's object, and as a snapshot from the time it was added. */
  readonly #own = new Map<string, { readonly given: JsonObject; readonly schema: JsonObject }>()
  readonly #children: SharedSchemas[] = []
  readonly #parent: SharedSchemas | undefined
  readonly #place: string
  #bucketFactory: BucketFactory | undefined
  #bucket: SchemaBucket | undefined

  /** @param place the name of this context in error messages */
  constructor(place: string, parent?: SharedSchemas) {
    this.#place = place
    this.#parent = parent
    if (parent === undefined) return
    parent.#children.push(this)
    if (parent.#bucketFactory !== undefined) this.useBuckets(parent.#bucketFactory, parent.shown())
  }

  /** Stores the schemas of this context and those below in buckets, which decide what a context
   *  sees.
   *  @param present the schemas that the context has seen so far */
  useBuckets(factory: BucketFactory, present: unknown): void {
    this.#bucketFactory = factory
    this.#bucket = refusePromise('bucket', factory(present))
  }

  /** Adds a schema under its `$id`, or under the given id.
   *  @throws ESP_ERR_SCH_MISSING_ID, ESP_ERR_SCH_NOT_OBJECT, ESP_ERR_SCH_ALREADY_PRESENT */
  add(given: unknown, givenId?: string): void {
    const schema = readFluent(given)
    if (this.#bucket !== undefined) {
      this.#bucket.add(schema)
      return
    }
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
    this.#own.set(id, { given: schema, schema: snapshot(schema) })
  }

  /** The visible schema with this id: the same object that was added. */
  get(id: string): unknown {
    if (this.#bucket !== undefined) return this.#bucket.getSchema(id)
    const holder = this.#holderOf(id)
    return holder && holder.#own.get(id)?.given
  }

  /** All visible schemas by id, those of ancestors included, as they were when they were added. */
  all(): Record<string, JsonObject> {
    if (this.#bucket !== undefined) return recordOf(this.#bucket.getSchemas())
    const own = [...this.#own].map(([id, { schema }]) => [id, schema] as const)
    return { ...this.#parent?.all(), ...Object.fromEntries(own) }
  }

  /** The result of `getSchemas`. A bucket may return anything. */
  shown(): unknown {
    return this.#bucket === undefined ? this.all() : this.#bucket.getSchemas()
  }

  /** The ids of this context's own schemas. */
  names(): string[] {
    return [...this.#own.keys()]
  }

  /** The place of the context that holds a visible schema: `root > users`. */
  placeOf(id: string): string | undefined {
    const holder = this.#holderOf(id)
    return holder === undefined ? undefined : holder.#place
  }

  /** The nearest context on the way to the root with schemas of its own. Contexts with the same
   *  source see the same schemas, and so share compiled schemas. */
  source(): SharedSchemas {
    const isSource = this.#own.size > 0 || this.#bucket !== undefined
    return isSource || this.#parent === undefined ? this : this.#parent.source()
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

function recordOf(schemas: unknown): Record<string, JsonObject> {
  const entries = schemas instanceof Map ? [...schemas] : Object.entries(schemas ?? {})
  return Object.fromEntries(entries) as Record<string, JsonObject>
}

/** A copy of a schema, which later changes of the schema do not affect. An object that occurs
 *  twice, or inside of itself, does so in the copy too. The copy keeps marks: symbols, and
 *  properties that are not enumerable. Functions, Standard Schemas and instances of classes are not
 *  copied. */
export function snapshot<Value>(value: Value, copies?: Map<unknown, unknown>): Value
export function snapshot(value: unknown, copies = new Map<unknown, unknown>()): unknown {
  if (!(Array.isArray(value) || isPlainObject(value)) || isStandardSchema(value)) return value
  if (copies.has(value)) return copies.get(value)
  const copy: object = Array.isArray(value) ? [] : {}
  copies.set(value, copy)
  for (const key of Reflect.ownKeys(value)) {
    if (key === 'length' && Array.isArray(value)) continue
    Object.defineProperty(copy, key, {
      value: snapshot<unknown>(Reflect.get(value, key), copies),
      enumerable: Object.prototype.propertyIsEnumerable.call(value, key),
      configurable: true,
      writable: true,
    })
  }
  return copy
}
