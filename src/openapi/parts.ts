import { isStandardSchema } from '../schema/standard-schema.ts'
import { describe } from '../errors/describe.ts'
import { isObject, isPlainObject } from '../types/objects.ts'
import { readFluent } from '../schema/fluent-schema.ts'
import { listOf } from './components.ts'
import { type Direction, Link } from './link.ts'
import { type Draft, files, type SchemaConverter } from './convert.ts'
import { type SchemaToJson, toJsonSchema } from './standard.ts'

interface OperationPlace {
  /** The start of the names of components without a name, such as `PostUsers`. */
  readonly name: string
  /** The name of the scope. */
  readonly scope: string
  /** Whether the document has `itemSchema`, as from version 3.2 on. */
  readonly hasItemSchemas: boolean
  /** Whether the schemas are closed, as those of strict routes are. */
  readonly isClosed: boolean
}

/** Reads a part of a route. @throws Error that names the part */
export function inPart<Result>(name: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new Error(`${name}: ${reasonOf(error)}`, { cause: error })
  }
}

/** What an error says. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Turns the schemas of one operation into drafts. */
export class PartReader {
  readonly #converter: SchemaConverter
  readonly #libraries: Readonly<Record<string, SchemaToJson>>
  readonly #operation: OperationPlace

  constructor(
    converter: SchemaConverter,
    libraries: Readonly<Record<string, SchemaToJson>>,
    operation: OperationPlace,
  ) {
    this.#converter = converter
    this.#libraries = libraries
    this.#operation = operation
  }

  get hasItemSchemas(): boolean {
    return this.#operation.hasItemSchemas
  }

