import { Kind, TransformKind } from '@sinclair/typebox'
import { isPlainObject, type JsonObject } from '../values.ts'

/** The two functions of a `t.Transform`. */
export interface Transform {
  readonly Decode: (value: unknown) => unknown
  readonly Encode: (value: unknown) => unknown
}

/** A check of a `Type.Refine`, and the words for what fails it. */
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

/** What a schema itself does to a value, besides saying what is valid. */
export function transformOf(schema: Marks): Transform | undefined {
  const { [TransformKind]: transform, '~codec': codec } = schema
  if (codec === undefined) return transform
  return { Decode: codec.decode, Encode: codec.encode }
}

/** The checks that a schema itself makes, besides what JSON Schema can say. */
export function refinementsOf(schema: Marks): readonly Refinement[] {
  return schema['~refine'] ?? []
}

/** The marks of a schema, for a copy of it. No compiler reads them, and JSON.stringify passes over
 *  them. */
export function copyMarks(schema: Marks, copy: object): void {
  const transform = transformOf(schema)
  if (transform !== undefined) Object.assign(copy, { [TransformKind]: transform })
  const { '~refine': value } = schema
  if (value !== undefined) Object.defineProperty(copy, '~refine', { value, enumerable: false })
  if (isComputed(schema)) Object.assign(copy, { [Kind]: 'Computed' })
}

/** Whether there is a transform or a refinement somewhere in a schema as it was written, or a
 *  reference that may lead to one. Schemas of other libraries are not looked into. */
export function holds(schema: unknown, what: 'transform' | 'refinement' | 'reference'): boolean {
  const seen = new Set<unknown>()
  const search = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(search)
    if (!isPlainObject(value) || seen.has(value)) return false
    seen.add(value)
    if (hasMark[what](value)) return true
    return Object.values(value).some(search)
  }
  return search(schema)
}

const hasMark = {
  transform: (schema: JsonObject) =>
    transformOf(schema) !== undefined || hasMark.refinement(schema),
  refinement: (schema: JsonObject) => '~refine' in schema,
  reference: (schema: JsonObject) => '$ref' in schema,
} as const

/** The names of those definitions of a bundle that lead to a transform, by references too. */
export function transformingDefinitions(definitions: JsonObject): ReadonlySet<string> {
  const found = new Set<string>()
  const leads = (schema: unknown): boolean =>
    holds(schema, 'transform') || referencesOf(schema).some((name) => found.has(name))
  for (let size = -1; size < found.size;) {
    size = found.size
    for (const [name, schema] of Object.entries(definitions)) {
      if (!found.has(name) && leads(schema)) found.add(name)
    }
  }
  return found
}

/** The definition that a reference of a bundle names. */
export function definitionOf(reference: unknown): string | undefined {
  const start = '#/definitions/'
  const names = typeof reference === 'string' && reference.startsWith(start)
  return names ? reference.slice(start.length) : undefined
}

/** The definitions that a schema of a bundle refers to. */
export function referencesOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(referencesOf)
  if (!isPlainObject(schema)) return []
  const own = definitionOf(schema['$ref'])
  return [...(own === undefined ? [] : [own]), ...Object.values(schema).flatMap(referencesOf)]
}

/** The definitions that a schema of a bundle leads to, by way of others too. */
export function reachOf(schema: unknown, definitions: JsonObject): ReadonlySet<string> {
  const names = new Set(referencesOf(schema))
  for (const name of names) for (const next of referencesOf(definitions[name])) names.add(next)
  return names
}

/** Whether a schema is what `t.Partial`, `t.Pick` and the like make of a reference, which only a
 *  `t.Module` computes. */
export function isComputed(schema: object): boolean {
  return Kind in schema && schema[Kind] === 'Computed'
}

/** Whether a keyword is left of what a `t.Module` has computed: TypeBox keeps both beside the
 *  result where that is optional or readonly. */
export function isLeftOver(keyword: string, schema: object): boolean {
  if (keyword !== 'target' && keyword !== 'parameters') return false
  return Kind in schema && !isComputed(schema) && 'target' in schema && 'parameters' in schema
}
