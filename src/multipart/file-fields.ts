import { openDocument, resolveReference, type Target } from '../schema/reference.ts'
import { isSensitive } from '../schema/sensitive.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import { holds } from '../schema/transform/transforms.ts'
import { isObject, isPlainObject, type JsonObject } from '../types/objects.ts'
import { readFluent } from '../schema/fluent-schema.ts'
import { fileKeyword } from '../validation/ajv.ts'

/** What the schema of a route says of a file. */
export interface FileRule {
  readonly maxSize: number | undefined
  readonly types: readonly string[] | undefined
  /** Whether the field is a list of files. */
  readonly isList: boolean
}

/** The files of a form by the names of their fields. Undefined stands for all other fields. */
export type FileRules = ReadonlyMap<string | undefined, FileRule>

/** What the schema of a form says of its fields. */
export interface FormFields {
  /** Undefined if any field may be a file. */
  readonly files: FileRules | undefined
  /** The names of fields that are lists, and never objects. */
  readonly lists: ReadonlySet<string>
  /** Whether fields may have sensitive values, so that errors quote no text. */
  readonly isSensitive: boolean
}

type Shared = Readonly<Record<string, JsonObject>>

/** The fields of a form. A Standard Schema does not say which are files or lists.
 *  @param body the schema of a body: of a form, or with a `content` that has one for forms */
export function formFields(body: unknown, shared: Shared): FormFields {
  const schema = readFluent(schemaOfForm(readFluent(body)))
  if (isStandardSchema(schema))
    return { files: undefined, lists: new Set(), isSensitive: isSensitive(schema) }
  const found = new Map<string | undefined, FileRule>()
  const lists = new Set<string>()
  const objects = new Set<string>()
  const add = (name: string | undefined, { node }: Target, isList: boolean): void => {
    const rule = readRule(node, isList)
    if (rule !== undefined) found.set(name, widest(rule, found.get(name)))
  }
  const hides = [schema, ...Object.values(shared)].some((each) => holds(each, 'sensitive'))
  if (!isPlainObject(schema)) return { files: found, lists, isSensitive: hides }
  for (const form of variants({ node: schema, document: openDocument(schema) }, shared)) {
    for (const [name, node] of fieldsOf(form.node as JsonObject)) {
      for (const field of variants({ ...form, node }, shared)) {
        const types = [(field.node as JsonObject)['type']].flat()
        if (types.includes('array')) lists.add(name ?? '')
        if (types.includes('object')) objects.add(name ?? '')
        add(name, field, false)
        const items = { ...field, node: (field.node as JsonObject)['items'] }
        for (const item of variants(items, shared)) add(name, item, true)
      }
    }
  }
  const onlyLists = new Set([...lists].filter((name) => !objects.has(name)))
  return { files: found, lists: onlyLists, isSensitive: hides }
}

function schemaOfForm(body: unknown): unknown {
  const content = isObject(body) && !isStandardSchema(body) ? body['content'] : undefined
  const media = isObject(content) ? (content['multipart/form-data'] ?? content['*/*']) : undefined
  return isObject(media) ? media['schema'] : body
}

/** An object schema, the target of its reference, and all that it is composed of. */
function* variants(at: Target, shared: Shared, seen = new Set<unknown>()): Generator<Target> {
  const { node, document } = at
  if (!isPlainObject(node) || seen.has(node)) return
  seen.add(node)
  yield at
  const { $ref, allOf, anyOf, oneOf } = node
  const target = typeof $ref === 'string' ? resolveReference($ref, document, shared) : undefined
  if (target !== undefined) yield* variants(target, shared, seen)
  for (const each of [allOf, anyOf, oneOf].flat()) {
    yield* variants({ node: each, document }, shared, seen)
  }
}

function fieldsOf(form: JsonObject): (readonly [string | undefined, unknown])[] {
  const { properties, patternProperties, additionalProperties } = form
  const others = [...Object.values(Object(patternProperties) as JsonObject), additionalProperties]
  return [
    ...Object.entries(Object(properties) as JsonObject),
    ...others.map((schema) => [undefined, schema] as const),
  ]
}

function readRule(schema: unknown, isList: boolean): FileRule | undefined {
  const rule = isPlainObject(schema) ? schema[fileKeyword] : undefined
  if (!isPlainObject(rule)) return undefined
  const { maxSize, types } = rule as Omit<FileRule, 'isList'>
  return { maxSize, types, isList }
}

/** What one of two alternatives lets through. A file that may stand alone is not made a list. */
function widest(one: FileRule, other: FileRule = one): FileRule {
  const { maxSize, types } = other
  return {
    maxSize: one.maxSize && maxSize && Math.max(one.maxSize, maxSize),
    types: one.types && types && [...new Set([...one.types, ...types])],
    isList: one.isList && other.isList,
  }
}
