import { isDocument, openDocument, recursionAround } from '../../schema/reference.ts'
import { resolveReference, type SchemaDocument, type Target } from '../../schema/reference.ts'
import { isPlainObject, type JsonObject } from '../../types/objects.ts'

/** Schemas that hold together for one value: those of references and of `allOf`, and one
 *  alternative of each union. */
export type Way = readonly Target[]

/** More ways than these are not looked at: unions that hold together multiply. */
const mostWays = 100
/** References that lead only to references end here. */
const mostSteps = 20

/** The keywords of a schema. One that is true or false has none. */
export const keywordsOf = ({ node }: Target): JsonObject => (isPlainObject(node) ? node : {})

/** The same of all schemas of a way. */
export const facetsOf = (way: Way): readonly JsonObject[] => way.map(keywordsOf)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Finds the schemas that hold for a value, and for what is inside of it. */
export class Ways {
  readonly #shared: Readonly<Record<string, JsonObject>>

  /** @param shared the shared schemas that a route sees */
  constructor(shared: Readonly<Record<string, JsonObject>>) {
    this.#shared = shared
  }

  /** The ways in which a value can fit all of some schemas. */
  of(roots: readonly Target[]): readonly Way[] {
    return roots.reduce<readonly Way[]>((ways, root) => both(ways, this.#waysOf(root, 0)), [[]])
  }

  #waysOf(target: Target, step: number): readonly Way[] {
    if (target.node === false || step > mostSteps) return []
    const { document } = target
    const {
      $ref,
      allOf,
      anyOf,
      oneOf,
      if: test,
      then = true,
      else: other = true,
    } = keywordsOf(target)
    const enter = (node: unknown): readonly Way[] =>
      this.#waysOf(enterSchema(node, document), step + 1)
    let ways: readonly Way[] = [[target]]
    if (typeof $ref === 'string') {
      const found =
        recursionAround(keywordsOf(target), document) ??
        resolveReference($ref, document, this.#shared)
      ways = found === undefined ? [] : both(ways, this.#waysOf(found, step + 1))
    }
    for (const each of listOf(allOf)) ways = both(ways, enter(each))
    for (const union of [anyOf, oneOf])
      if (Array.isArray(union)) ways = both(ways, union.flatMap(enter))
    if (test === undefined) return ways
    return both(ways, [...both(enter(test), enter(then)), ...enter(other)])
  }
}

const both = (one: readonly Way[], other: readonly Way[]): readonly Way[] =>
  one.flatMap((first) => other.map((second) => [...first, ...second])).slice(0, mostWays)

/** A schema inside of a document. */
export function enterSchema(node: unknown, document: SchemaDocument): Target {
  const opens = isPlainObject(node) && node !== document.root && isDocument(node)
  return { node, document: opens ? openDocument(node, undefined, document) : document }
}

/** The schemas of a property. Whether it may be there at all is not looked at. */
export function propertyIn(way: Way, name: string): readonly Target[] {
  return way.flatMap((target) => {
    const { properties, patternProperties, additionalProperties } = keywordsOf(target)
    const own = isPlainObject(properties) && Object.hasOwn(properties, name)
    const matched = Object.entries(Object(patternProperties) as JsonObject).filter(([pattern]) =>
      matches(pattern, name),
    )
    const named = [...(own ? [properties[name]] : []), ...matched.map(([, schema]) => schema)]
    const all = named.length === 0 ? [additionalProperties].filter(isPlainObject) : named
    return all.map((each) => enterSchema(each, target.document))
  })
}

/** The schemas of an item of a list. */
export function itemIn(way: Way, index: number): readonly Target[] {
  return way.flatMap((target) => {
    const { items, prefixItems, additionalItems } = keywordsOf(target)
    const listed = listOf(prefixItems ?? items)
    const others =
      prefixItems !== undefined ? items : Array.isArray(items) ? additionalItems : items
    const schema = index < listed.length ? listed[index] : (others ?? true)
    return schema === true ? [] : [enterSchema(schema, target.document)]
  })
}

/** Whether a text matches a pattern. One that cannot be compiled matches nothing. */
export function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}

/** The names that schemas have for fields. */
export const namesIn = (facets: readonly JsonObject[]): readonly string[] => [
  ...new Set(facets.flatMap(({ properties }) => Object.keys(Object(properties) as object))),
]

/** The names of the fields that schemas require. */
export const requiredIn = (facets: readonly JsonObject[]): readonly string[] => [
  ...new Set(facets.flatMap(({ required }) => listOf(required).map(String))),
]

/** The types that all of some schemas take; undefined if none of them has a type. */
export function typesIn(facets: readonly JsonObject[]): readonly string[] | undefined {
  const lists = facets.flatMap(({ type, nullable }) => {
    if (type === undefined) return []
    return [[type, ...(nullable === true ? ['null'] : [])].flat().map(String)]
  })
  const [first, ...others] = lists
  return others.reduce((kept, list) => {
    const isIn = (type: string): boolean =>
      list.includes(type) || (type === 'integer' && list.includes('number'))
    const narrowed = kept?.includes('number') === true && list.includes('integer')
    return [...(kept ?? []).filter(isIn), ...(narrowed ? ['integer'] : [])]
  }, first)
}
