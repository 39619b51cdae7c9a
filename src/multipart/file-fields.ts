import {
  openDocument,
  resolveReference,
  type SchemaDocument,
  type Target,
} from '../schema/reference.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import { isObject, isPlainObject, readFluent, type JsonObject } from '../schema/values.ts'
import { fileKeyword } from '../validation/ajv.ts'

/** What the schema of a route says of a file. */
export interface FileRule {
  readonly maxSize: number | undefined
  readonly types: readonly string[] | undefined
  /** Whether the field is a list of files. */
  readonly isList: boolean
}

type Shared = Readonly<Record<string, JsonObject>>

/** The files of a form by the names of their fields. Undefined for a Standard Schema, which does
 *  not say them.
 *  @param body the schema of a body: of a form, or with a `content` that has one for forms */
export function fileFields(body: unknown, shared: Shared): Map<string, FileRule> | undefined {
  const schema = readFluent(schemaOfForm(readFluent(body)))
  if (isStandardSchema(schema)) return undefined
  const found = new Map<string, FileRule>()
  if (isPlainObject(schema)) {
    collect({ node: schema, document: openDocument(schema) }, shared, found)
  }
  return found
}

function schemaOfForm(body: unknown): unknown {
  const content = isObject(body) && !isStandardSchema(body) ? body['content'] : undefined
  const media = isObject(content) ? (content['multipart/form-data'] ?? content['*/*']) : undefined
  return isObject(media) ? media['schema'] : body
}

function collect(at: Target, shared: Shared, found: Map<string, FileRule>): void {
  const { node, document } = follow(at, shared)
  if (!isPlainObject(node)) return
  const { properties, allOf } = node
  for (const each of Array.isArray(allOf) ? allOf : []) {
    collect({ node: each, document }, shared, found)
  }
  for (const [name, property] of Object.entries(Object(properties) as object)) {
    const own = follow({ node: property, document }, shared)
    const items = isPlainObject(own.node) ? own.node['items'] : undefined
    const item = follow({ node: items, document: own.document }, shared)
    const rule = readRule(own.node, false) ?? readRule(item.node, true)
    if (rule !== undefined) found.set(name, rule)
  }
}

/** The target of a reference, or the schema itself. A reference that leads to itself is none: ajv
 *  has refused it. */
function follow(at: Target, shared: Shared): Target {
  const reference = isPlainObject(at.node) ? at.node['$ref'] : undefined
  const document: SchemaDocument = at.document
  if (typeof reference !== 'string') return at
  const target = resolveReference(reference, document, shared)
  return target === undefined || target.node === at.node ? at : follow(target, shared)
}

function readRule(schema: unknown, isList: boolean): FileRule | undefined {
  const rule = isPlainObject(schema) ? schema[fileKeyword] : undefined
  if (!isPlainObject(rule)) return undefined
  const { maxSize, types } = rule as Omit<FileRule, 'isList'>
  return { maxSize, types, isList }
}
