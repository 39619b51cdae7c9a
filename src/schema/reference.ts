import { Hint, Kind } from '@sinclair/typebox'
import { isObject, type JsonObject } from '../types/objects.ts'
import { kindOfKeyword } from './keywords.ts'
import late from '../packages/late.cjs'

/** A schema document: `#…` references resolve in it. */
export interface SchemaDocument {
  readonly root: JsonObject
  /** The document's `$id`, absolute if possible. Empty if it has none. */
  readonly base: string
  /** The document that this one is embedded in. */
  readonly outer?: SchemaDocument
}

/** A schema that a reference names, and the document in which its own references resolve. */
export interface Target {
  readonly node: unknown
  readonly document: SchemaDocument
}

/** Opens a document at a schema. */
export function openDocument(
  root: JsonObject,
  id?: string,
  outer?: SchemaDocument,
): SchemaDocument {
  const own = id ?? root['$id']
  const base = typeof own === 'string' ? absolute(outer?.base ?? '', withoutHash(own)) : ''
  return outer === undefined ? { root, base } : { root, base, outer }
}

/** Whether a schema is a document of its own: its `$id` is more than a fragment, or it is a
 *  `Type.Cyclic` of TypeBox 1.x or an import of a `t.Module`, which have definitions of their
 *  own. */
export function isDocument(schema: JsonObject): boolean {
  if (hasOwnDefinitions(schema)) return true
  const { $id } = schema
  return typeof $id === 'string' && $id !== '' && !$id.startsWith('#')
}

/** The schema that a `$ref` names, in any of the six forms of specification 2.2. It is searched in
 *  its own document, in those around it, among the shared schemas, and among the documents embedded
 *  in the outermost one. Undefined if there is none. */
export function resolveReference(
  reference: string,
  from: SchemaDocument,
  shared: Readonly<Record<string, JsonObject>>,
): Target | undefined {
  const hash = reference.indexOf('#')
  const id = hash === -1 ? reference : reference.slice(0, hash)
  const fragment = hash === -1 ? '' : decodeFragment(reference.slice(hash + 1))
  const document = id === '' ? from : findDocument(id, from, shared)
  if (document === undefined) return undefined
  if (fragment === '') return { node: document.root, document }
  const find = fragment.startsWith('/') ? followPointer : findAnchor
  const target = find(fragment, document)
  if (target !== undefined || id !== '') return target
  // The `$id` of a shared schema may be a fragment.
  const node = Object.hasOwn(shared, reference) ? shared[reference] : undefined
  return node && { node, document: openDocument(node, reference) }
}

/** The target of a `This` inside of an entry of a `t.Module`: a `t.Recursive` there has the name of
 *  the entry in place of its `$id`. */
export function recursionAround(schema: JsonObject, from: SchemaDocument): Target | undefined {
  if (!(Kind in schema) || schema[Kind] !== 'This') return undefined
  for (let at = from; at.outer !== undefined && at.root['$id'] !== schema['$ref']; at = at.outer) {
    if (Hint in at.root && hasOwnDefinitions(at.outer.root)) return { node: at.root, document: at }
  }
  return undefined
}

function findDocument(
  id: string,
  from: SchemaDocument,
  shared: Readonly<Record<string, JsonObject>>,
): SchemaDocument | undefined {
  const uri = absolute(from.base, id)
  let outermost = from
  for (let at: SchemaDocument | undefined = from; at !== undefined; at = at.outer) {
    if (at.base !== '' && (at.base === id || at.base === uri)) return at
    const own = hasOwnDefinitions(at.root) ? definitionIn(at.root, id) : undefined
    if (own !== undefined) return openDocument(own, id, at)
    outermost = at
  }
  // An `$id` may end with an empty fragment (JSON Schema draft 7, 8.2).
  for (const name of [id, uri, late.fastUri().normalize(uri)].flatMap((each) => [
    each,
    `${each}#`,
  ])) {
    const schema = Object.hasOwn(shared, name) ? shared[name] : undefined
    if (schema !== undefined) return openDocument(schema, name)
  }
  return findEmbedded(new Set([id, uri]), outermost.root, outermost)
}

function hasOwnDefinitions(schema: JsonObject): boolean {
  return schema['~kind'] === 'Cyclic' || (Kind in schema && schema[Kind] === 'Import')
}

function definitionIn({ $defs }: JsonObject, name: string): JsonObject | undefined {
  const found = isObject($defs) && Object.hasOwn($defs, name) ? $defs[name] : undefined
  return isObject(found) ? found : undefined
}

function findEmbedded(
  ids: ReadonlySet<string>,
  value: unknown,
  outer: SchemaDocument,
): SchemaDocument | undefined {
  let document = outer
  if (isObject(value) && value !== outer.root && isDocument(value)) {
    document = openDocument(value, undefined, outer)
    if (ids.has(document.base)) return document
  }
  for (const child of childrenOf(value)) {
    const found = findEmbedded(ids, child, document)
    if (found !== undefined) return found
  }
  return undefined
}

/** Follows a JSON pointer (RFC 6901). An `$id` on the way opens the document below it. */
function followPointer(pointer: string, from: SchemaDocument): Target | undefined {
  let node: unknown = from.root
  let document = from
  for (const token of pointer.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined
    node = (node as JsonObject)[key]
    if (isObject(node) && isDocument(node)) document = openDocument(node, undefined, document)
  }
  return isObject(node) || typeof node === 'boolean' ? { node, document } : undefined
}

/** Finds the subschema whose `$id` is `#name`, or whose `$anchor` is `name`. */
function findAnchor(name: string, document: SchemaDocument): Target | undefined {
  const pending: unknown[] = [document.root]
  for (let node = pending.shift(); node !== undefined; node = pending.shift()) {
    if (isObject(node)) {
      if (node['$id'] === `#${name}` || node['$anchor'] === name) return { node, document }
      if (node !== document.root && isDocument(node)) continue
    }
    pending.push(...childrenOf(node))
  }
  return undefined
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return []
  return Object.keys(value)
    .filter((key) => kindOfKeyword(key) !== 'data')
    .map((key) => value[key])
    .filter((child) => typeof child === 'object' && child !== null)
}

function withoutHash(id: string): string {
  return id.endsWith('#') ? id.slice(0, -1) : id
}

function absolute(base: string, id: string): string {
  return base === '' ? id : late.fastUri().resolve(base, id)
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
