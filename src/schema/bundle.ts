import type { HttpPart } from './compiler-types.ts'
import { isStandardSchema } from './standard-schema.ts'
import { isPlainObject, type JsonObject, toPointer } from './values.ts'
import { copyMarks, isLeftOver, refinementsOf, transformOf } from './transform/transforms.ts'
import { kindOfKeyword } from './keywords.ts'
import {
  isDocument,
  openDocument,
  recursionAround,
  resolveReference,
  type SchemaDocument,
  type Target,
} from './reference.ts'

/** A schema that stands alone: a copy without `$id`s, whose references all point into its own
 *  `definitions`. Transforms and refinements stay on it. The schemas that it was made from are not
 *  touched. */
export interface Bundle {
  readonly schema: JsonObject
  /** The JSON text of the copy, by which equal schemas are compiled once. Undefined when the schema
   *  holds what JSON cannot say, a function for instance. */
  readonly text: string | undefined
  /** Whether it has `$merge` or `$patch`, which only validators know. */
  readonly merges: boolean
  /** The references that its definitions stand for, by the names of those. */
  readonly origins: ReadonlyMap<string, string>
}

/** Thrown for a reference that names no schema. */
export class UnresolvedReference extends Error {
  readonly reference: string
  constructor(reference: string) {
    super(`no schema '${reference}'`)
    this.reference = reference
  }
}

/** Copies a schema together with all that it refers to.
 *
 *  ajv and fast-json-stringify each have limits of their own with `$id`: one object embedded twice,
 *  a self-reference without `addUsedSchema`, one id in two contexts. A bundle has no ids, so
 *  both compile it, and both resolve references in the same way.
 *  @throws UnresolvedReference */
export function bundleSchema(
  schema: JsonObject,
  shared: Readonly<Record<string, JsonObject>>,
): Bundle {
  const bundler = new Bundler(schema, shared)
  return bundler.bundle()
}

/** The same for a part of a request. Node gives header names in lower case, so a schema's must be.
 *  @throws UnresolvedReference */
export function bundlePart(
  schema: JsonObject,
  shared: Readonly<Record<string, JsonObject>>,
  part: HttpPart,
): Bundle {
  const bundle = bundleSchema(schema, shared)
  if (part !== 'headers') return bundle
  const lower = lowerCaseHeaderNames(bundle.schema)
  return { ...bundle, schema: lower, text: bundle.text && JSON.stringify(lower) }
}

class Bundler {
  readonly #root: SchemaDocument
  readonly #shared: Readonly<Record<string, JsonObject>>
  readonly #definitions: Record<string, unknown> = {}
  readonly #names = new Map<unknown, Map<unknown, string>>()
  readonly #origins = new Map<string, string>()
  readonly #merging = new Set<unknown>()
  #isJson = true
  #merges = false

  constructor(schema: JsonObject, shared: Readonly<Record<string, JsonObject>>) {
    this.#root = openDocument(schema)
    this.#shared = shared
  }

