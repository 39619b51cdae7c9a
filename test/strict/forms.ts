// The forms in which a schema can be given.
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { Type } from 'typebox'
import { t } from '../../src/index.ts'
import type { StrictCase } from './cases.ts'
import { isObject, set, type Schema } from './oracle.ts'
import type { SchemaMap } from './schemas.ts'

export const forms = [
  'plain',
  'plain',
  't',
  't',
  'typebox',
  'short',
  'shared',
  'local',
  'content',
  'fluent',
  'standard',
] as const
export type Form = (typeof forms)[number]

/** A schema as a route has it, with the plain schema that it stands for. */
export interface Given {
  readonly entry: unknown
  readonly schema: Schema
  /** A schema that the scope has to have. */
  readonly added?: SchemaMap
  /** Judges values, where the entry is a Standard Schema: it decides itself which fields an object has. */
  readonly judge?: (value: unknown) => boolean
}

/** @param id the name of the schema where it is shared */
export function give({ schema, form, part, shared }: StrictCase, id: string): Given {
  const isReply = part === 'reply'
  switch (form) {
    case 'standard':
      return asStandard(schema, shared)
    case 't':
    case 'typebox': {
      // cast: what both versions of TypeBox have is called in the same way
      const entry = build(schema, (form === 't' ? t : Type) as any)
      return { entry, schema: asObject(asPlain(entry)) }
    }
    case 'short': {
      const { type, properties, ...others } = schema
      if (type !== 'object' || !isObject(properties) || Object.keys(others).length > 0) break
      if (Object.keys(properties).some((name) => name in Object.prototype)) break
      return { entry: properties, schema }
    }
    case 'shared':
      return { entry: { $ref: `${id}#` }, schema, added: { ...schema, $id: id } }
    case 'local': {
      const entry = { definitions: { own: schema }, $ref: '#/definitions/own' }
      return { entry, schema: entry }
    }
    case 'content':
    case 'fluent':
    case 'plain':
  }
  const isFull = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'enum', 'const'].some(
    (name) => name in schema,
  )
  const full =
    isFull || ('properties' in schema && !isReply)
      ? schema
      : { type: ['object', 'array', 'string', 'number', 'boolean', 'null'], ...schema }
  return { entry: wrap(full, form), schema: asObject(full) }
}

function wrap(schema: SchemaMap, form: Form): unknown {
  if (form === 'content') return { content: { 'application/json': { schema } } }
  return form === 'fluent' ? { isFluentJSONSchema: true, valueOf: () => schema } : schema
}

function asStandard(schema: SchemaMap, shared: Readonly<Record<string, SchemaMap>>): Given {
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  for (const [id, each] of Object.entries(shared)) ajv.addSchema({ ...each, $id: id })
  const judge: (value: unknown) => boolean = ajv.compile(schema)
  const validate = (value: unknown) =>
    judge(value) ? { value } : { issues: [{ message: 'is refused' }] }
  return { entry: { '~standard': { version: 1, vendor: 'ajv', validate } }, schema, judge }
}

/** A schema with properties is one of objects, where it is the whole of a part. */
const asObject = (schema: SchemaMap): SchemaMap =>
  'properties' in schema && !('type' in schema) ? { type: 'object', ...schema } : schema

/** A schema as its JSON has it. */
export const asPlain = (schema: unknown): SchemaMap => JSON.parse(JSON.stringify(schema))

/** Builds a schema by the functions of TypeBox, and by plain parts where it has none. */
function build(schema: any, types: any): any {
  if (!isObject(schema)) return types.Unsafe(schema === true ? {} : { not: {} })
  const {
    type,
    properties,
    required = [],
    items,
    additionalProperties,
    anyOf,
    allOf,
    ...others
  }: SchemaMap = schema
  const inner = (each: unknown): any => build(each, types)
  const names = Object.keys(others)
  if (
    type === 'object' &&
    isObject(properties) &&
    anyOf === undefined &&
    allOf === undefined &&
    (required as string[]).every((name) => Object.hasOwn(properties, name)) &&
    !Object.hasOwn(properties, '__proto__')
  ) {
    const fields = {}
    for (const [name, each] of Object.entries(properties))
      set(fields, name, required.includes(name) ? inner(each) : types.Optional(inner(each)))
    const rest =
      additionalProperties === undefined
        ? {}
        : {
            additionalProperties: isObject(additionalProperties)
              ? inner(additionalProperties)
              : additionalProperties,
          }
    return types.Object(fields, { ...others, ...rest })
  }
  if (anyOf !== undefined && Object.keys(schema).length === 1) return types.Union(anyOf.map(inner))
  if (
    allOf !== undefined &&
    names.length === 0 &&
    properties === undefined &&
    additionalProperties === undefined
  )
    return types.Intersect(allOf.map(inner))
  if (type === 'array' && isObject(items)) return types.Array(inner(items), others)
  if (
    type === 'array' &&
    Array.isArray(items) &&
    others['minItems'] === items.length &&
    others['maxItems'] === items.length
  )
    return types.Tuple(items.map(inner))
  if (type === 'integer' && names.length + 1 === Object.keys(schema).length)
    return types.Integer(others)
  if (type === 'number' && names.length + 1 === Object.keys(schema).length)
    return types.Number(others)
  if (type === 'string' && !('enum' in others) && !('const' in others)) return types.String(others)
  if (type === 'boolean') return types.Boolean(others)
  if (type === 'null') return types.Null()
  if ('const' in schema && typeof schema['const'] !== 'object' && type === undefined)
    return types.Literal(schema['const'])
  if (typeof schema['$ref'] === 'string' && names.length === 1 && Object.keys(schema).length === 1)
    return types.Ref(schema['$ref'])
  if (
    schema['patternProperties'] !== undefined &&
    names.length === 1 &&
    type === 'object' &&
    properties === undefined &&
    additionalProperties === undefined
  )
    return types.Record(
      types.String(),
      inner(Object.values(schema['patternProperties'] as SchemaMap)[0]),
    )
  if (Object.keys(schema).length === 0) return types.Any()
  return types.Unsafe(schema)
}
