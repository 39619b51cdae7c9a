import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../types/objects.ts'
import { became, type Effect, finding, type Finding, shown } from './change.ts'
import { compareKeywords } from './compare-keywords.ts'
import { itemsOf } from './references.ts'
import type { ReadSchema, SchemaReader } from './read-schema.ts'

/** At so many places of a body one change is told. */
const placesOfOne = 8
/** So many schemas deep a trial looks. Deeper ones count as different. */
const trialDepth = 5
/** So many schemas deep a comparison goes at once. */
const stackDepth = 100

/** What pairs of schemas have been found to differ in. */
export type Known = Map<ReadSchema, Map<ReadSchema, readonly Finding[]>>

/** Compares schemas of two documents. One comparer is for one body: what a recursive schema changes
 *  is told where it is met first. */
export class SchemaComparer {
  readonly #before: SchemaReader
  readonly #after: SchemaReader
  readonly #known: Known = new Map()
  readonly #tried: Known = new Map()
  readonly #equal: Known
  /** Pairs that lie too deep for the stack. */
  readonly #later: (readonly [before: ReadSchema, after: ReadSchema])[] = []
  /** What the trial under way has found. It supposes that its pairs are equal, and may be wrong. */
  #trial: Known | undefined
  #depth = 0

  /** @param equal pairs of schemas without a change, which comparers of other bodies have found */
  constructor(before: SchemaReader, after: SchemaReader, equal: Known) {
    this.#equal = equal
    this.#before = before
    this.#after = after
  }

