import { describe } from '../errors/describe.ts'
import type { Bundle } from '../schema/bundle.ts'
import { namesInherited } from '../schema/prototype-names.ts'
import { toPointer } from '../schema/json-pointer.ts'
import type { JsonObject } from '../types/objects.ts'
import type { Note } from '../validation/strict-ajv.ts'
import { hasChoice, isNaming, itemOf, partsOf, schemasOf } from '../validation/strict-schema.ts'

/** Thrown for a payload that strict mode does not send. Its message begins with the place of the
 *  wrong value, a JSON pointer. */
export class UnfitPayload extends Error {}

/** Takes from a payload what its schema names, as values of JSON.
 *  @throws UnfitPayload for a value that JSON does not have */
export type Projection = (payload: unknown) => unknown

/** Compiles the projection of payloads on a schema: a copy with those fields that the schema names,
 *  those that it requires first, and all fields where it names none. The fields of all alternatives
 *  are copied, and `dropUnnamed` removes those of alternatives that do not hold. A value with
 *  `toJSON` is replaced by its result, and a Date by text in the schema's format. Other values stay
 *  as they are, also where the schema is for another type. */
export function compileProjection(bundle: Bundle): Projection {
  const { schema } = bundle
  // What all objects inherit would be validated as a field of such a name.
  const isBare = namesInherited(bundle)
  const root = new Places(schema['definitions'], isBare, hasChoice(bundle)).of([schema])
  const project = (payload: unknown, trail: Trail): unknown =>
    typeof payload === 'object' && payload !== null ? root.project(payload, trail) : scalar(payload)
  return (payload) => {
    try {
      return project(payload, undefined)
    } catch {
      const trail: Trail = []
      try {
        return project(payload, trail)
      } catch (error) {
        throw at(toPointer(trail.map(String)), error)
      }
    }
  }
}

function at(place: string, error: unknown): unknown {
  return error instanceof NoJson ? new UnfitPayload(`${place} ${error.message}`.trim()) : error
}

/** The keys that lead to a value. Not kept at the first attempt, since few payloads fail. */
type Trail = (string | number)[] | undefined

/** Removes from a projection the fields of alternatives that do not hold for it.
 *  @param notes what the schemas that hold have named, object by object
 *  @returns whether there was one */
export function dropUnnamed(notes: readonly Note[]): boolean {
  const namesOf = new Map<Note[0], Note[1][]>()
  for (const [object, names] of notes) {
    const known = namesOf.get(object)
    if (known === undefined) namesOf.set(object, [names])
    else known.push(names)
  }
  let drops = false
  for (const [object, all] of namesOf) {
    if (all.includes(true)) continue
    for (const key of Object.keys(object)) {
      // cast: the others are objects, or undefined
      const isNamed = all.some((names) => Object.hasOwn((names ?? {}) as object, key))
      // ajv cannot note this name: it sets the prototype of the names.
      if (isNamed || key === '__proto__') continue
      Reflect.deleteProperty(object, key)
      drops = true
    }
  }
  return drops
}

/** Thrown for a value that JSON does not have. */
class NoJson extends Error {}

/** The places of a schema. Each is made when a payload first has a value there, since schemas may
 *  be recursive. */
class Places {
  readonly #definitions: unknown
  readonly #known = new Map<string, Place>()
  readonly #numbers = new Map<unknown, number>()
  readonly #isBare: boolean
  readonly #hasChoice: boolean

  /** @param isBare whether copies inherit nothing
   *  @param choosing whether it depends on the payload which fields are named */
  constructor(definitions: unknown, isBare: boolean, choosing: boolean) {
    this.#definitions = definitions
    this.#isBare = isBare
    this.#hasChoice = choosing
  }

  newObject(): Record<string, unknown> {
    return this.#isBare ? (Object.create(null) as Record<string, unknown>) : {}
  }

  /** The place of values for which several schemas hold, or may hold. Where one of them may hold
   *  alone, and names no fields, all fields are copied. */
  of(schemas: readonly unknown[]): Place {
    const given = schemas.filter((schema) => schema !== undefined)
    const isOpen = this.#hasChoice && !given.every((schema) => this.#names(schema))
    const parts = new Set<JsonObject>()
    for (const schema of given) partsOf(schema, this.#definitions, parts)
    const key = `${[...parts].map((part) => this.#numberOf(part)).join()} ${isOpen}`
    const place = this.#known.get(key) ?? new Place([...parts], isOpen, this)
    this.#known.set(key, place)
    return place
  }

  #names(schema: unknown): boolean {
    return partsOf(schema, this.#definitions).some(isNaming)
  }

  #numberOf(schema: unknown): number {
    const number = this.#numbers.get(schema) ?? this.#numbers.size
    this.#numbers.set(schema, number)
    return number
  }
}

/** A field that schemas name. */
interface Field {
  readonly name: string
  /** Whether all objects inherit a property of this name. */
  readonly isInherited: boolean
  /** Made when a payload first has an object or a list there. */
  place: Place | undefined
}

/** What schemas say about the values of one place. */
class Place {
  readonly #parts: readonly JsonObject[]
  /** What else may hold for the fields and items. */
  readonly #more: readonly unknown[]
  readonly #places: Places
  readonly #fields: readonly Field[]
  /** Whether schemas name some fields only. */
  readonly #isNamed: boolean
  /** Whether fields without a name may be written. */
  readonly #hasOthers: boolean
  readonly #isTuple: boolean
  readonly #dateFormat: unknown
  #item: Place | undefined

