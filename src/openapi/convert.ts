import { Hint } from '@sinclair/typebox'
import { bigIntKeyword } from '../schema/big-int.ts'
import { isJsonValue, UnresolvedReference } from '../schema/bundle.ts'
import { codeOf } from '../schema/http-error.ts'
import { kindOfKeyword } from '../schema/keywords.ts'
import {
  isDocument,
  openDocument,
  recursionAround,
  resolveReference,
  type SchemaDocument,
  type Target,
} from '../schema/reference.ts'
import { isSensitive, sensitiveKeyword } from '../schema/sensitive.ts'
import { isLeftOver, transformOf } from '../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { keepPosition, type Position, positionIn, setPosition } from './closed.ts'
import type { Components } from './components.ts'
import { type Component, type Direction, Link } from './link.ts'

/** A JSON Schema of draft 2020-12, where references are links to components. */
export type Draft = boolean | Readonly<Record<string, unknown>>

/** The shared schemas that a route sees. */
export interface Visible {
  readonly shared: Readonly<Record<string, JsonObject>>
  /** The names of the scopes that hold them. */
  readonly scopes: ReadonlyMap<JsonObject, string>
}

/** How a schema is used. */
export interface Use {
  readonly direction: Direction
  /** The name of a component that has none of its own, such as `PostUsersBody`. */
  readonly place: string
  /** The name of the route's scope. */
  readonly scope: string
  /** Whether the schema is for this direction alone, as one that a validation library gives. */
  readonly isOneWay?: boolean
  /** Where the schema of a strict route stands. Undefined for other routes, and where values are
   *  only tested. */
  readonly position?: Position | Component | undefined
}

interface At extends Use {
  readonly document: SchemaDocument
}

/** Rewrites JSON Schemas as drafts for a document. Each schema with an `$id`, and each schema that
 *  a reference leads to, becomes a component. */
export class SchemaConverter {
  readonly #components: Components
  readonly #visible: Visible
  readonly #known = new Map<unknown, Component>()

  constructor(components: Components, visible: Visible) {
    this.#components = components
    this.#visible = visible
  }

  /** @throws Error for what JSON Schema cannot tell, and UnresolvedReference */
  convert(schema: JsonObject, use: Use): Draft {
    return this.#enter(schema, { ...use, document: openDocument(schema) })
  }

