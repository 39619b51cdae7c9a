import type { HttpPart } from './compiler-types.ts'
import { bigIntKeyword, compiledBigInt, isBigInt } from './big-int.ts'
import { isStandardSchema } from './standard-schema.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { toPointer } from './json-pointer.ts'
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

/** A self-contained copy of a schema, without `$id`s: all its references point into its own
 *  `definitions`. It keeps transforms and refinements. The original schemas are not changed. */
export interface Bundle {
  readonly schema: JsonObject
  /** The JSON text of the copy: schemas of equal text are compiled once. Undefined if the schema
   *  contains something that JSON cannot express, such as a function. */
  readonly text: string | undefined
  /** Whether it has `$merge` or `$patch`, which only validators support. */
  readonly merges: boolean
  /** The original references, by the names of their definitions. */
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

/** Copies a schema together with all schemas that it refers to.
 *
 *  ajv and fast-json-stringify each have problems with `$id`: one object embedded twice, a
 *  self-reference without `addUsedSchema`, one id in two contexts. A bundle has no ids, so both can
 *  compile it, and both resolve references in the same way.
 *  @throws UnresolvedReference */
export function bundleSchema(
  schema: JsonObject,
  shared: Readonly<Record<string, JsonObject>>,
): Bundle {
  return new Bundler(schema, shared).bundle()
}

/** Bundles the schema of a part of a request. Header names become lower-case, as Node has them.
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

  #copyKeywords(given: JsonObject, document: SchemaDocument): Record<string, unknown> {
    const copy: Record<string, unknown> = {}
    copyMarks(given, copy)
    const schema = isBigInt(given) ? compiledBigInt(given) : given
    for (const keyword of Object.keys(schema)) {
      const value = schema[keyword]
      const kind = kindOfKeyword(keyword)
      if (kind === 'document' || isLeftOver(keyword, schema)) continue
      if (keyword === bigIntKeyword && isPlainObject(value)) copy[keyword] = value
      else if (keyword === '$ref' && typeof value === 'string')
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

  /** The keywords of ajv plugins may hold schemas at any depth, or data: a reference is redirected
   *  if it names a schema, and left alone otherwise. */
  #copyForeign(keyword: string, value: unknown, document: SchemaDocument): unknown {
    if (keyword === '$merge' || keyword === '$patch') return this.#copyMerge(value, document)
    if (Array.isArray(value)) return value.map((item) => this.#copyForeign('', item, document))
    if (!isPlainObject(value)) return this.#copyData(value)
    const copy: Record<string, unknown> = {}
    for (const [key, item] of Object.entries(value)) {
      const isReference = key === '$ref' && typeof item === 'string'
      const target = isReference && resolveReference(item, document, this.#shared)
      copy[key] = target ? this.#pointTo(target, item) : this.#copyForeign(key, item, document)
    }
    return copy
  }

  /** ajv-merge-patch looks references up by `$id`, which a bundle does not have: they are replaced
   *  by the schemas that they name. */
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
    // The plugin edits the source in place, and its arrays are still the user's.
    const source: unknown = JSON.parse(JSON.stringify(inline(value['source'])))
    return { ...value, source, with: inline(value['with']) }
  }

  #point(reference: string, document: SchemaDocument, known?: Target): string {
    // ajv and fast-json-stringify have the meta-schemas built in.
    if (reference.startsWith('http://json-schema.org/')) return reference
    return this.#pointTo(known ?? this.#resolve(reference, document), reference)
  }

  /** The pointer to a schema in this bundle. The first reference to a schema copies it into the
   *  definitions. */
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
    const target = resolveReference(reference, document, this.#shared)
    if (target === undefined) throw new UnresolvedReference(reference)
    return target
  }
}

/** A schema at any depth of a bundle. */
export interface Subschema {
  readonly schema: JsonObject
  /** Its place for messages: a JSON pointer and, in a definition, the reference to that. */
  readonly place: string
  /** Whether it is the schema of a property or of a tuple item, where ajv fills in defaults. */
  readonly isMember: boolean
  /** The nearest keyword around it that only tests a value, so that ajv fills in no defaults. */
  readonly testedBy: string | undefined
}