  bundle(): Bundle {
    const copy = this.#copyKeywords(this.#root.root, this.#root)
    const hasDefinitions = Object.keys(this.#definitions).length > 0
    const schema = hasDefinitions ? { ...copy, definitions: this.#definitions } : copy
    const text = this.#isJson ? JSON.stringify(schema) : undefined
    return { schema, text, merges: this.#merges, origins: this.#origins }
  }

  #copy(value: unknown, document: SchemaDocument): unknown {
    if (isStandardSchema(value)) {
      throw new Error('a Standard Schema can be a whole part, but not stand inside a JSON Schema')
    }
    if (Array.isArray(value)) return value.map((item) => this.#copy(item, document))
    if (!isPlainObject(value)) return this.#copyData(value)
    const opens = value !== document.root && isDocument(value)
    return this.#copyKeywords(value, opens ? openDocument(value, undefined, document) : document)
  }

  #copyKeywords(schema: JsonObject, document: SchemaDocument): Record<string, unknown> {
    const copy: Record<string, unknown> = {}
    copyMarks(schema, copy)
    for (const keyword of Object.keys(schema)) {
      const value = schema[keyword]
      const kind = kindOfKeyword(keyword)
      if (kind === 'document' || isLeftOver(keyword, schema)) continue
      if (keyword === '$ref' && typeof value === 'string')
        copy[keyword] = this.#point(value, document, recursionAround(schema, document))
      else if (kind === 'map') copy[keyword] = this.#copyMap(value, document)
      else if (kind === 'data') copy[keyword] = this.#copyData(value)
      else if (kind !== undefined) copy[keyword] = this.#copy(value, document)
      else copy[keyword] = this.#copyForeign(keyword, value, document)
    }
    return copy
  }

  #copyMap(value: unknown, document: SchemaDocument): unknown {
    if (!isPlainObject(value)) return this.#copyData(value)
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([name, item]) => [name, this.#copy(item, document)]))
  }

  #copyData(value: unknown): unknown {
    if (!isJsonValue(value)) this.#isJson = false
    return value
  }

  /** The keywords of ajv plugins may hold schemas at any depth, or data: references are redirected
   *  where they name a schema, and left alone where they do not. */
  #copyForeign(keyword: string, value: unknown, document: SchemaDocument): unknown {
    if (keyword === '$merge' || keyword === '$patch') return this.#copyMerge(value, document)
    if (Array.isArray(value)) return value.map((item) => this.#copyForeign('', item, document))
    if (!isPlainObject(value)) return this.#copyData(value)
    const copy: Record<string, unknown> = {}
    for (const [key, item] of Object.entries(value)) {
      const target = key === '$ref' && typeof item === 'string' && this.#find(item, document)
      copy[key] = target ? this.#pointTo(target, item) : this.#copyForeign(key, item, document)
    }
    return copy
  }

  /** ajv-merge-patch looks references up by `$id`, which a bundle does not have: they are replaced
   *  by what they name. */
  #copyMerge(value: unknown, document: SchemaDocument): unknown {
    this.#merges = true
    if (!isPlainObject(value)) return value
    const inline = (item: unknown): unknown => {
      const reference = isPlainObject(item) ? item['$ref'] : undefined
      if (typeof reference !== 'string') return this.#copy(item, document)
      const target = this.#resolve(reference, document)
      if (this.#merging.has(target.node))
        throw new UnresolvedReference(`${reference} (it merges itself)`)
      this.#merging.add(target.node)
      const copy = this.#copy(target.node, target.document)
      this.#merging.delete(target.node)
      return copy
    }
    // The plugin edits the source in place, down to its arrays, which are still the user's own.
    const source: unknown = JSON.parse(JSON.stringify(inline(value['source'])))
    return { ...value, source, with: inline(value['with']) }
  }

  #point(reference: string, document: SchemaDocument, known?: Target): string {
    // ajv and fast-json-stringify carry the meta-schemas with them.
    if (reference.startsWith('http://json-schema.org/')) return reference
    return this.#pointTo(known ?? this.#resolve(reference, document), reference)
  }

  /** A pointer into this bundle to a schema, which is copied into its definitions when it is
   *  referred to for the first time. */
  #pointTo({ node, document }: Target, reference: unknown): string {
    // A self-reference goes to a second copy: ajv does not resolve '#' in a schema without `$id`.
    const names = this.#names.get(document.root) ?? new Map<unknown, string>()
    this.#names.set(document.root, names)
    let name = names.get(node)
    if (name === undefined) {
      name = this.#nameFor(String(reference))
      names.set(node, name)
      this.#origins.set(name, String(reference))
      this.#definitions[name] = undefined
      this.#definitions[name] = this.#copy(node, document)
    }
    return `#/definitions/${name}`
  }

  #nameFor(reference: string): string {
    const stem =
      reference
        .replace(/#$/, '')
        .replaceAll(/[^\w.-]+/g, '_')
        .replace(/^_/, '') || 'root'
    let name = stem
    for (let count = 2; name in this.#definitions; count++) name = `${stem}_${count}`
    return name
  }

  #resolve(reference: string, document: SchemaDocument): Target {
    const target = this.#find(reference, document)
    if (target === undefined) throw new UnresolvedReference(reference)
    return target
  }

  #find(reference: string, document: SchemaDocument): Target | undefined {
    return resolveReference(reference, document, this.#shared) ?? this.#findNamed(reference)
  }

  /** A shared schema whose `$id` is a fragment (`#name`) is met under that, where the document has
   *  none. */
  #findNamed(reference: string): Target | undefined {
    if (!reference.startsWith('#') || !Object.hasOwn(this.#shared, reference)) return undefined
    const node = this.#shared[reference]
    return node === undefined ? undefined : { node, document: openDocument(node, reference) }
  }
}

/** A schema that stands somewhere in a bundle. */
export interface Subschema {
  readonly schema: JsonObject
  /** How messages call its place: a JSON pointer, and for what a reference led to, that
   *  reference. */
  readonly place: string
  /** Whether it is that of a property or of one item, which are where defaults are filled in. */
  readonly isMember: boolean
  /** The nearest keyword around it that only asks whether a schema holds, where no default is
   *  filled in. */
  readonly asker: string | undefined
}

/** All schemas of a bundle, those inside of a schema before it. Data that looks like a schema, such
 *  as an example, is none. */
