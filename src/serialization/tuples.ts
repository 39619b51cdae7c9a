import { subschemasOf, type Bundle } from '../schema/bundle.ts'
import { definitionOf } from '../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../schema/values.ts'
import { keywordType, writing } from './alternatives.ts'

/** Gives the items of tuples the types that their other keywords are for: fast-json-stringify asks each item of a payload for
 *  the `type` of its schema, and for nothing else, so that an item without one would be refused whatever it is.
 *  @example { items: [{ anyOf: [{ type: 'number' }, { type: 'null' }] }] } // the item becomes one of type ['null', 'number'] */
export function typeTupleItems(bundle: Bundle): void {
  const { definitions } = bundle.schema
  const typing = new Typing(isPlainObject(definitions) ? definitions : {})
  for (const { schema, asker } of subschemasOf(bundle)) {
    const { items } = schema
    // What only is a condition is not written.
    if (!Array.isArray(items) || (asker !== undefined && !writing.includes(asker))) continue
    Object.assign(schema, { items: items.map((item) => typing.of(item).schema) })
  }
}

interface Typed {
  readonly schema: unknown
  /** Undefined where nobody can say: such a schema is left as it is. */
  readonly types: readonly string[] | undefined
}

/** All types, in the order in which a value is asked for them: a date is written as text, and not as an object. */
const order = ['null', 'boolean', 'integer', 'number', 'array', 'string', 'object']

const choosing = ['anyOf', 'oneOf', 'allOf', 'if']

/** What may stand beside a reference without saying anything of a value. */
const silent = [
  ...['$ref', 'title', 'description', 'default', 'examples', 'example', 'deprecated'],
  ...['readOnly', 'writeOnly'],
]

class Typing {
  readonly #definitions: JsonObject
  readonly #references = new Map<string, Typed>()

  constructor(definitions: JsonObject) {
    this.#definitions = definitions
  }

  /** @param around the type that the schemas around it are for, whose keywords hold beside its own: where they list
   *  properties, no others may come in by what takes anything */
  of(schema: unknown, around?: string): Typed {
    if (!isPlainObject(schema)) return { schema, types: schema === true ? undefined : [] }
    if (schema['type'] !== undefined) return { schema, types: typesOf(schema) }
    if ('$ref' in schema) return this.#ofReference(schema, around)
    if ('const' in schema) return typed(schema, [typeOf(schema['const'])])
    if (Array.isArray(schema['enum']))
      return typed(schema, schema['enum'].map(typeOf).filter(isFlat))
    const own = keywordType(schema) ?? around
    const [choice, ...more] = choosing.filter((keyword) => keyword in schema)
    if (choice === undefined) return { schema, types: own === undefined ? undefined : [own] }
    if (more.length > 0 || 'not' in schema) return { schema, types: undefined }
    if (choice === 'allOf') return typed(schema, this.#ofAll(schema[choice], own))
    if (choice === 'if') return typed(schema, this.#ofEither(schema, own))
    return this.#ofUnion(schema, choice, own)
  }

  #ofUnion(schema: JsonObject, keyword: string, own?: string): Typed {
    const members = schema[keyword]
    const each = Array.isArray(members) ? members.map((member) => this.of(member, own)) : []
    const types = union(each.map((member) => member.types))
    if (types === undefined) return { schema, types }
    return typed({ ...schema, [keyword]: each.map((member) => member.schema) }, types)
  }

  /** The types that all schemas let be. */
  #ofAll(members: unknown, own?: string): readonly string[] | undefined {
    const lists = Array.isArray(members) ? members.map((each) => this.of(each, own).types) : []
    if (lists.length === 0 || lists.includes(undefined)) return undefined
    return order.filter((type) => lists.every((types) => types?.includes(type)))
  }

  #ofEither({ then, else: other }: JsonObject, own?: string): readonly string[] | undefined {
    const lists = [then, other].map((each) => this.of(each ?? true, own).types)
    return union(lists)
  }

  /** What a reference leads to stays as it is for others: items have a copy. */
  #ofReference(schema: JsonObject, around?: string): Typed {
    const name = definitionOf(schema['$ref'])
    if (name === undefined) return { schema, types: undefined }
    const { schema: reference, types } = this.#ofDefinition(name, around)
    const isAlone = Object.keys(schema).every((keyword) => silent.includes(keyword))
    if (isAlone) return { schema: { ...schema, $ref: reference }, types }
    return { schema, types: schema['$ref'] === reference ? types : undefined }
  }

  /** The schema of the answer is a reference. */
  #ofDefinition(name: string, around = ''): Typed {
    const key = `${around} ${name}`
    const known = this.#references.get(key)
    if (known !== undefined) return known
    const target = this.#definitions[name]
    const itself = `#/definitions/${name}`
    // A schema that leads to itself by unions alone says nothing by that.
    this.#references.set(key, { schema: itself, types: [] })
    const { schema, types } = this.of(target, around || undefined)
    const found = { schema: schema === target ? itself : this.#define(name, schema), types }
    this.#references.set(key, found)
    return found
  }

  #define(name: string, schema: unknown): string {
    let own = `${name}.item`
    while (own in this.#definitions) own += '_'
    Object.assign(this.#definitions, { [own]: schema })
    return `#/definitions/${own}`
  }
}

function typed(schema: JsonObject, types: readonly string[] | undefined): Typed {
  if (types === undefined || types.length === 0) return { schema, types }
  const own = order.filter((type) => types.includes(type))
  return { schema: { ...schema, type: own.length === 1 ? own[0] : own }, types: own }
}

function typesOf({ type, nullable }: JsonObject): string[] {
  const types = [type, nullable === true ? 'null' : []].flat()
  return types.filter((each) => typeof each === 'string')
}

function union(lists: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const known = lists.filter((types) => types !== undefined)
  return known.length < lists.length ? undefined : known.flat()
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** A list of values does not say what of an object may be written. */
function isFlat(type: string): boolean {
  return type !== 'object' && type !== 'array'
}
