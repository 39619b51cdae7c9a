// What strict mode promises, said a second time: an evaluator of JSON Schema (draft 7) that knows which fields of an object its
// schemas name, the decoding of text, and the projection of a payload. Nothing here is shared with `src/`.
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isDeepStrictEqual } from 'node:util'

export type Schema = boolean | { readonly [keyword: string]: unknown }
type Keywords = Readonly<Record<string, any>>

/** The fields of an object that its schemas name: one, or all. Of an object without marks nothing is said. */
type Mark = readonly [object: object, name: string | typeof all | typeof some]
const all = Symbol('all')
const some = Symbol('some')

/** How fields that no schema names are treated: as the schema says for itself, as a request or as a reply. */
type Mode = 'plain' | 'request' | 'reply'

/** Judges the values of one schema. */
export class Oracle {
  readonly #root: Schema
  readonly #shared: Readonly<Record<string, Schema>>

  constructor(root: Schema, shared: Readonly<Record<string, Schema>>) {
    this.#root = root
    this.#shared = shared
  }

  /** Whether a request with this value is valid. The value has its defaults. */
  accepts(value: unknown, isOpen = false): boolean {
    const marks = isOpen
      ? this.#evaluate(this.#root, value, 'request')
      : this.#whole(this.#root, value, 'request')
    return marks !== undefined
  }

  /** A copy of a payload of JSON without what no schema names. Undefined if the schema refuses it. */
  project(payload: unknown): { readonly value: unknown } | undefined {
    // The fields that no alternative names stay behind before the payload is validated.
    const named = this.#prune(payload, [this.#root])
    const value = this.withDefaults(named)
    const marks = this.#whole(this.#root, value, 'reply')
    if (marks === undefined) return undefined
    const kept = keep(value, marks)
    return this.#whole(this.#root, kept, 'reply') && { value: kept }
  }

