// The source text of a schema. What the compiler reads is what runs: the text is evaluated.
import { t } from '../../src/index.ts'
import { some, type Form, type Json, type ObjectSketch, type Sketch } from './sketch.ts'

/** More keywords of the outermost schema, as source text by name. */
export type Extra = Readonly<Record<string, string>>

/** Whether a sketch can be written in a form. */
export function isExpressible(sketch: Sketch, form: Form): boolean {
  if (form === 'plain') return !some(sketch, ({ kind }) => kind === 'transform')
  if (form === 't') return !some(sketch, isPlainOnly)
  if (sketch.kind !== 'object' || sketch.nullable || hasIndex(sketch)) return false
  return sketch.typed && sketch.others === undefined && sketch.fields.every(isShortField)
}

const isShortField = ({ schema, required }: ObjectSketch['fields'][number]) =>
  !some(schema, ({ kind }) => kind === 'self') &&
  (isExpressible(schema, 't') || (!required && isExpressible(schema, 'plain')))

function isPlainOnly(sketch: Sketch): boolean {
  switch (sketch.kind) {
    case 'types':
    case 'branch':
    case 'not':
      return true
    case 'const':
      return typeof sketch.value === 'object'
    case 'enum':
      // ajv takes no `nullable` without a type, which enums of `t` do not have.
      return (
        sketch.nullable === true ||
        sketch.values.some((value) => typeof value !== 'string' && typeof value !== 'number')
      )
    case 'tuple':
      return !sketch.whole || sketch.rest !== false
    case 'object':
      return !sketch.typed || hasIndex(sketch) || sketch.requires !== undefined
    case 'union':
      return sketch.keyword === 'oneOf' || sketch.beside !== undefined
    case 'all':
      return sketch.beside !== undefined
    default:
      return false
  }
}

const hasIndex = ({ patterns }: ObjectSketch) => patterns !== undefined

/** Writes a schema. A recursive one is wrapped by `writeRoot`. */
export function write(sketch: Sketch, form: Form, extra: Extra = {}): string {
  if (form === 't') return writeBuilt(sketch, extra)
  if (form === 'plain') return braces({ ...plainKeywords(sketch), ...extra })
  const { fields } = sketch as ObjectSketch
  const written = fields.map(({ name, schema, required }, index) => {
    const isPlain = !required && isExpressible(schema, 'plain') && index % 2 === 0
    const usesPlain = isPlain || !isExpressible(schema, 't')
    return [name, usesPlain ? write(schema, 'plain') : writeField(schema, required)] as const
  })
  return braces(Object.fromEntries(written))
}

/** Writes the schema of a case, which may refer to itself. */
export function writeRoot(sketch: Sketch, form: Form, extra: Extra): string {
  const text = write(sketch, form, extra)
  const isRecursive = form === 't' && some(sketch, ({ kind }) => kind === 'self')
  return isRecursive ? `t.Recursive((self) => ${text})` : text
}

/** The schema that a text stands for. */
export function evaluate(text: string): object {
  return new Function('t', `return (${text})`)(t) as object
}

export const quote = (value: Json) => JSON.stringify(value)

function braces(entries: Extra): string {
  const each = Object.entries(entries).map(([name, text]) => `${quote(name)}: ${text}`)
  return `{ ${each.join(', ')} }`
}

const list = (sketches: readonly Sketch[], form: Form) =>
  `[${sketches.map((each) => write(each, form)).join(', ')}]`

function marks(sketch: Sketch): Record<string, string> {
  return {
    ...(sketch.nullable && { nullable: 'true' }),
    ...(sketch.default !== undefined && { default: quote(sketch.default) }),
  }
}

function rulesText(rules: Readonly<Record<string, Json>>): Record<string, string> {
  return Object.fromEntries(Object.entries(rules).map(([name, value]) => [name, quote(value)]))
}

function writeField(schema: Sketch, required: boolean): string {
  const text = writeBuilt(schema, {})
  return required ? text : `t.Optional(${text})`
}

function call(method: string, args: readonly string[], options: Extra): string {
  const all = Object.keys(options).length > 0 ? [...args, braces(options)] : args
  return `t.${method}(${all.join(', ')})`
}

function writeBuilt(sketch: Sketch, extra: Extra): string {
  const options = { ...marks(sketch), ...extra }
  switch (sketch.kind) {
    case 'any':
      return call('Unknown', [], options)
    case 'null':
      return call('Null', [], options)
    case 'boolean':
      return call('Boolean', [], options)
    case 'integer':
      return call('Integer', [], { ...rulesText(sketch.rules), ...options })
    case 'number':
      return call('Number', [], { ...rulesText(sketch.rules), ...options })
    case 'string':
      return call('String', [], { ...rulesText(sketch.rules), ...options })
    case 'const':
      return call('Literal', [quote(sketch.value)], options)
    case 'enum':
      return call('Enum', [braces(enumMembers(sketch.values))], options)
    case 'transform':
      return `t.Transform(${writeBuilt(sketch.inner, extra)}).Decode((value) => ({ decoded: value })).Encode((value) => value.decoded)`
    case 'self':
      return 'self'
    default:
      return writeBuiltHolder(sketch, options)
  }
}