  /** @param part the end of the name of a component without a name, such as `Body`
   *  @throws Error for what cannot be told */
  draft(given: unknown, direction: Direction, part: string): Draft {
    const { name, scope, isClosed } = this.#operation
    const place = name + part
    if (isStandardSchema(given)) {
      const schema = toJsonSchema(given, direction, this.#libraries)
      return this.#converter.convert(schema, { direction, place, scope, isOneWay: true })
    }
    const schema = readFluent(given)
    if (!isPlainObject(schema)) {
      const kind = isObject(schema) ? 'an object of a class' : describe(schema)
      throw new Error(`it is ${kind}, and no JSON Schema`)
    }
    const position = isClosed ? 'whole' : undefined
    return this.#converter.convert(schema, { direction, place, scope, position })
  }
}

/** What a draft refers to, or the draft itself. Keywords beside a reference hold together with
 *  it. */
export function targetOf(draft: unknown): unknown {
  let at = draft
  // A schema that refers to itself alone leads nowhere.
  for (let steps = 0; steps < 50; steps++) {
    if (!isPlainObject(at)) return at
    const { $ref: link, ...others } = at
    if (!(link instanceof Link)) return at
    if (Object.keys(others).length > 0) {
      return { ...others, allOf: [link.draft, ...listOf(others['allOf'])] }
    }
    at = link.draft
  }
  return undefined
}

/** The types of JSON that a draft takes, as far as its keywords tell. */
export function typesOf(draft: unknown, depth = 0): ReadonlySet<string> {
  const schema = targetOf(draft)
  if (!isPlainObject(schema) || depth > 50) return new Set(schema === false ? [] : allTypes)
  const { type, const: constant, enum: values, anyOf, oneOf, allOf } = schema
  const inner = (members: unknown): string[] =>
    listOf(members).flatMap((each) => [...typesOf(each, depth + 1)])
  const limits: Iterable<string>[] = []
  if (type !== undefined) limits.push([type].flat().flatMap(withInteger))
  if ('const' in schema) limits.push([typeOf(constant)])
  if (Array.isArray(values)) limits.push(values.map(typeOf))
  if (Array.isArray(anyOf)) limits.push(inner(anyOf))
  if (Array.isArray(oneOf)) limits.push(inner(oneOf))
  if (Array.isArray(allOf)) limits.push(...allOf.map((each) => typesOf(each, depth + 1)))
  const sets = limits.map((limit) => new Set(limit))
  return new Set(allTypes.filter((each) => sets.every((set) => set.has(each))))
}

const allTypes = ['string', 'number', 'boolean', 'null', 'object', 'array']

function withInteger(type: unknown): string[] {
  return [type === 'integer' ? 'number' : String(type)]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The fields of an object schema. */
export interface Fields {
  readonly fields: ReadonlyMap<string, { readonly draft: unknown; readonly isRequired: boolean }>
  /** Whether the list of fields says all that the schema demands. */
  readonly isWhole: boolean
}

/** Keywords of an object schema that demand nothing beside its fields. */
const plain = new Set([
  ...['type', 'properties', 'required', 'allOf', 'title', 'description', 'default', 'examples'],
  ...['example', 'deprecated', '$ref', 'unevaluatedProperties'],
])

/** The fields of a draft, with those of its `allOf` and of its alternatives. */
export function fieldsOf(draft: unknown, depth = 0): Fields {
  const schema = targetOf(draft)
  const fields = new Map<string, { draft: unknown; isRequired: boolean }>()
  if (!isPlainObject(schema) || depth > 50) return { fields, isWhole: schema === true }
  const { properties, required, additionalProperties, allOf } = schema
  const isClosedOrOpen = !isPlainObject(additionalProperties)
  const own = Object.keys(schema).filter((key) => key !== 'additionalProperties')
  let isWhole = isClosedOrOpen && own.every((key) => plain.has(key))
  const add = (name: string, more: { draft: unknown; isRequired: boolean }): void => {
    const known = fields.get(name)
    const drafts = [...new Set([known?.draft ?? anything, more.draft])].filter(
      (each) => each !== anything,
    )
    const merged = drafts.length > 1 ? { allOf: drafts } : (drafts[0] ?? anything)
    fields.set(name, { draft: merged, isRequired: more.isRequired || known?.isRequired === true })
  }
  for (const [name, each] of Object.entries(isPlainObject(properties) ? properties : {})) {
    add(name, { draft: each, isRequired: false })
  }
  for (const name of listOf(required)) {
    add(String(name), { draft: anything, isRequired: true })
  }
  for (const part of listOf(allOf)) {
    const inner = fieldsOf(part, depth + 1)
    isWhole &&= inner.isWhole
    for (const [name, field] of inner.fields) add(name, field)
  }
  for (const members of [schema['anyOf'], schema['oneOf']]) {
    if (!Array.isArray(members)) continue
    for (const [name, field] of alternatives(members, depth)) add(name, field)
  }
  return { fields, isWhole }
}

/** The draft of a field that is required without being described. */
const anything: Draft = {}

/** The fields of alternatives. One is required if it is in each. */
function alternatives(members: readonly unknown[], depth: number): Fields['fields'] {
  const lists = members.map((member) => fieldsOf(member, depth + 1).fields)
  const names = new Set(lists.flatMap((list) => [...list.keys()]))
  return new Map(
    [...names].map((name) => {
      const found = lists.flatMap((list) => list.get(name) ?? [])
      const drafts = [...new Set(found.map(({ draft }) => draft))]
      const draft = drafts.length === 1 ? drafts[0] : { anyOf: drafts }
      const isRequired = found.length === lists.length && found.every((each) => each.isRequired)
      return [name, { draft, isRequired }]
    }),
  )
}

/** Whether a draft takes an object without fields, as far as its keywords tell. */
export function takesEmpty(draft: unknown, depth = 0): boolean {
  const schema = targetOf(draft)
  if (!isPlainObject(schema) || depth > 50) return schema !== false
  const { required, minProperties, anyOf, oneOf, allOf } = schema
  const takes = (each: unknown): boolean => takesEmpty(each, depth + 1)
  if (Array.isArray(required) && required.length > 0) return false
  if (typeof minProperties === 'number' && minProperties > 0) return false
  if (Array.isArray(allOf) && !allOf.every(takes)) return false
  return [anyOf, oneOf].every((members) => !Array.isArray(members) || members.some(takes))
}

/** Whether a draft has an uploaded file at any depth. */
export function hasFile(draft: unknown, seen: Set<unknown> = new Set()): boolean {
  const at = draft instanceof Link ? draft.draft : draft
  if (typeof at !== 'object' || at === null || seen.has(at)) return false
  if (files.has(at)) return true
  seen.add(at)
  return Object.values(at).some((each) => hasFile(each, seen))
}