/** All schemas of a bundle, inner ones first. Data, such as an example, is not searched. */
export function subschemasOf({ schema, origins }: Bundle): Subschema[] {
  const { definitions } = schema
  const shared = Object.entries(isPlainObject(definitions) ? definitions : {})
  const top = { path: [], behind: '', isMember: false, testedBy: undefined }
  return [
    ...shared.flatMap(([name, each]) =>
      collect(each, { ...top, behind: ` of '${origins.get(name) ?? name}'` }),
    ),
    ...collect(schema, top),
  ]
}

interface SchemaLocation extends Omit<Subschema, 'schema' | 'place'> {
  readonly path: readonly string[]
  /** The end of `place`. */
  readonly behind: string
}

const testingKeywords = ['anyOf', 'oneOf', 'not', 'if', 'contains', 'propertyNames']

function collect(value: unknown, location: SchemaLocation): Subschema[] {
  const { path, behind, isMember, testedBy } = location
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
      const nearest = testingKeywords.includes(keyword) ? keyword : testedBy
      return collect(below, { ...at, isMember: isItem, testedBy: nearest })
    }
    if (kind !== 'map' || !isPlainObject(below)) return []
    const isProperty = keyword === 'properties'
    return Object.entries(below).flatMap(([name, each]) =>
      collect(each, { ...at, path: [...at.path, name], isMember: isProperty }),
    )
  })
  const place =
    path.length === 0 ? `the top${behind || ' of the schema'}` : toPointer(path) + behind
  return [...inner, { schema: value, place, isMember, testedBy }]
}

/** Whether a value is JSON at every depth. */
export function isJsonValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJsonValue)
  if (isPlainObject(value)) return Object.values(value).every(isJsonValue)
  return (
    value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value)
  )
}

/** A schema of headers with all property names in lower case, at any depth, as Node has them
 *  (specification 2.3). The copy keeps the marks of TypeBox.
 *  @throws for a transform or a refinement of an object with names in upper case: by its types, its
 *  functions read those */
export function lowerCaseHeaderNames(schema: JsonObject): JsonObject {
  if (transformOf(schema) || refinementsOf(schema).length > 0) refuseUpperCase(schema)
  const copy = copyWithMarks(schema)
  for (const [keyword, value] of Object.entries(schema)) {
    const isName = naming.includes(keyword) || (keyword === '$data' && typeof value === 'string')
    copy[keyword] = isName ? lowerCaseNames(value) : lowerCaseBelow(value)
  }
  return copy
}

/** The keywords whose values are lists of names, or maps by names. ajv-errors has a map in
 *  `required`. */
const naming = ['dependencies', 'dependentRequired', 'dependentSchemas', 'properties', 'required']

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

function refuseUpperCase(schema: unknown): void {
  if (Array.isArray(schema)) schema.forEach(refuseUpperCase)
  if (!isPlainObject(schema)) return
  const { properties } = schema
  const names = isPlainObject(properties) ? Object.keys(properties) : []
  const name = names.find((each) => each !== each.toLowerCase())
  if (name !== undefined) {
    const reason = `its functions read '${name}', and headers come in lower case`
    const advice = `Write '${name.toLowerCase()}'`
    throw new Error(`a Transform or a Refine has a header in upper case: ${reason}. ${advice}`)
  }
  Object.values(schema).forEach(refuseUpperCase)
}

function lowerCaseBelow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCaseBelow)
  return isPlainObject(value) ? lowerCaseHeaderNames(value) : value
}

/** A name, a list of names, or a map of schemas or lists of names by name. */
function lowerCaseNames(value: unknown): unknown {
  if (typeof value === 'string') return value.toLowerCase()
  if (Array.isArray(value)) return value.map(lowerCaseNames)
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value).map(([name, each]) => [
    name.toLowerCase(),
    Array.isArray(each) ? lowerCaseNames(each) : lowerCaseBelow(each),
  ])
  return Object.fromEntries(entries) as JsonObject
}
