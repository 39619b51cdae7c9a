import type { Bundle } from '../schema/bundle.ts'
import type { HttpPart, ValidationRecord, ValidatorFunction } from '../schema/compiler-types.ts'
import { lazy } from '../schema/lazy.ts'
import { keysOf, toPointer } from '../schema/json-pointer.ts'
import { isSensitive } from '../schema/sensitive.ts'
import { holds, reachOf } from '../schema/transform/transforms.ts'
import { isObject, isPlainObject, type JsonObject } from '../types/objects.ts'
import { runValidator, type Refusal, type ValidationOutcome } from './run-validator.ts'
import { itemOf, partsOf, schemasOf } from './strict-schema.ts'

/** What stands in the place of a sensitive value. */
export const redacted = '[redacted]'

/** Values that are nested deeper are hidden, since clients choose how deep they nest. */
const deepest = 20

/** The schemas of a value, which hold together or are alternatives. */
type Place = readonly JsonObject[]

/** Knows which values of one part of a request are sensitive, by the bundle of its schema. */
export class Secrets {
  readonly part: HttpPart
  readonly #root: Place
  readonly #definitions: JsonObject
  /** Whether keywords may take what they ask for from another value. */
  readonly #quotesData: boolean
  readonly #touching = new Map<JsonObject, boolean>()
  readonly #fields = new WeakMap<Place, Map<string, Place>>()
  readonly #items = new WeakMap<Place, Place>()

  constructor(part: HttpPart, { schema, text }: Pick<Bundle, 'schema' | 'text'>) {
    const { definitions } = schema
    this.part = part
    this.#quotesData = text?.includes('"$data"') ?? true
    this.#definitions = isPlainObject(definitions) ? definitions : {}
    this.#root = this.#placeOf([schema])
  }

  /** A copy of a value without its sensitive values. */
  hide(value: unknown): unknown {
    return this.#hide(value, this.#root, 0)
  }

  /** Whether the schema names a field. */
  names(name: string): boolean {
    return this.#root.some(({ properties }) => Object.hasOwn(properties ?? {}, name))
  }