const enumMembers = (values: readonly Json[]) =>
  Object.fromEntries(values.map((value, index) => [`Member${index}`, quote(value)]))

function writeBuiltHolder(sketch: Sketch, options: Extra): string {
  switch (sketch.kind) {
    case 'array':
      return call('Array', [writeBuilt(sketch.items, {})], {
        ...rulesText(sketch.rules),
        ...options,
      })
    case 'tuple':
      return call('Tuple', [list(sketch.items, 't')], options)
    case 'object': {
      const fields = sketch.fields.map(({ name, schema, required }) => [
        name,
        writeField(schema, required),
      ])
      const others = othersText(sketch, 't')
      return call('Object', [braces(Object.fromEntries(fields) as Extra)], {
        ...others,
        ...options,
      })
    }
    case 'record':
      return call('Record', ['t.String()', writeBuilt(sketch.value, {})], options)
    case 'union':
      return call('Union', [list(sketch.of, 't')], options)
    case 'all':
      return call('Intersect', [list(sketch.of, 't')], options)
    case 'ref':
      return call('Ref', [quote(sketch.reference)], options)
    default:
      throw new Error(`t has no ${sketch.kind}`)
  }
}

function othersText({ others }: ObjectSketch, form: Form): Record<string, string> {
  if (others === undefined) return {}
  const text = typeof others === 'boolean' ? String(others) : write(others, form)
  return { additionalProperties: text }
}

function plainKeywords(sketch: Sketch): Record<string, string> {
  const own = marks(sketch)
  switch (sketch.kind) {
    case 'any':
      return own
    case 'null':
    case 'boolean':
      return { type: quote(sketch.kind), ...own }
    case 'integer':
    case 'number':
    case 'string':
      return { type: quote(sketch.kind), ...rulesText(sketch.rules), ...own }
    case 'const':
      return { ...typesIf(sketch.nullable, [sketch.value]), const: quote(sketch.value), ...own }
    case 'enum':
      return {
        ...typesIf(sketch.nullable, sketch.values),
        enum: quote([...sketch.values]),
        ...own,
      }
    case 'types':
      return { type: quote([...sketch.names]), ...own }
    case 'ref':
      return { $ref: quote(sketch.reference), ...own }
    case 'self':
      return { $ref: quote('#'), ...own }
    default:
      return { ...plainHolder(sketch), ...own }
  }
}

/** What is nullable has to say of what type it is. */
function typesIf(nullable: true | undefined, values: readonly Json[]): Record<string, string> {
  return nullable ? { type: quote([...new Set(values.map(typeOf))]) } : {}
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function plainHolder(sketch: Sketch): Record<string, string> {
  const text = (each: Sketch) => write(each, 'plain')
  switch (sketch.kind) {
    case 'array':
      return { type: quote('array'), items: text(sketch.items), ...rulesText(sketch.rules) }
    case 'tuple':
      return plainTuple(sketch)
    case 'record':
      return { type: quote('object'), additionalProperties: text(sketch.value) }
    case 'object':
      return plainObject(sketch)
    case 'union':
      return { ...beside(sketch.beside), [sketch.keyword]: list(sketch.of, 'plain') }
    case 'all':
      return { ...beside(sketch.beside), allOf: list(sketch.of, 'plain') }
    case 'not':
      return { ...plainKeywords(sketch.base), not: text(sketch.not) }
    case 'branch':
      return {
        ...plainKeywords(sketch.base),
        if: text(sketch.condition),
        ...(sketch.then && { then: text(sketch.then) }),
        ...(sketch.otherwise && { else: text(sketch.otherwise) }),
      }
    default:
      throw new Error(`plain JSON Schema has no ${sketch.kind}`)
  }
}

const beside = (sketch: ObjectSketch | undefined) => (sketch ? plainKeywords(sketch) : {})

function plainTuple({ items, whole, rest }: Sketch & { kind: 'tuple' }): Record<string, string> {
  return {
    type: quote('array'),
    items: list(items, 'plain'),
    ...(whole && { minItems: quote(items.length) }),
    ...(rest === false && { maxItems: quote(items.length) }),
    ...(typeof rest === 'object' && { additionalItems: write(rest, 'plain') }),
  }
}

function plainObject(sketch: ObjectSketch): Record<string, string> {
  const described = sketch.fields.filter((field) => field.required).map(({ name }) => name)
  const required = [...described, ...(sketch.requires ?? [])]
  const fields = sketch.fields.map(({ name, schema }) => [name, write(schema, 'plain')])
  const patterns = Object.entries(sketch.patterns ?? {}).map(([pattern, schema]) => [
    pattern,
    write(schema, 'plain'),
  ])
  return {
    ...(sketch.typed && { type: quote('object') }),
    ...(fields.length > 0 && { properties: braces(Object.fromEntries(fields) as Extra) }),
    ...(required.length > 0 && { required: quote(required) }),
    ...(patterns.length > 0 && {
      patternProperties: braces(Object.fromEntries(patterns) as Extra),
    }),
    ...othersText(sketch, 'plain'),
  }
}