  /** The changes from one body to the other. Undefined is the schema that all values fit. */
  compare(before: unknown, after: unknown): readonly Finding[] {
    const found = [...this.#compare(before, after)]
    for (const [old, now] of this.#later) {
      found.push(...this.#explore(old, now).map((each) => ({ ...each, at: `.…${each.at}` })))
    }
    if (found.length > 0) return atMost(placesOfOne, found)
    for (const [old, row] of this.#known) {
      for (const now of row.keys()) remember(this.#equal, old, now, [])
    }
    return found
  }

  #compare(before: unknown, after: unknown): readonly Finding[] {
    return this.#compareRead(this.#before.read(before), this.#after.read(after))
  }

  #compareRead(before: ReadSchema, after: ReadSchema): readonly Finding[] {
    for (const known of [this.#equal, this.#known, this.#trial]) {
      const found = known?.get(before)?.get(after)
      if (found !== undefined) return found
    }
    if (this.#trial !== undefined && this.#depth >= trialDepth) return [tooDeep]
    if (this.#depth < stackDepth) return this.#explore(before, after)
    remember(this.#known, before, after, [])
    this.#later.push([before, after])
    return []
  }

  #explore(before: ReadSchema, after: ReadSchema): readonly Finding[] {
    const memory = this.#trial ?? this.#known
    // Inside a recursive schema the same pair has no changes of its own.
    remember(memory, before, after, [])
    this.#depth++
    const found = atMost(placesOfOne, [
      ...this.#compareValues(before, after),
      ...notes(before, after),
    ])
    this.#depth--
    remember(memory, before, after, found)
    return found
  }

  /** The changes between schemas that may have nothing to do with each other. */
  #try(before: ReadSchema, after: ReadSchema): readonly Finding[] {
    if (this.#trial !== undefined) return this.#compareRead(before, after)
    const known = this.#tried.get(before)?.get(after)
    if (known !== undefined) return known
    const depth = this.#depth
    this.#depth = 0
    this.#trial = new Map()
    const found = this.#compareRead(before, after)
    this.#trial = undefined
    this.#depth = depth
    remember(this.#tried, before, after, found)
    return found
  }

  #compareValues(before: ReadSchema, after: ReadSchema): readonly Finding[] {
    const [old, now] = [this.#before.alternatives(before), this.#after.alternatives(after)]
    if (old.length > 1 || now.length > 1) return this.#compareUnions(old, now)
    return this.#compareOne(old[0] ?? before, now[0] ?? after)
  }

  #compareOne(before: ReadSchema, after: ReadSchema): readonly Finding[] {
    const both = [before.keywords['enum'], after.keywords['enum']].every(Array.isArray)
    const common = before.kinds.filter((kind) => after.kinds.includes(kind))
    const kinds = both ? [] : compareKinds(before, after, common.length)
    if (!both && common.length === 0) return kinds
    const inner = compareKeywords(before, after, {
      kinds: both ? before.kinds : common,
      compare: (left, right) => this.#compare(left, right),
    })
    return [...kinds, ...inner, ...this.#compareLists(before, after)]
  }

  /** Compares more than one union beside each other, in their order. */
  #compareLists(before: ReadSchema, after: ReadSchema): Finding[] {
    const [old, now] = [before.unions, after.unions]
    if (old.length !== now.length) {
      return [finding('changed', 'its unions changed')]
    }
    return old.flatMap((union, index) =>
      this.#compare(this.#before.ofUnion(union), this.#after.ofUnion(now[index] ?? [])),
    )
  }

  #compareUnions(before: readonly ReadSchema[], after: readonly ReadSchema[]): Finding[] {
    const pairs = this.#pair(before, after)
    const found = [...pairs].flatMap(([old, now]) => this.#compareMember(old, now))
    const taken = [...pairs.values()]
    const added = new Set(after.filter((now) => !taken.includes(now)))
    for (const old of before.filter((each) => !pairs.has(each))) {
      const next = this.#nearest(old, [...added])
      if (next !== undefined) {
        added.delete(next)
        found.push(...this.#compareMember(old, next))
      } else if (!after.some((now) => this.#fits(old, now, 'widened'))) {
        found.push(finding('narrowed', `${named(old)} is no longer among what fits`))
      }
    }
    for (const now of added) {
      const covers = before.filter((old) => this.#fits(old, now, 'narrowed'))
      const isWhole = (old: ReadSchema): boolean =>
        this.#try(old, now).every(({ effect }) => effect === 'narrowed')
      if (covers.some(isWhole)) continue
      const effect = covers.length > 0 ? 'noted' : 'widened'
      found.push(finding(effect, `${named(now)} is now among what fits`))
    }
    return found
  }

  /** The members that are written the same, and those that take the same values. */
  #pair(
    before: readonly ReadSchema[],
    after: readonly ReadSchema[],
  ): ReadonlyMap<ReadSchema, ReadSchema> {
    const pairs = new Map<ReadSchema, ReadSchema>()
    const pair = (isPair: (old: ReadSchema, now: ReadSchema) => boolean): void => {
      for (const old of before.filter((each) => !pairs.has(each))) {
        const now = after.find((each) => areAlike(old, each) && isPair(old, each))
        if (now !== undefined) pairs.set(old, now)
      }
    }
    pair((old, now) => old.source === now.source)
    pair((old, now) => this.#try(old, now).length === 0)
    pair((old, now) => this.#effects(old, now).length === 0)
    return pairs
  }

  #compareMember(old: ReadSchema, now: ReadSchema): Finding[] {
    const tag = tagOf(now)
    const at = tag === '' ? '' : `(${tag})`
    return this.#compareRead(old, now).map((each) => ({ ...each, at: at + each.at }))
  }

  /** The member that a member has become: one of the same kinds, with the fewest changes. */
  #nearest(old: ReadSchema, added: readonly ReadSchema[]): ReadSchema | undefined {
    const alike = added.filter((now) => areAlike(old, now))
    const cost = (now: ReadSchema): number => this.#effects(old, now).length
    return alike.sort((one, other) => cost(one) - cost(other))[0]
  }

  #fits(old: ReadSchema, now: ReadSchema, effect: Effect): boolean {
    return this.#effects(old, now).every((each) => each === effect)
  }

  #effects(old: ReadSchema, now: ReadSchema): Effect[] {
    const effects = this.#try(old, now).map(({ effect }) => effect)
    return effects.filter((effect) => effect !== 'noted' && effect !== 'default')
  }
}

const tooDeep = finding('changed', 'is too deep')

function remember(
  known: Known,
  before: ReadSchema,
  after: ReadSchema,
  found: readonly Finding[],
): void {
  const row = known.get(before) ?? new Map<ReadSchema, readonly Finding[]>()
  known.set(before, row.set(after, found))
}

/** Whether a member of a union may have become another: some values may fit both. */
function areAlike(old: ReadSchema, now: ReadSchema): boolean {
  const [tag, other] = [tagOf(old), tagOf(now)]
  const isOther = tag !== '' && other !== '' && tag !== other
  return !isOther && now.kinds.some((kind) => old.kinds.includes(kind))
}

/** The findings without further places of those that have so many. */
function atMost(count: number, found: readonly Finding[]): Finding[] {
  const places = new Map<object, number>()
  return found.filter(({ id }) => {
    const before = places.get(id) ?? 0
    places.set(id, before + 1)
    return before < count
  })
}

function compareKinds(before: ReadSchema, after: ReadSchema, common: number): Finding[] {
  const [lost, more] = [before.kinds.length > common, after.kinds.length > common]
  if (!lost && !more) return []
  const effect = lost && more ? 'changed' : lost ? 'narrowed' : 'widened'
  return [finding(effect, `${kindsText(before)} became ${kindsText(after)}`)]
}

function kindsText({ kinds }: ReadSchema): string {
  if (kinds.length === 0) return 'nothing'
  if (kinds.length === 7) return 'any type'
  const names = kinds.filter((kind) => kind !== 'fraction')
  const isNumber = kinds.includes('fraction')
  return names.map((kind) => (kind === 'integer' && isNumber ? 'number' : kind)).join(' or ')
}

/** A member of a union in words. */
function named(schema: ReadSchema): string {
  const { title, enum: values } = schema.keywords
  if (typeof title === 'string') return `'${title}'`
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' or ')
  const tag = tagOf(schema)
  return kindsText(schema) + (tag === '' ? '' : ` with ${tag}`)
}

/** The constant properties that tell a member of a union from others: `kind "cat"`. */
function tagOf({ keywords: { properties } }: ReadSchema): string {
  const all = Object.entries(isObject(properties) ? properties : {})
  const constants = all.flatMap(([name, each]) => {
    const values = isObject(each) ? (each['enum'] ?? [each['const']]) : []
    const [only, ...others] = itemsOf(values)
    return only === undefined || others.length > 0 ? [] : [`${name} ${JSON.stringify(only)}`]
  })
  return constants.join(', ')
}

/** What stands beside all values of a schema. */
function notes(before: ReadSchema, after: ReadSchema): Finding[] {
  const [old, now] = [before.keywords, after.keywords]
  const found: Finding[] = []
  const isDeprecated = now['deprecated'] === true
  if (isDeprecated !== (old['deprecated'] === true)) {
    found.push(finding('noted', isDeprecated ? 'is deprecated' : 'is no longer deprecated'))
  }
  const [first, second] = [old['default'], now['default']]
  if (!isDeepStrictEqual(first, second)) {
    found.push(finding('default', became('default', shown(first), shown(second))))
  }
  return [...found, ...compareDiscriminators(old['discriminator'], now['discriminator'])]
}

function compareDiscriminators(before: unknown, after: unknown): Finding[] {
  const [old, now] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
  if (old['propertyName'] !== now['propertyName']) {
    const [first, second] = [shown(old['propertyName']), shown(now['propertyName'])]
    return [finding('changed', became('discriminator', first, second))]
  }
  const values = ({ mapping }: typeof old): string[] =>
    Object.keys(isObject(mapping) ? mapping : {})
  const lost = values(old).filter((value) => !values(now).includes(value))
  const more = values(now).filter((value) => !values(old).includes(value))
  return [
    ...lost.map((value) => finding('narrowed', `discriminator lost the value '${value}'`)),
    ...more.map((value) => finding('widened', `discriminator has the new value '${value}'`)),
  ]
}