  /** Whether the text of a field, as URLs have it, may be shown: the schema names the field, and
   *  nothing of it is sensitive. */
  shows(name: string): boolean {
    if (this.#root.some(isSensitive) || !this.names(name)) return false
    return !this.#field(this.#root, name).some((schema) => this.#touches(schema))
  }

  /** Makes a validator tell nothing of sensitive values.
   *  @param isKnown whether its records are those of ajv, whose texts have no value */
  hideIn(validate: ValidatorFunction, isKnown: boolean): ValidatorFunction {
    return (data) => {
      const finish = (outcome: ValidationOutcome = { value: data }): ValidationOutcome =>
        'error' in outcome ? this.#hideRefusal(outcome, data, isKnown) : outcome
      const outcome = runValidator(validate, data)
      if (outcome === undefined) return true
      return outcome instanceof Promise ? outcome.then(finish) : finish(outcome)
    }
  }

  #hideRefusal({ error }: Refusal, data: unknown, isKnown: boolean): Refusal {
    if (!Array.isArray(error) || !error.every(isObject)) return { error: [{ message: unsaid }] }
    // cast: what a record lacks is absent
    const records = error as readonly ValidationRecord[]
    const values = lazy(() => this.#textsIn(data))
    return { error: records.map((each) => this.#hideRecord(each, values, isKnown)) }
  }

  /** A record without what `verbose` adds to it, which has the values around it too.
   *  @param values the texts of all sensitive values. Undefined if they are too many */
  #hideRecord(
    record: ValidationRecord,
    values: () => ReadonlySet<string> | undefined,
    isKnown: boolean,
  ): ValidationRecord {
    const { keyword, schemaPath, instancePath = '', params = {}, message } = record
    const keys = keysOf(instancePath)
    const depth = this.#depthOf(keys)
    const isPlain = isKnown && !this.#quotesData && ownKeywords.has(keyword)
    const copy = { ...(keyword && { keyword }), ...(schemaPath !== undefined && { schemaPath }) }
    if (depth !== undefined)
      return {
        ...copy,
        instancePath: toPointer(keys.slice(0, depth)),
        params: isPlain ? pick(params, askingParams) : {},
        message: isPlain && !naming.has(keyword) && message !== undefined ? message : unsaid,
      }
    const { additionalProperty, unevaluatedProperty } = params
    const { propertyName } = record
    const names = [additionalProperty, unevaluatedProperty, propertyName]
    const isTold = isPlain
      ? names.every((name) => name === undefined || values()?.has(textOf(name)) === false)
      : isFree(JSON.stringify([message, params, names]), values())
    if (!isTold) return { ...copy, instancePath, message: unsaid }
    const said = { ...(message !== undefined && { message }) }
    return {
      ...copy,
      instancePath,
      params,
      ...said,
      ...(propertyName !== undefined && { propertyName }),
    }
  }

  /** How many of the keys to a value lead to the sensitive value that it is, or is in. */
  #depthOf(keys: readonly string[]): number | undefined {
    let place = this.#root
    for (let depth = 0; ; depth++) {
      if (place.some(isSensitive) || depth > deepest) return depth
      const key = keys[depth]
      if (key === undefined || place.length === 0) return undefined
      // Nobody knows here whether the value is a list.
      const at = Number(key)
      place = [...this.#field(place, key), ...(Number.isNaN(at) ? [] : this.#item(place, at))]
    }
  }

  #hide(value: unknown, place: Place, depth: number): unknown {
    if (value === undefined || !place.some((schema) => this.#touches(schema))) return value
    if (place.some(isSensitive) || depth > deepest) return redacted
    if (Array.isArray(value))
      return value.map((item: unknown, at) => {
        const below = this.#item(place, at)
        // A list where the schema has none may have the value as an item.
        return below.length === 0 ? redacted : this.#hide(item, below, depth + 1)
      })
    // So may an item that stands for a list of one, or text that was not parsed.
    if (!isObject(value) || tagOf(value) !== '[object Object]') return redacted
    const entries = Object.entries(value).map(([name, each]) => [
      name,
      this.#hide(each, this.#field(place, name), depth + 1),
    ])
    return Object.fromEntries(entries)
  }

  /** The texts of all sensitive values. Undefined if there are too many values to look at. */
  #textsIn(data: unknown): ReadonlySet<string> | undefined {
    const texts = new Set<string>()
    let count = 0
    const collect = (value: unknown, place: Place | undefined, depth: number): void => {
      count += 1
      if (count > mostValues) return
      const isFound = place === undefined || place.some(isSensitive) || depth > deepest
      if (typeof value !== 'object' || value === null) {
        if (isFound && isText(value)) texts.add(textOf(value))
      } else if (isFound || place.some((schema) => this.#touches(schema))) {
        for (const name of Object.keys(value).slice(0, mostValues)) {
          const each: unknown = Reflect.get(value, name)
          const inner = isFound
            ? undefined
            : Array.isArray(value)
              ? this.#item(place, Number(name))
              : this.#field(place, name)
          collect(each, inner, depth + 1)
        }
      }
    }
    collect(data, this.#root, 0)
    return count > mostValues ? undefined : texts
  }

  /** The schemas of a field. Those of a field that is named are remembered: a client can choose
   *  any number of others. */
  #field(place: Place, name: string): Place {
    const make = (): Place => this.#placeOf(place.flatMap((each) => schemasOf(each, name)))
    if (!place.some(({ properties }) => Object.hasOwn(properties ?? {}, name))) return make()
    const known = this.#fields.get(place) ?? new Map<string, Place>()
    const found = known.get(name) ?? make()
    this.#fields.set(place, known.set(name, found))
    return found
  }

  #item(place: Place, at: number): Place {
    const make = (): Place => this.#placeOf(place.map((each) => itemOf(each, at)))
    if (place.some(({ items }) => Array.isArray(items))) return make()
    const found = this.#items.get(place) ?? make()
    this.#items.set(place, found)
    return found
  }

  #placeOf(schemas: readonly unknown[]): Place {
    return [...new Set(schemas.flatMap((each) => partsOf(each, this.#definitions)))]
  }

  /** Whether a schema, or one inside of it, is sensitive. */
  #touches(schema: JsonObject): boolean {
    const known = this.#touching.get(schema)
    if (known !== undefined) return known
    const names = [...reachOf(schema, this.#definitions)]
    const all = [schema, ...names.map((name) => this.#definitions[name])]
    const touches = all.some((each) => holds(each, 'sensitive'))
    this.#touching.set(schema, touches)
    return touches
  }
}

const unsaid = 'is not valid'

const textOf = (value: unknown): string => JSON.stringify(String(value)).slice(1, -1)

const tagOf = (value: unknown): string => Object.prototype.toString.call(value)

/** Whether a value may stand in a message. */
const isText = (value: unknown): boolean =>
  value !== '' && !['boolean', 'undefined', 'object'].includes(typeof value)

/** Among more values no sensitive ones are looked for: a message that may quote one is replaced. */
const mostValues = 5000

const isFree = (text: string, values: ReadonlySet<string> | undefined): boolean =>
  values !== undefined && ![...values].some((value) => text.includes(value))

function pick(params: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)))
}

/** What a record says that comes from the schema. Not the allowed values, which are as sensitive as
 *  the value. */
const askingParams = ['type', 'limit', 'comparison', 'format', 'pattern', 'multipleOf'].concat(
  'missingProperty',
)

/** The keywords whose messages have the name of a field that came. */
const naming: ReadonlySet<unknown> = new Set(['additionalProperties', 'unevaluatedProperties'])

/** The keywords whose messages have nothing but what the schema says. */
const ownKeywords: ReadonlySet<unknown> = new Set([
  ...['type', 'required', 'enum', 'const', 'not', 'if', 'anyOf', 'oneOf', 'false schema'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'uniqueItems'],
  ...['contains', 'additionalItems', 'minProperties', 'maxProperties', 'additionalProperties'],
  ...['unevaluatedProperties', 'propertyNames', 'dependencies', 'formatMinimum', 'formatMaximum'],
  ...['formatExclusiveMinimum', 'formatExclusiveMaximum'],
])
