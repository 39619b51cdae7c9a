// A case: a schema of one part of a route, with what is sent there.
import { forms, type Form } from './forms.ts'
import { isObject, set } from './oracle.ts'
import { Random } from './random.ts'
import { rootSchema, sharedSchemas, textSchema, type SchemaMap } from './schemas.ts'
import { exotic, hostileValue, mutate, textValue, valueOf } from './values.ts'

export const parts = [
  'body',
  'body',
  'reply',
  'reply',
  'query',
  'form',
  'headers',
  'params',
] as const
export type Part = (typeof parts)[number]

export interface StrictCase {
  readonly seed: number
  readonly part: Part
  readonly form: Form
  readonly schema: SchemaMap
  readonly shared: Readonly<Record<string, SchemaMap>>
  /** Values of JSON, or of `Exotic` in payloads; of parts that are text, objects of texts. */
  readonly values: readonly unknown[]
  /** Whether no route of the default mode stands beside the strict one, since its boot refuses the schema. */
  readonly isAlone?: boolean
}

/** What stands for a value that is no plain JSON, in a payload: its place in `exotic`. */
export class Exotic {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

export const isText = (part: Part): boolean => part !== 'body' && part !== 'reply'

/** The case of a seed. @param count how many values it has */
export function makeCase(seed: number, count = 16): StrictCase {
  const random = new Random(seed)
  const given = sharedSchemas(random)
  const part = random.pick(parts)
  const form = random.pick(forms)
  if (isText(part)) {
    const schema = forPart(textSchema(random), part)
    const values = Array.from({ length: count }, () => texts(random, schema, part))
    const isBare = form === 'content' || form === 'standard'
    return { seed, part, form: isBare ? 'plain' : form, schema, shared: given, values }
  }
  const root = rootSchema(random)
  const shared = withoutConstants(given, [root, given])
  const made = withoutConstants(root, [root, given])
  const schema =
    part === 'reply' && (made['type'] !== 'object' || random.once(4))
      ? { type: 'object', properties: { n: made }, required: ['n'] }
      : made
  const resolve = (reference: string): unknown => shared[reference.replace(/#$/, '')]
  const values = Array.from({ length: count }, (_, index) => {
    if (index % 8 === 7) return hostileValue(random)
    const value = valueOf(random, schema, resolve)
    // What a Standard Schema makes of such values is its own matter.
    if (part === 'reply' && form !== 'standard' && index % 4 === 2) return withExotic(random, value)
    return index % 2 === 0 ? value : mutate(random, value)
  })
  return { seed, part, form, schema, shared, values }
}

/** Where a schema names a field that all objects inherit, values have no prototype, and ajv takes them for no object constant. */
function withoutConstants<Part>(part: Part, all: unknown): Part {
  const hasInherited = /"(constructor|__proto__)"/.test(JSON.stringify(all))
  if (!hasInherited) return part
  return JSON.parse(JSON.stringify(part).replaceAll(/"const":\{[^}]*\}/g, '"type":"null"'))
}

/** Headers come with others, and each parameter of a path has one text. */
function forPart(schema: SchemaMap, part: Part): SchemaMap {
  if (part === 'query' || part === 'form') return schema
  const { additionalProperties: _others, patternProperties: _patterns, ...rest } = schema
  // A parameter of a path has no hyphen in its name.
  return part === 'headers' ? rest : JSON.parse(JSON.stringify(rest).replaceAll('x-1', 'x1'))
}

const namesOf = (schema: SchemaMap): string[] =>
  [schema, ...(schema['allOf'] ?? [])].flatMap(({ properties = {} }) => Object.keys(properties))

function texts(random: Random, schema: SchemaMap, part: Part): Record<string, string | string[]> {
  const values = {}
  const names = namesOf(schema).filter((name) => part !== 'headers' || !(name in Object.prototype))
  const single = (): string => {
    for (;;) {
      const text = [textValue(random)].flat()[0] ?? ''
      if (part === 'headers' ? /^[!-~]*$/.test(text) : text !== '') return text
    }
  }
  const isLoose = part === 'query' || part === 'form'
  for (const name of names) {
    if (part === 'params' || !random.once(3))
      set(values, name, isLoose ? textValue(random) : single())
  }
  if (isLoose && random.once(5))
    set(values, random.pick(['d', 'y-1', 'constructor', 'extra']), textValue(random))
  return values
}

function withExotic(random: Random, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0) {
    const at = random.below(value.length)
    return value.map((each, index) => (index === at ? withExotic(random, each) : each))
  }
  if (!isObject(value) || random.once(4)) return new Exotic(random.below(exotic.length))
  const copy = {}
  const names = [...Object.keys(value), 'a']
  const at = random.pick(names)
  for (const name of new Set(names))
    set(copy, name, name === at ? withExotic(random, value[name]) : value[name])
  return copy
}
