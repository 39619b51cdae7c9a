// The fields of objects in documents of strict routes: no object has others than its schemas name.
import { isNaming, takes } from '../validation/strict-schema.ts'
import { isPlainObject, type JsonObject, mapItems } from '../types/objects.ts'
import { type Component, Link } from './link.ts'

/** Where a schema stands: for a whole value, as an alternative of a union, or as another of the
 *  schemas that hold together for one value. */
export type Position = 'whole' | 'alternative' | 'part'

const positions = new WeakMap<object, Position | Component>()

/** Says where a draft of a strict route stands.
 *  @param position a component for its own draft: it stands for whole values, unless something
 *  refers to it as to a part */
export function setPosition(draft: object, position: Position | Component): void {
  positions.set(draft, position)
}

/** Gives the copy of a draft its position. */
export function keepPosition<Draft extends object>(draft: object, copy: Draft): Draft {
  const position = positions.get(draft)
  if (position !== undefined) positions.set(copy, position)
  return copy
}

/** The position of the schema that a keyword holds. A reference that stands alone is what it refers
 *  to. Undefined where values are only tested: such schemas stay as they are. */
export function positionIn(
  keyword: string,
  schema: JsonObject,
  around: Position | Component,
): Position | undefined {
  if (keyword === '$ref' && around === 'whole' && Object.keys(schema).length === 1) return around
  if (wholes.has(keyword)) return 'whole'
  if (parts.has(keyword)) return 'part'
  return unions.some((each) => each === keyword) ? 'alternative' : undefined
}

/** The keywords whose schemas are for the fields and the items of a value. */
const wholes = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'additionalItems',
])
/** The keywords whose schemas hold together with the one around them. */
const parts = new Set(['$ref', 'allOf', 'then', 'else', 'dependencies', 'dependentSchemas'])
const unions = ['anyOf', 'oneOf'] as const
const choosing = [...unions, 'if', 'dependentSchemas'] as const

/** A draft as documents show it, once all drafts are made: with the keyword that closes its object.
 *  `additionalProperties: false` would close each member of an `allOf` by itself, so it goes to the
 *  whole object. */
export function closed(draft: JsonObject): JsonObject {
  const given = positions.get(draft)
  if (given === undefined) return draft
  const position = typeof given === 'object' ? (given.isPart === true ? 'part' : 'whole') : given
  const { additionalProperties: own, ...others } = withFreeAlternatives(draft)
  const keeps = own === true || isPlainObject(own)
  if (keeps || !closes(draft, position))
    return keeps ? { ...others, additionalProperties: own } : others
  const applied = partsOf(draft)
  const isChosen = applied.some((part) => choosing.some((keyword) => keyword in part))
  const isJoined = 'allOf' in draft || '$ref' in draft
  return {
    ...others,
    [isChosen || isJoined ? 'unevaluatedProperties' : 'additionalProperties']: false,
  }
}

function closes(draft: JsonObject, position: Position): boolean {
  if (position === 'part') return false
  if (position === 'alternative') return isClosed(draft)
  const { $ref: link, ...beside } = draft
  // A component that stands for whole values alone is closed itself.
  const isClosedThere = link instanceof Link && link.component.isPart !== true
  if (isClosedThere && Object.keys(beside).length === 0) return false
  return partsOf(draft).some(isNaming)
}

/** Alternatives that say nothing about fields take any object, unless the schema around them names
 *  fields. */
function withFreeAlternatives(draft: JsonObject): JsonObject {
  const { anyOf, oneOf, ...around } = draft
  if ((anyOf ?? oneOf) === undefined || partsOf(around).some(isNaming)) return draft
  const free = (members: unknown): unknown =>
    mapItems(members, (member) => {
      const isFree = takes(member, ['object']) && !partsOf(member).some(isNaming)
      return isFree ? { ...Object(member), additionalProperties: true } : member
    })
  return {
    ...around,
    ...(anyOf !== undefined && { anyOf: free(anyOf) }),
    ...(oneOf !== undefined && { oneOf: free(oneOf) }),
  }
}

/** Whether an alternative is closed by itself. */
function isClosed(draft: unknown, seen: ReadonlySet<unknown> = new Set()): boolean {
  if (!isPlainObject(draft) || seen.has(draft)) return false
  const { additionalProperties, $ref: link } = draft
  if (additionalProperties === false) return true
  return link instanceof Link && isClosed(link.draft, new Set([...seen, draft]))
}

/** A draft, and all that hold for the same value or may hold for it. */
function partsOf(draft: unknown, found: Set<JsonObject> = new Set()): readonly JsonObject[] {
  if (!isPlainObject(draft) || found.has(draft)) return [...found]
  found.add(draft)
  const { $ref: link, allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas } = draft
  const lists: readonly unknown[] = [allOf, anyOf, oneOf].flat()
  const dependent: readonly unknown[] = Object.values(Object(dependentSchemas) as JsonObject)
  const target = link instanceof Link ? link.draft : undefined
  for (const each of [target, ...lists, then, otherwise, ...dependent]) partsOf(each, found)
  return [...found]
}