  /** A schema, or a link to it if it has a name. */
  #enter(value: unknown, at: At): Draft {
    if (typeof value === 'boolean') return value
    if (!isPlainObject(value)) throw new Error(`${String(value)} stands in the place of a schema`)
    const isRoot = value === at.document.root
    const opens = !isRoot && isDocument(value)
    const document = opens ? openDocument(value, undefined, at.document) : at.document
    const inside = { ...at, document }
    return hasName(value)
      ? this.#refer({ node: value, document }, inside)
      : this.#convert(value, inside)
  }

  /** A reference to a component, which the first reference makes. */
  #refer({ node, document }: Target, at: At): Draft {
    if (!isPlainObject(node)) return this.#enter(node, at)
    let component = this.#known.get(node)
    if (component === undefined) {
      const stem = nameOf(node, document) ?? cleaned(at.place)
      const scope = cleaned(this.#visible.scopes.get(outermost(document)) ?? at.scope)
      component = this.#components.add({ stem, scope, drafts: {} })
      this.#known.set(node, component)
    }
    if (at.position !== 'whole') component.isPart = true
    const directions = at.isOneWay === true ? [at.direction] : (['output', 'input'] as const)
    for (const direction of directions) {
      if (direction in component.drafts) continue
      component.drafts[direction] = undefined
      const position = at.position && component
      component.drafts[direction] = this.#convert(node, { ...at, document, direction, position })
    }
    const draft = { $ref: new Link(component, at.direction) }
    if (at.position !== undefined) setPosition(draft, at.position)
    return draft
  }

  #convert(schema: JsonObject, at: At): Draft {
    const { isFile, file: limits } = schema
    if (isFile === true || isPlainObject(limits))
      return fileOf(Object(limits) as JsonObject, schema)
    const draft: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (value === undefined || isLeftOver(keyword, schema) || keyword === 'nullable') continue
      if (keyword === bigIntKeyword) continue
      const position = at.position && positionIn(keyword, schema, at.position)
      Object.assign(draft, this.#keyword(keyword, value, schema, { ...at, position }))
    }
    if (at.isOneWay !== true) {
      nameRequired(draft, schema, at.direction)
      if (at.direction === 'input') forgetFilled(draft)
    }
    simplify(draft)
    const made = schema['nullable'] === true ? withNull(draft, at.direction) : draft
    if (transformOf(schema) !== undefined) transformed.add(made)
    if (at.position !== undefined) setPosition(made, at.position)
    return made
  }

  /** One keyword in draft 2020-12: none, one or two keywords. */
  #keyword(keyword: string, value: unknown, schema: JsonObject, at: At): JsonObject {
    const kind = kindOfKeyword(keyword)
    if (kind === 'document') return {}
    // The default of a secret is one.
    if (keyword === 'default' && isSensitive(schema)) return {}
    if (keyword === sensitiveKeyword) return value === true ? { writeOnly: true } : {}
    if (keyword === '$ref' && typeof value === 'string') return this.#reference(value, schema, at)
    if (keyword === 'items' && Array.isArray(value)) {
      return { prefixItems: value.map((item) => this.#enter(item, at)) }
    }
    if (keyword === 'additionalItems') {
      return Array.isArray(schema['items']) ? { items: this.#enter(value, at) } : {}
    }
    if (keyword === 'dependencies') return this.#dependencies(value, at)
    if (keyword === 'discriminator') {
      return { [keyword]: { propertyName: isPlainObject(value) && value['propertyName'] } }
    }
    if (keyword === '$merge' || keyword === '$patch') {
      throw new Error(`'${keyword}' is no keyword of JSON Schema. Write the merged schema`)
    }
    if (kind === 'schema') return { [keyword]: this.#enter(value, at) }
    if (kind === 'map') return { [keyword]: this.#map(value, at) }
    if (kind === 'schemas') {
      return {
        [keyword]: Array.isArray(value)
          ? value.map((item) => this.#enter(item, at))
          : this.#enter(value, at),
      }
    }
    // A reference to data of ajv. What it demands depends on the value.
    const isReference = kind === undefined && isPlainObject(value) && '$data' in value
    return isReference || !isJsonValue(value) ? {} : { [keyword]: value }
  }

  #reference(reference: string, schema: JsonObject, at: At): JsonObject {
    // The meta-schemas are no part of an API.
    if (reference.startsWith('http://json-schema.org/')) return { type: ['object', 'boolean'] }
    const target =
      recursionAround(schema, at.document) ??
      resolveReference(reference, at.document, this.#visible.shared)
    if (target === undefined) throw new UnresolvedReference(reference)
    const draft = this.#refer(target, at)
    return isPlainObject(draft) ? draft : draft ? {} : { not: {} }
  }

  #map(value: unknown, at: At): unknown {
    if (!isPlainObject(value)) return {}
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([name, each]) => [name, this.#enter(each, at)]))
  }

  /** Draft 2019-09 has two keywords for `dependencies`: for lists of names, and for schemas. */
  #dependencies(value: unknown, at: At): JsonObject {
    const entries = Object.entries(isPlainObject(value) ? value : {})
    const lists = entries.filter(([, each]) => Array.isArray(each))
    const schemas = entries.filter(([, each]) => !Array.isArray(each))
    return {
      ...(lists.length > 0 && { dependentRequired: Object.fromEntries(lists) }),
      ...(schemas.length > 0 && { dependentSchemas: this.#map(Object.fromEntries(schemas), at) }),
    }
  }
}

const transformed = new WeakSet<object>()

/** Whether a draft is that of a schema with a transform. */
export function isTransformed(draft: JsonObject): boolean {
  return transformed.has(draft)
}

/** The drafts of uploaded files. */
export const files: WeakSet<object> = new WeakSet()

/** An uploaded file: of `t.File`, or one that @fastify/multipart marks by its keyword `isFile`. Its
 *  length is one of bytes (OpenAPI 3.1, section 4.8.14.4). */
function fileOf({ maxSize, types }: JsonObject, { description }: JsonObject): Draft {
  const [only] = Array.isArray(types) && types.length === 1 ? (types as unknown[]) : []
  const draft = {
    type: 'string',
    format: 'binary',
    contentMediaType: only ?? 'application/octet-stream',
    ...(maxSize !== undefined && { maxLength: maxSize }),
    ...(description !== undefined && { description }),
  }
  files.add(draft)
  return draft
}

/** Lists the required properties. What has a default may be missing in what is sent, and is there
 *  in what is received. */
function nameRequired(
  draft: Record<string, unknown>,
  { properties, required }: JsonObject,
  direction: Direction,
): void {
  if (!isPlainObject(properties)) return
  const hasDefault = (name: unknown): boolean => {
    const property = Object.hasOwn(properties, String(name)) ? properties[String(name)] : undefined
    return isPlainObject(property) && property['default'] !== undefined
  }
  const listed: readonly unknown[] = Array.isArray(required) ? required : []
  const names =
    direction === 'input'
      ? listed.filter((name) => !hasDefault(name))
      : [...new Set([...listed, ...Object.keys(properties).filter(hasDefault)])]
  if (names.length > 0) draft['required'] = names
  else delete draft['required']
}

/** Drops required properties that a schema before gives a default. ajv fills in those of a
 *  reference and of `allOf` first, one after the other. */
function forgetFilled(draft: Record<string, unknown>): void {
  const { allOf = [], $ref: link } = draft
  const filled = new Set<unknown>(link instanceof Link ? filledBy(link.draft) : [])
  const drop = (each: unknown): unknown => {
    if (!isPlainObject(each) || !Array.isArray(each['required'])) return each
    const { required, ...others } = each
    const names = required.filter((name) => !filled.has(name))
    const left = names.length === 0 ? others : { ...others, required: names }
    return keepPosition(each, left)
  }
  const members = Array.isArray(allOf) ? allOf : []
  const made = members.map((member: unknown) => {
    const dropped = drop(member)
    for (const name of filledBy(member)) filled.add(name)
    return dropped
  })
  if (made.length > 0) draft['allOf'] = made
  const { required } = draft
  if (!Array.isArray(required)) return
  delete draft['required']
  Object.assign(draft, drop({ required }))
}

/** The properties that a draft gives a default. */
function filledBy(draft: unknown): string[] {
  const link = isPlainObject(draft) ? draft['$ref'] : undefined
  if (link instanceof Link) return filledBy(link.draft)
  const { properties, allOf }: JsonObject = isPlainObject(draft) ? draft : {}
  const own = Object.entries(isPlainObject(properties) ? properties : {})
  const inner = Array.isArray(allOf) ? allOf.flatMap(filledBy) : []
  const filled = own.filter(([, each]) => isPlainObject(each) && each['default'] !== undefined)
  return [...filled.map(([name]) => name), ...inner]
}

/** Writes alternatives of constants as one list, and a record by `additionalProperties`. That means
 *  the same, and generators of clients understand it. */
function simplify(draft: Record<string, unknown>): void {
  const { anyOf, type, properties, patternProperties, additionalProperties } = draft
  const values = Array.isArray(anyOf) ? anyOf.map(constantOf) : []
  const [only = 'undefined', ...others] = new Set(values.map((value) => typeof value))
  const isListed = only !== 'undefined' && others.length === 0
  if (isListed && (type ?? only) === only && !('enum' in draft || 'const' in draft)) {
    delete draft['anyOf']
    Object.assign(draft, { type: only, enum: values })
  }
  const patterns = isPlainObject(patternProperties) ? Object.keys(patternProperties) : []
  const isRecord = patterns.length === 1 && /^\^(\(\.\*\)|\.\*)\$$/.test(String(patterns[0]))
  const isOnly = properties === undefined && additionalProperties === undefined
  if (isRecord && isOnly && isPlainObject(patternProperties)) {
    delete draft['patternProperties']
    draft['additionalProperties'] = Object.values(patternProperties)[0]
  }
}

/** The value of a schema that is only a constant of a text or a number. */
function constantOf(draft: unknown): unknown {
  const keys = isPlainObject(draft) ? Object.keys(draft).sort().join() : ''
  const value = isPlainObject(draft) ? draft['const'] : undefined
  const isPlain = keys === 'const,type' || keys === 'const'
  return isPlain && ['string', 'number'].includes(typeof value) ? value : undefined
}

/** Adds null to what a draft takes. A serializer writes null also where the values are listed. */
function withNull(draft: Record<string, unknown>, direction: Direction): JsonObject {
  const { type } = draft
  const values: readonly unknown[] = Array.isArray(draft['enum']) ? draft['enum'] : [null]
  if (type === undefined) return { anyOf: [draft, { type: 'null' }] }
  const listsNull = direction === 'output' && !values.includes(null)
  return {
    ...draft,
    type: [...new Set([type, 'null'].flat())],
    ...(listsNull && { enum: [...values, null] }),
  }
}

function outermost(document: SchemaDocument): JsonObject {
  return document.outer === undefined ? document.root : outermost(document.outer)
}

/** Whether a schema has a name of its own: the code of an error, or an `$id` that is more than a
 *  fragment. */
function hasName(schema: JsonObject): boolean {
  const { $id } = schema
  if (codeOf(schema) !== undefined) return true
  return typeof $id === 'string' && $id !== '' && !$id.startsWith('#')
}

/** The name that a schema asks for: its code or `$id`, or its place in the schema around it.
 *  Undefined if it has none. */
function nameOf(node: JsonObject, { root, base }: SchemaDocument): string | undefined {
  // A `t.Recursive` without an `$id` is numbered by TypeBox, in the order in which it was made.
  const isNumbered = Hint in node && /^T\d+$/.test(String(node['$id']))
  if (isNumbered) return undefined
  if (hasName(node)) return cleaned(codeOf(node) ?? String(node['$id'])) || undefined
  const { $id, $anchor } = node
  const path = node === root ? [] : (pathTo(node, root) ?? [])
  const anchor = typeof $id === 'string' ? $id.slice(1) : $anchor
  const own = typeof anchor === 'string' ? [anchor] : path
  const name = [base, ...own].map(cleaned)
  return name.filter((part) => part !== '').join('.') || undefined
}

const organizing = new Set(['definitions', '$defs', 'properties', 'items'])

/** The keys that lead to a schema, without those that say nothing. */
function pathTo(node: unknown, from: unknown): string[] | undefined {
  if (node === from) return []
  if (typeof from !== 'object' || from === null) return undefined
  for (const [key, value] of Object.entries(from)) {
    const below = pathTo(node, value)
    if (below !== undefined) return organizing.has(key) ? below : [key, ...below]
  }
  return undefined
}

/** A name with the characters that names of components may have (OpenAPI 4.8.7). */
function cleaned(id: string): string {
  return id
    .replace(/#$/, '')
    .replace(/^[a-z][a-z+.-]*:\/*([^/]+\/)?/i, '')
    .replace(/(\.schema)?\.json$/, '')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '.')
    .replaceAll(/^\.+|\.+$/g, '')
}
