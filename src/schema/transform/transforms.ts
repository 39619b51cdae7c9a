import { Kind, TransformKind } from '@sinclair/typebox'
import { isPlainObject, type JsonObject } from '../../types/objects.ts'
import { isBigInt, toBigInt } from '../big-int.ts'
import { sensitiveKeyword } from '../sensitive.ts'

/** The two functions of a `t.Transform`. */
export interface Transform {
  readonly Decode: (value: unknown) => unknown
  readonly Encode: (value: unknown) => unknown
}

/** A check of a `Type.Refine`, with its error message. */
export interface Refinement {
  readonly check: (value: unknown) => boolean
  readonly error: (value: unknown) => string
}

interface Marks {
  readonly [TransformKind]?: Transform
  /** A `Type.Codec` of TypeBox 1.x. */
  readonly '~codec'?: {
    readonly decode: Transform['Decode']
    readonly encode: Transform['Encode']
  }
  /** A `Type.Refine` of TypeBox 1.x. */
  readonly '~refine'?: readonly Refinement[]
}

/** The transform of a schema itself: that of `t.BigInt`, and around it that of the user. */
export function transformOf(schema: JsonObject & Marks): Transform | undefined {
  const given = givenTransform(schema)
  if (!isBigInt(schema)) return given
  if (given === undefined) return wholeNumber
  return { Decode: (value) => given.Decode(toBigInt(value)), Encode: given.Encode }
}

/** Serializers write a bigint, so nothing is encoded. */
export const wholeNumber: Transform = { Decode: toBigInt, Encode: (value) => value }

/** The transform that a user has given, by either version of TypeBox. */
function givenTransform(schema: Marks): Transform | undefined {
  const { [TransformKind]: transform, '~codec': codec } = schema
  if (codec === undefined) return transform
  return { Decode: codec.decode, Encode: codec.encode }
}

/** The refinements of a schema itself. */
export function refinementsOf(schema: Marks): readonly Refinement[] {
  return schema['~refine'] ?? []
}

/** Copies the marks of a schema to a copy of it. No compiler reads them, and JSON.stringify ignores
 *  them. */
export function copyMarks(schema: Marks, copy: object): void {
  const transform = givenTransform(schema)
  if (transform !== undefined) Object.assign(copy, { [TransformKind]: transform })
  const { '~refine': value } = schema
  if (value !== undefined) Object.defineProperty(copy, '~refine', { value, enumerable: false })
  if (isComputed(schema)) Object.assign(copy, { [Kind]: 'Computed' })
}

/** Whether a schema has a transform (or refinement), a refinement, a reference, a `t.BigInt` or a
 *  sensitive value at any depth. A property called `sensitive` counts too. Schemas of other
 *  libraries are not searched. */
export function holds(schema: unknown, what: Mark): boolean {
  const seen = new Set<unknown>()
  const search = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(search)
    if (!isPlainObject(value) || seen.has(value)) return false
    seen.add(value)
    return hasMark[what](value) || Object.values(value).some(search)
  }
  return search(schema)
}

type Mark = 'transform' | 'refinement' | 'reference' | 'bigint' | 'sensitive'

const hasMark = {
  transform: (schema: JsonObject) =>
    transformOf(schema) !== undefined || hasMark.refinement(schema),
  refinement: (schema: JsonObject) => '~refine' in schema,
  reference: (schema: JsonObject) => '$ref' in schema,
  bigint: isBigInt,
  sensitive: (schema: JsonObject) => sensitiveKeyword in schema,
} as const satisfies Record<Mark, unknown>

/** The name of the definition that a reference of a bundle points to. */
export function definitionOf(reference: unknown): string | undefined {
  const start = '#/definitions/'
  const names = typeof reference === 'string' && reference.startsWith(start)
  return names ? reference.slice(start.length) : undefined
}

/** The names of the definitions that a schema of a bundle refers to directly. */
export function referencesOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(referencesOf)
  if (!isPlainObject(schema)) return []
  const own = definitionOf(schema['$ref'])
  return [...(own === undefined ? [] : [own]), ...Object.values(schema).flatMap(referencesOf)]
}

/** The names of the definitions that a schema of a bundle refers to, also by way of others. */
export function reachOf(schema: unknown, definitions: JsonObject): ReadonlySet<string> {
  const names = new Set(referencesOf(schema))
  for (const name of names) for (const next of referencesOf(definitions[name])) names.add(next)
  return names
}

/** The names of the definitions of a bundle that have a transform, or refer to one that has. */
export function transformingDefinitions(definitions: JsonObject): ReadonlySet<string> {
  const found = new Set<string>()
  const transforms = (schema: unknown): boolean =>
    holds(schema, 'transform') || referencesOf(schema).some((name) => found.has(name))
  for (let size = -1; size < found.size;) {
    size = found.size
    for (const [name, schema] of Object.entries(definitions)) {
      if (!found.has(name) && transforms(schema)) found.add(name)
    }
  }
  return found
}

/** Whether a schema is the result of `t.Partial`, `t.Pick` and the like for a reference. Only a
 *  `t.Module` computes it. */
export function isComputed(schema: object): boolean {
  return Kind in schema && schema[Kind] === 'Computed'
}

/** Whether a keyword is a leftover of a schema that a `t.Module` has computed. TypeBox keeps
 *  `target` and `parameters` beside the result if that is optional or readonly. */
export function isLeftOver(keyword: string, schema: object): boolean {
  if (keyword !== 'target' && keyword !== 'parameters') return false
  return Kind in schema && !isComputed(schema) && 'target' in schema && 'parameters' in schema
}