export function subschemasOf({ schema, origins }: Bundle): Subschema[] {
  const { definitions } = schema
  const shared = Object.entries(isPlainObject(definitions) ? definitions : {})
  const top = { path: [], behind: '', isMember: false, asker: undefined }
  return [
    ...shared.flatMap(([name, each]) =>
      collect(each, { ...top, behind: ` of '${origins.get(name) ?? name}'` }),
    ),
    ...collect(schema, top),
  ]
}

interface SchemaLocation extends Omit<Subschema, 'schema' | 'place'> {
  readonly path: readonly string[]
  /** What messages say behind the path. */
  readonly behind: string
}

const askers = ['anyOf', 'oneOf', 'not', 'if', 'contains', 'propertyNames']

function collect(value: unknown, location: SchemaLocation): Subschema[] {
  const { path, behind, isMember, asker } = location
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      collect(item, { ...location, path: [...path, String(index)] }),
    )
  }
  if (!isPlainObject(value)) return []
  const inner = Object.entries(value).flatMap(([keyword, below]) => {
    const kind = kindOfKeyword(keyword)
    const at = { ...location, path: [...path, keyword] }
    if (kind === 'schema' || kind === 'schemas') {
      const isItem = keyword === 'items' && Array.isArray(below)
      const nearest = askers.includes(keyword) ? keyword : asker
      return collect(below, { ...at, isMember: isItem, asker: nearest })
    }
    if (kind !== 'map' || !isPlainObject(below)) return []
    const isProperty = keyword === 'properties'
    return Object.entries(below).flatMap(([name, each]) =>
      collect(each, { ...at, path: [...at.path, name], isMember: isProperty }),
    )
  })
  const place =
    path.length === 0 ? `the top${behind || ' of the schema'}` : toPointer(path) + behind
  return [...inner, { schema: value, place, isMember, asker }]
}

/** Whether a value is JSON through and through, so that its text says all of it. */
export function isJsonValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJsonValue)
  if (isPlainObject(value)) return Object.values(value).every(isJsonValue)
  return (
    value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value)
  )
}

/** A schema of headers with all property names in lower case, at any depth: Node gives header names
 *  so, whatever case the client wrote (specification 2.3). The marks of TypeBox stay on the copy.
 *  @throws for a transform or a refinement of an object whose names would not be those that its
 *  type has */
export function lowerCaseHeaderNames(schema: JsonObject): JsonObject {
  if (transformOf(schema) || refinementsOf(schema).length > 0) refuseUpperCase(schema)
  const copy = copyWithMarks(schema)
  for (const [keyword, value] of Object.entries(schema)) copy[keyword] = lowerCaseIn(keyword, value)
  return copy
}

/** The keywords whose values are lists of names, or maps by names. `required` is a map for
 *  ajv-errors. */
const naming = ['dependencies', 'dependentRequired', 'dependentSchemas', 'properties', 'required']

function lowerCaseIn(keyword: string, value: unknown): unknown {
  if (keyword === '$data' && typeof value === 'string') return value.toLowerCase()
  if (!naming.includes(keyword)) return lowerCaseBelow(value)
  return isPlainObject(value) ? lowerCaseKeys(value) : lowerCaseNames(value)
}

/** The marks of TypeBox 0.34 are symbols, which spreading copies; those of 1.x are not
 *  enumerable. */
function copyWithMarks(schema: JsonObject): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...schema }
  for (const name of Object.getOwnPropertyNames(schema)) {
    if (Object.hasOwn(copy, name)) continue
    Object.defineProperty(copy, name, { value: schema[name], enumerable: false })
  }
  return copy
}

function lowerCaseKeys(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties)
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), lowerCaseMember(value)]),
  )
}

/** The types of its functions have the names as they are written, which they would be given in
 *  lower case. */
function refuseUpperCase(schema: unknown): void {
  if (Array.isArray(schema)) schema.forEach(refuseUpperCase)
  if (!isPlainObject(schema)) return
  const { properties } = schema
  const names = isPlainObject(properties) ? Object.keys(properties) : []
  const name = names.find((each) => each !== each.toLowerCase())
  if (name !== undefined) {
    const reason = `its functions read '${name}', and headers come in lower case`
    throw new Error(
      `a Transform or a Refine has a header in upper case: ${reason}. Write '${name.toLowerCase()}'`,
    )
  }
  Object.values(schema).forEach(refuseUpperCase)
}

function lowerCaseBelow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCaseBelow)
  return isPlainObject(value) ? lowerCaseHeaderNames(value) : value
}

/** What stands under a name: a schema, or a list of other names. */
function lowerCaseMember(value: unknown): unknown {
  return Array.isArray(value) ? lowerCaseNames(value) : lowerCaseBelow(value)
}

function lowerCaseNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCaseNames)
  return typeof value === 'string' ? value.toLowerCase() : value
}