  /** A copy of a value with the defaults of missing fields. */
  withDefaults(value: unknown): unknown {
    const copy = structuredClone(value)
    const fill = (schema: Schema, given: any): void => {
      if (typeof schema !== 'object' || typeof given !== 'object' || given === null) return
      const {
        properties = {},
        items,
        additionalProperties,
        patternProperties = {},
        allOf = [],
      } = schema as Keywords
      if (!Array.isArray(given)) {
        for (const [name, inner] of Object.entries<any>(properties)) {
          if (given[name] === undefined && inner?.default !== undefined)
            set(given, name, structuredClone(inner.default))
        }
      } else if (Array.isArray(items)) {
        for (const [index, inner] of items.entries()) {
          if (index === given.length && inner?.default !== undefined)
            given.push(structuredClone(inner.default))
        }
      }
      const { then, else: otherwise, if: condition } = schema as Keywords
      for (const each of allOf) fill(each, given)
      if (schema['$ref'] !== undefined) fill(this.#resolve(String(schema['$ref'])), given)
      if (condition !== undefined) {
        const branch = this.#evaluate(condition, given, 'plain') ? then : otherwise
        if (branch !== undefined) fill(branch, given)
      }
      if (Array.isArray(given)) {
        for (const [index, item] of given.entries()) {
          const inner = Array.isArray(items)
            ? (items[index] ?? (schema as Keywords)['additionalItems'])
            : items
          if (inner !== undefined) fill(inner, item)
        }
        return
      }
      for (const [name, inner] of Object.entries(given)) {
        let isNamed = Object.hasOwn(properties, name)
        if (isNamed) fill(properties[name], inner)
        for (const [pattern, matched] of Object.entries<any>(patternProperties)) {
          if (!new RegExp(pattern, 'u').test(name)) continue
          isNamed = true
          fill(matched, inner)
        }
        if (!isNamed && additionalProperties !== undefined) fill(additionalProperties, inner)
      }
    }
    fill(this.#root, copy)
    return copy
  }

  /** The value that a text, or several of one name, stands for under a schema. Undefined where it stands for none. */
  decode(
    schema: Schema,
    text: string | readonly string[],
  ): { readonly value: unknown } | undefined {
    const found = this.#decode(schema, text)
    return found
  }

  /** Decodes the texts of an object by the schemas of its fields, all of them in one object schema. */
  decodeFields(
    texts: Readonly<Record<string, string | readonly string[]>>,
    isOpen: boolean,
  ): { readonly value: Record<string, unknown> } | undefined {
    const fields: Record<string, unknown> = Object.create(null)
    const schemas = this.#partsHeld(this.#root)
    for (const [name, text] of Object.entries(texts)) {
      const held = schemas.flatMap((part) => fieldSchemas(part, name))
      if (held.length === 0) {
        set(fields, name, text)
        continue
      }
      const [first, ...others] = held.map((each) => this.#decode(each, text))
      if (first === undefined || others.some((each) => !isDeepStrictEqual(each, first)))
        return undefined
      set(fields, name, first.value)
    }
    const value = this.withDefaults(fields) as Record<string, unknown>
    return this.accepts(value, isOpen) ? { value } : undefined
  }

  #decode(
    schema: Schema,
    text: string | readonly string[],
  ): { readonly value: unknown } | undefined {
    const held = this.#partsHeld(schema)
    const keywords = Object.assign({}, ...held) as Keywords
    const isValid = (value: unknown): boolean => this.#whole(schema, value, 'request') !== undefined
    if (keywords['anyOf'] !== undefined) {
      for (const alternative of keywords['anyOf']) {
        const decoded = this.#decode(alternative, text)
        if (decoded !== undefined && isValid(decoded.value)) return decoded
      }
      return undefined
    }
    for (const value of candidates(keywords, text, (inner, each) => this.#decode(inner, each))) {
      if (isValid(value)) return { value }
    }
    return undefined
  }

  /** A schema and those that hold for the same value. */
  #partsHeld(schema: Schema): Keywords[] {
    if (typeof schema !== 'object') return []
    const { $ref, allOf = [] } = schema as Keywords
    const target = $ref === undefined ? [] : this.#partsHeld(this.#resolve($ref))
    return [...target, ...allOf.flatMap((each: Schema) => this.#partsHeld(each)), schema]
  }

  #resolve(reference: string): Schema {
    const local = /^#\/definitions\/(.*)$/.exec(reference)?.[1]
    const found =
      local === undefined
        ? this.#shared[reference.replace(/#$/, '')]
        : (this.#root as Keywords)['definitions'][local]
    if (found === undefined) throw new Error(`no schema ${reference}`)
    return found as Schema
  }

  /** A whole value: where its schemas say which fields an object has, it has no others. */
  #whole(schema: Schema, value: unknown, mode: Mode): Mark[] | undefined {
    const marks = this.#evaluate(schema, value, mode)
    if (marks === undefined || mode === 'plain' || !isObject(value)) return marks
    if (!this.#names(schema)) return marks
    if (mode === 'reply') return [...marks, [value, some]]
    return Object.keys(value).every((name) => isMarked(marks, value, name)) ? marks : undefined
  }

  #evaluate(schema: Schema, value: unknown, mode: Mode): Mark[] | undefined {
    if (schema === true) return []
    if (schema === false || typeof schema !== 'object') return undefined
    const keywords = schema as Keywords
    const marks: Mark[] = []
    const hold = (found: Mark[] | undefined): boolean => {
      if (found !== undefined) marks.push(...found)
      return found !== undefined
    }
    const isValid =
      fitsType(keywords, value, mode) &&
      (keywords['$ref'] === undefined ||
        hold(this.#evaluate(this.#resolve(keywords['$ref']), value, mode))) &&
      fitsScalar(keywords, value) &&
      this.#fitsList(keywords, value, mode, hold) &&
      this.#fitsObject(keywords, value, mode, hold) &&
      (keywords['allOf'] ?? []).every((each: Schema) => hold(this.#evaluate(each, value, mode))) &&
      this.#fitsUnion(keywords, value, mode, hold) &&
      this.#fitsCondition(keywords, value, mode, hold)
    return isValid ? marks : undefined
  }

  #fitsList(
    keywords: Keywords,
    value: unknown,
    mode: Mode,
    hold: (found: Mark[] | undefined) => boolean,
  ): boolean {
    if (!Array.isArray(value)) return true
    const {
      items,
      additionalItems = true,
      minItems = 0,
      maxItems = Infinity,
      uniqueItems,
      contains,
    } = keywords
    const isUnique = value.every(
      (each, index) =>
        !value.slice(0, index).some((other) => isDeepStrictEqual(plain(each), plain(other))),
    )
    if (value.length < minItems || value.length > maxItems || (uniqueItems === true && !isUnique))
      return false
    if (contains !== undefined && !value.some((each) => this.#evaluate(contains, each, 'plain')))
      return false
    return value.every((each, index) => {
      const isListed = Array.isArray(items) && index < items.length
      const schema = Array.isArray(items)
        ? isListed
          ? items[index]
          : additionalItems
        : (items ?? true)
      return hold(this.#whole(schema, each, mode))
    })
  }

  #fitsObject(
    keywords: Keywords,
    value: unknown,
    mode: Mode,
    hold: (found: Mark[] | undefined) => boolean,
  ): boolean {
    if (!isObject(value)) return true
    const {
      required = [],
      additionalProperties,
      propertyNames,
      minProperties = 0,
      maxProperties = Infinity,
      dependencies = {},
    } = keywords
    const names = Object.keys(value)
    if (names.length < minProperties || names.length > maxProperties) return false
    if (!required.every((name: string) => Object.hasOwn(value, name))) return false
    if (
      propertyNames !== undefined &&
      !names.every((name) => this.#evaluate(propertyNames, name, 'plain'))
    )
      return false
    for (const [name, dependency] of Object.entries<any>(dependencies)) {
      if (!Object.hasOwn(value, name)) continue
      const fits = Array.isArray(dependency)
        ? dependency.every((each) => Object.hasOwn(value, each))
        : hold(this.#evaluate(dependency, value, mode))
      if (!fits) return false
    }
    return names.every((name) => {
      const own = ownSchemas(keywords, name)
      if (own.length === 0) {
        // Closed as a whole, or as an alternative: not by each schema.
        if (additionalProperties === undefined) return true
        if (additionalProperties === false) return mode !== 'plain'
        own.push(additionalProperties)
      }
      hold([[value, name]])
      return own.every((schema) => hold(this.#whole(schema, value[name], mode)))
    })
  }

  #fitsUnion(
    keywords: Keywords,
    value: unknown,
    mode: Mode,
    hold: (found: Mark[] | undefined) => boolean,
  ): boolean {
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const members = keywords[keyword]
      if (members === undefined) continue
      const { anyOf: _anyOf, oneOf: _oneOf, ...around } = keywords
      const isRefining = mode !== 'plain' && this.#names(around)
      const found: Mark[][] = []
      for (const member of members) {
        const marks = this.#alternative(member, value, mode, isRefining)
        if (marks !== undefined) found.push(marks)
      }
      if (found.length === 0 || (keyword === 'oneOf' && found.length > 1)) return false
      for (const marks of found) hold(marks)
    }
    return true
  }

  /** An alternative that is closed by itself stays so. One that says nothing about fields takes any, unless the schema around it
   *  names fields. */
  #alternative(
    member: Schema,
    value: unknown,
    mode: Mode,
    isRefining: boolean,
  ): Mark[] | undefined {
    const marks = this.#evaluate(member, value, mode)
    if (mode === 'plain' || marks === undefined || !isObject(value)) return marks
    if (!isRefining && !this.#names(member)) return [...marks, [value, all], [value, some]]
    if (!this.#isClosed(member)) return marks
    return Object.keys(value).every((name) => isMarked(marks, value, name)) ? marks : undefined
  }

  #fitsCondition(
    keywords: Keywords,
    value: unknown,
    mode: Mode,
    hold: (found: Mark[] | undefined) => boolean,
  ): boolean {
    const { not, if: condition, then = true, else: otherwise = true } = keywords
    if (not !== undefined && this.#evaluate(not, value, 'plain') !== undefined) return false
    if (condition === undefined) return true
    const marks = this.#evaluate(condition, value, 'plain')
    if (marks !== undefined) hold(marks.filter(([object]) => object === value))
    return hold(this.#evaluate(marks === undefined ? otherwise : then, value, mode))
  }

  #isClosed(schema: Schema): boolean {
    if (typeof schema !== 'object') return false
    if (schema['additionalProperties'] === false) return true
    const { $ref } = schema
    return $ref !== undefined && this.#isClosed(this.#resolve(String($ref)))
  }

  /** Whether a schema says which fields an object has: it itself, or one that holds or may hold for the same value. */
  #names(schema: unknown): boolean {
    return this.#applied([schema]).some(
      (each) =>
        'properties' in each || 'patternProperties' in each || 'additionalProperties' in each,
    )
  }

  /** Schemas, and all that hold or may hold for the same value. An alternative that takes any object is one with any fields. */
  #applied(schemas: readonly unknown[]): Keywords[] {
    const found = new Set<Keywords>()
    const add = (given: unknown): void => {
      if (!isObject(given) || found.has(given)) return
      found.add(given)
      const { anyOf = [], oneOf = [], ...around } = given as Keywords
      const { $ref, allOf = [], then, else: otherwise, dependencies = {} } = around
      if ($ref !== undefined) add(this.#resolve($ref))
      for (const each of [
        ...allOf,
        ...anyOf,
        ...oneOf,
        then,
        otherwise,
        ...Object.values(dependencies),
      ])
        add(each)
    }
    for (const each of schemas) add(each)
    return [...found]
  }

  /** Whether an alternative of these schemas takes any object. */
  #isFree(parts: readonly Keywords[]): boolean {
    return parts.some(({ anyOf = [], oneOf = [], ...around }) => {
      const members: unknown[] = [...anyOf, ...oneOf]
      return (
        members.length > 0 &&
        !this.#names(around) &&
        members.some((each) => takesObjects(each) && !this.#names(each))
      )
    })
  }

  /** A copy without the fields that no schema can name, whichever alternatives hold. */
  #prune(value: unknown, given: readonly unknown[]): unknown {
    const schemas = given.filter((each) => each !== undefined)
    const parts = this.#applied(schemas)
    const isOpen =
      this.#isFree(parts) || schemas.length === 0 || schemas.some((each) => !this.#names(each))
    const more = isOpen ? [true] : []
    if (Array.isArray(value)) {
      return value.map((each, index) => {
        const held = parts.map(({ items, additionalItems }) =>
          Array.isArray(items) ? (index < items.length ? items[index] : additionalItems) : items,
        )
        return this.#prune(each, [...held, ...more])
      })
    }
    if (!isObject(value)) return value
    const copy: Record<string, unknown> = Object.create(null)
    for (const [name, each] of Object.entries(value)) {
      // JSON has no such field.
      if (each === undefined) continue
      const held = [...parts.flatMap((part) => fieldSchemas(part, name)), ...more]
      if (held.length > 0) set(copy, name, this.#prune(each, held))
    }
    return copy
  }
}

function keep(value: unknown, marks: readonly Mark[]): unknown {
  const named = new Map<object, Set<string | symbol>>()
  for (const [object, name] of marks) {
    const names = named.get(object) ?? new Set()
    named.set(object, names.add(name))
  }
  const copy = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(copy)
    if (!isObject(each)) return each
    const names = named.get(each)
    const isOpen = names === undefined || names.has(all)
    const result: Record<string, unknown> = Object.create(null)
    for (const [name, inner] of Object.entries(each)) {
      if (isOpen || names.has(name) || name === '__proto__') set(result, name, copy(inner))
    }
    return result
  }
  return copy(value)
}

/** Whether an object may be valid by the type, the constant or the list of a schema. */
function takesObjects(schema: unknown): boolean {
  if (!isObject(schema)) return schema === true
  const { type = 'object', const: constant = {}, enum: values = [constant] } = schema as Keywords
  return [type].flat().includes('object') && values.some(isObject)
}

const isMarked = (marks: readonly Mark[], object: object, name: string): boolean =>
  marks.some(([of, marked]) => of === object && (marked === name || marked === all))

function ownSchemas({ properties = {}, patternProperties = {} }: Keywords, name: string): Schema[] {
  const own = Object.hasOwn(properties, name) ? [properties[name]] : []
  const matched = Object.keys(patternProperties).filter((pattern) =>
    new RegExp(pattern, 'u').test(name),
  )
  return [...own, ...matched.map((pattern) => patternProperties[pattern])]
}

function fieldSchemas(part: Keywords, name: string): Schema[] {
  const own = ownSchemas(part, name)
  const { additionalProperties = false } = part
  return own.length > 0 || additionalProperties === false ? own : [additionalProperties]
}

const largest = 2 ** 53 - 1

function fitsType({ type, nullable }: Keywords, value: unknown, mode: Mode): boolean {
  if (type === undefined) return true
  const types = [type, ...(nullable === true ? ['null'] : [])].flat()
  if (
    mode === 'request' &&
    types.includes('integer') &&
    typeof value === 'number' &&
    Math.abs(value) > largest
  )
    return false
  return types.some((each) => {
    switch (each) {
      case 'null':
        return value === null
      case 'array':
        return Array.isArray(value)
      case 'object':
        return isObject(value)
      case 'integer':
        return Number.isInteger(value)
      default:
        return typeof value === each
    }
  })
}

function fitsScalar(keywords: Keywords, value: unknown): boolean {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
    exclusiveMaximum = Infinity,
    multipleOf,
  } = keywords
  if ('const' in keywords && !isDeepStrictEqual(plain(value), plain(keywords['const'])))
    return false
  if (
    'enum' in keywords &&
    !keywords['enum'].some((each: unknown) => isDeepStrictEqual(plain(value), plain(each)))
  )
    return false
  if (typeof value === 'number') {
    if (
      value < minimum ||
      value > maximum ||
      value <= exclusiveMinimum ||
      value >= exclusiveMaximum
    )
      return false
    return multipleOf === undefined || Number.isInteger(value / multipleOf)
  }
  if (typeof value !== 'string') return true
  const { minLength = 0, maxLength = Infinity, pattern, format } = keywords
  const { length } = [...value]
  if (length < minLength || length > maxLength) return false
  return (
    (pattern === undefined || new RegExp(pattern, 'u').test(value)) &&
    (format === undefined || fitsFormat(format, value))
  )
}

function fitsFormat(format: string, value: string): boolean {
  const known: any = Reflect.get(fullFormats, format)
  if (known instanceof RegExp) return known.test(value)
  if (typeof known === 'function') return known(value)
  return (
    known?.validate === undefined ||
    (known.validate instanceof RegExp ? known.validate.test(value) : known.validate(value))
  )
}

/** The values that a text stands for under the keywords of one schema. */
function candidates(
  keywords: Keywords,
  text: string | readonly string[],
  decode: (schema: Schema, text: string) => { readonly value: unknown } | undefined,
): unknown[] {
  const { type, nullable, items = true } = keywords
  const types = type === undefined ? [] : [type, ...(nullable === true ? ['null'] : [])].flat()
  if (types.includes('array')) {
    const texts = typeof text === 'string' ? [text] : text
    const values = texts.map((each) => decode(items, each))
    return values.includes(undefined) ? [] : [values.map((each) => each?.value)]
  }
  if (typeof text !== 'string') return types.length === 0 ? [text] : []
  const literals = 'const' in keywords ? [keywords['const']] : (keywords['enum'] ?? [])
  if (types.length === 0) {
    if (literals.includes(text)) return [text]
    const fitting = literals.filter((each: unknown) => isTextOf(text, each))
    return fitting.length > 0 ? fitting.slice(0, 1) : [text]
  }
  if (types.includes('string')) return [text]
  const found = types.flatMap((each): unknown[] => {
    if (each === 'null') return text === '' ? [null] : []
    if (each === 'boolean') return text === 'true' ? [true] : text === 'false' ? [false] : []
    if (each === 'integer')
      return /^-?(0|[1-9][0-9]*)$/.test(text) && Number.isFinite(Number(text)) ? [Number(text)] : []
    return each === 'number' && isNumber(text) ? [Number(text)] : []
  })
  return found
}

const isNumber = (text: string): boolean =>
  /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text) && Number.isFinite(Number(text))

function isTextOf(text: string, value: unknown): boolean {
  if (value === null) return text === ''
  if (typeof value === 'boolean') return text === String(value)
  return typeof value === 'number' && isNumber(text) && Number(text) === value
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field `__proto__` would otherwise set the prototype. */
export function set(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

/** A value without prototypes, in which the order of fields and the sign of zero do not matter. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (value === 0) return 0
  if (!isObject(value)) return value
  const copy: Record<string, unknown> = Object.create(null)
  for (const [name, each] of Object.entries(value))
    if (each !== undefined) set(copy, name, plain(each))
  return copy
}
