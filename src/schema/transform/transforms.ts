import { TransformKind } from '@sinclair/typebox'
import { isPlainObject, type JsonObject } from '../values.ts'

/** The two functions of a `t.Transform`. */
interface Transforming {
  readonly [TransformKind]: {
    readonly Decode: (value: unknown) => unknown
    readonly Encode: (value: unknown) => unknown
  }
}

/** Whether a schema is a `t.Transform` itself. */
export function isTransform(schema: object): schema is Transforming {
  return TransformKind in schema
}

/** Whether there is a `t.Transform` somewhere in a schema as it was written, or a reference that may
 *  lead to one. Schemas of other libraries are not looked into. */
export function holds(schema: unknown, what: 'transform' | 'reference'): boolean {
  const seen = new Set<unknown>()
  const search = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(search)
    if (!isPlainObject(value) || seen.has(value)) return false
    seen.add(value)
    if (what === 'transform' ? isTransform(value) : '$ref' in value) return true
    return Object.values(value).some(search)
  }
  return search(schema)
}

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
