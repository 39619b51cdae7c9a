import { isDeepStrictEqual } from 'node:util'
import type { ValidationRecord } from '../schema/compiler-types.ts'
import { keysOf } from '../schema/json-pointer.ts'
import { definitionOf } from '../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'

/** A schema inside of a bundle, with the path by which the records of ajv name it. */
export interface SchemaPlace {
  readonly schema: JsonObject
  readonly path: string
}

/** Values that are nested deeper are not followed, since clients choose how deep they nest. */
const deepest = 20

/** Finds the schemas inside of a bundle that ajv applies to a value. */
export class SchemaPlaces {
  readonly root: JsonObject
  readonly #known = new Map<JsonObject, Map<string, readonly SchemaPlace[]>>()

  /** @param root the schema of the bundle */
  constructor(root: JsonObject) {
    this.root = root
  }

  /** The places of a value, by the pointer to it. */
  of(pointer: string): readonly SchemaPlace[] {
    return this.below({ schema: this.root, path: '#' }, pointer)
  }

  /** The places of a value inside of one that a schema is applied to.
   *  @param pointer leads from there to the value */
  below(start: SchemaPlace, pointer: string): readonly SchemaPlace[] {
    if (isTooDeep(pointer)) return []
    const known = this.#known.get(start.schema) ?? new Map<string, readonly SchemaPlace[]>()
    this.#known.set(start.schema, known)
    const name = start.path + pointer
    const found = known.get(name) ?? withBeside(this.#next(start, pointer), this.root)
    known.set(name, found)
    return found
  }

  #next(start: SchemaPlace, pointer: string): readonly SchemaPlace[] {
    const end = pointer.lastIndexOf('/')
    const [key] = keysOf(pointer.slice(end))
    if (key === undefined) return [start]
    return this.below(start, pointer.slice(0, end)).flatMap((place) => below(place, key))
  }
}

/** Whether no place is known for a value because of its depth. */
export function isTooDeep(pointer: string): boolean {
  return pointer.split('/', deepest + 2).length > deepest + 1
}

/** The place whose keyword a record names, among the places of its value. */
export function placeOf(
  places: readonly SchemaPlace[],
  record: ValidationRecord,
): SchemaPlace | undefined {
  const { schemaPath = '' } = record
  const parent = schemaPath.slice(0, schemaPath.lastIndexOf('/'))
  return places.find(({ path, schema }) => path === parent && agrees(schema, record))
}

/** Whether a record may be one of a schema. Definitions that ajv calls as functions have the same
 *  paths, so what the keyword asks for has to be the same too. */
function agrees(schema: JsonObject, { keyword = '', params = {} }: ValidationRecord): boolean {
  const { missingProperty } = params
  const own = schema[keyword]
  if (Array.isArray(own) && missingProperty !== undefined) return own.includes(missingProperty)
  const asked = askedBy(params)
  return own !== undefined && (asked === undefined || isDeepStrictEqual(own, asked))
}

/** The names of those parameters of a record that have the value of its keyword. */
const asking = ['type', 'allowedValues', 'allowedValue', 'limit', 'format', 'pattern', 'multipleOf']

/** What a keyword asks for, by the parameters of its record. */
export function askedBy(params: JsonObject): unknown {
  const name = asking.find((each) => params[each] !== undefined)
  return name && params[name]
}

function withBeside(places: readonly SchemaPlace[], { definitions }: JsonObject): SchemaPlace[] {
  const all: SchemaPlace[] = []
  const open = [...places]
  for (const place of open) {
    const { schema, path } = place
    if (all.some((known) => known.schema === schema && known.path === path)) continue
    all.push(place)
    open.push(...beside(place, definitions))
  }
  return all
}

/** The schemas that are applied to the same value. */
function beside({ schema, path }: SchemaPlace, definitions: unknown): SchemaPlace[] {
  const name = definitionOf(schema['$ref'])
  const target = name !== undefined && isPlainObject(definitions) ? definitions[name] : undefined
  const { dependencies } = schema
  return toPlaces([
    // ajv writes the code of a definition into that of the schema, or calls it as its own function.
    [target, `#/definitions/${name}`],
    [target, '#'],
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
      const list = schema[keyword]
      if (!Array.isArray(list)) return []
      return list.map((each: unknown, index) => [each, `${path}/${keyword}/${index}`] as const)
    }),
    ...['then', 'else', 'propertyNames'].map(
      (keyword) => [schema[keyword], `${path}/${keyword}`] as const,
    ),
    ...entriesOf(dependencies, `${path}/dependencies`),
  ])
}

/** The schemas that are applied to one property or item of the value. */
function below({ schema, path }: SchemaPlace, key: string): SchemaPlace[] {
  const { properties, items, patternProperties } = schema
  return toPlaces([
    ...entriesOf(properties, `${path}/properties`, key),
    ...entriesOf(patternProperties, `${path}/patternProperties`),
    Array.isArray(items) ? [items[Number(key)], `${path}/items/${key}`] : [items, `${path}/items`],
    ...['additionalProperties', 'additionalItems'].map(
      (keyword) => [schema[keyword], `${path}/${keyword}`] as const,
    ),
  ])
}

function entriesOf(map: unknown, path: string, only?: string): [schema: unknown, path: string][] {
  if (!isPlainObject(map)) return []
  const names = only === undefined ? Object.keys(map) : Object.hasOwn(map, only) ? [only] : []
  return names.map((name) => {
    const step = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
    return [map[name], `${path}/${step}`]
  })
}

function toPlaces(found: readonly (readonly [schema: unknown, path: string])[]): SchemaPlace[] {
  return found.flatMap(([schema, path]) => (isPlainObject(schema) ? [{ schema, path }] : []))
}