  /** @param isOpen whether all fields are copied */
  constructor(parts: readonly JsonObject[], isOpen: boolean, places: Places) {
    this.#parts = parts
    this.#more = isOpen ? [true] : []
    this.#places = places
    const names = new Set(parts.flatMap(namesIn))
    this.#fields = [...names].map((name) => ({
      name,
      isInherited: name in Object.prototype,
      place: undefined,
    }))
    this.#hasOthers = isOpen || parts.some(isForOthers)
    this.#isNamed = parts.some(isNaming)
    this.#isTuple = parts.some(({ items }) => Array.isArray(items))
    this.#dateFormat = parts
      .map(({ format }) => format)
      .find((format) => typeof format === 'string')
  }

  /** The copy of an object or a list. */
  project(value: object, trail: Trail): unknown {
    if (value instanceof Date) return writeDate(value, this.#dateFormat)
    const { toJSON } = value as JsonObject
    const given: unknown = typeof toJSON === 'function' ? toJSON.call(value) : value
    if (typeof given !== 'object' || given === null) return scalar(given)
    return Array.isArray(given) ? this.#list(given, trail) : this.#object(asFields(given), trail)
  }

  #list(list: readonly unknown[], trail: Trail): unknown[] {
    const copy: unknown[] = []
    for (let index = 0; index < list.length; index++) {
      const item = list[index]
      trail?.push(index)
      if (typeof item === 'object' && item !== null)
        copy.push(this.#itemAt(index).project(item, trail))
      else if (item === undefined) throw new NoJson('is undefined, which no list of JSON holds')
      else copy.push(scalar(item))
      trail?.pop()
    }
    return copy
  }

  #object(object: JsonObject, trail: Trail): JsonObject {
    const copy = this.#places.newObject()
    for (const field of this.#fields) {
      const { name } = field
      const value = field.isInherited && !Object.hasOwn(object, name) ? undefined : object[name]
      if (value === undefined) continue
      trail?.push(name)
      if (typeof value === 'object' && value !== null) {
        field.place ??= this.#placeOf(name)
        set(copy, name, field.place?.project(value, trail))
      } else set(copy, name, scalar(value))
      trail?.pop()
    }
    if (!this.#isNamed || this.#hasOthers) this.#takeOthers(object, copy, trail)
    return copy
  }

  /** Takes the fields that no `properties` has. */
  #takeOthers(object: JsonObject, copy: Record<string, unknown>, trail: Trail): void {
    for (const name of Object.keys(object)) {
      const value = object[name]
      if (value === undefined || Object.hasOwn(copy, name)) continue
      const place = this.#placeOf(name)
      if (place === undefined) continue
      trail?.push(name)
      const isNested = typeof value === 'object' && value !== null
      set(copy, name, isNested ? place.project(value, trail) : scalar(value))
      trail?.pop()
    }
  }

  /** Undefined for a field that no schema has. */
  #placeOf(name: string): Place | undefined {
    if (!this.#isNamed) return this.#places.of([])
    const schemas = this.#schemasOf(name)
    return schemas.length === 0 ? undefined : this.#places.of(schemas)
  }

  #schemasOf(name: string): readonly unknown[] {
    return [...this.#parts.flatMap((part) => schemasOf(part, name)), ...this.#more]
  }

  #itemAt(index: number): Place {
    return this.#isTuple ? this.#makeItem(index) : (this.#item ??= this.#makeItem(index))
  }

  #makeItem(index: number): Place {
    return this.#places.of([...this.#parts.map((part) => itemOf(part, index)), ...this.#more])
  }
}

/** The fields that a schema names, those that it requires first, as fast-json-stringify writes
 *  them. */
function namesIn({ properties, required }: JsonObject): readonly string[] {
  const names = Object.keys(properties ?? {})
  const first = (name: string): boolean => Array.isArray(required) && required.includes(name)
  return [...names.filter(first), ...names.filter((name) => !first(name))]
}

const isForOthers = ({ patternProperties, additionalProperties = false }: JsonObject): boolean =>
  patternProperties !== undefined || additionalProperties !== false

/** A value of JSON, or a number or undefined that the schema may refuse. */
function scalar(value: unknown): unknown {
  const type = typeof value
  if (type === 'string' || type === 'boolean' || value === null || value === undefined) return value
  if (type === 'number' && Number.isFinite(value)) return value
  throw new NoJson(`is ${describe(value)}, which JSON does not have`)
}

/** An object whose fields can be read. A Map or a Promise has its values elsewhere, and would leave
 *  as an empty object. */
function asFields(value: object): JsonObject {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return value as JsonObject
  const tag = Object.prototype.toString.call(value)
  if (tag === '[object Object]' || tag === '[object Error]') return value as JsonObject
  throw new NoJson(`is ${describe(value)}, whose values are no fields`)
}

/** The text of a date: the day, the time, or both, as the format of its schema says. */
function writeDate(date: Date, format: unknown): string {
  if (Number.isNaN(date.getTime())) throw new NoJson('is an invalid date')
  const text = date.toISOString()
  if (format === 'time') return text.slice(11)
  if (format !== 'date') return text
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 10)
}

/** A field `__proto__` would otherwise set the prototype. */
function set(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true })
  else object[name] = value
}
