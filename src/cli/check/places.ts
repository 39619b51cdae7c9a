import { isPlainObject } from '../../types/objects.ts'
import type { Target } from '../../schema/reference.ts'
import { NoSample, otherName, Samples, type Size } from './samples.ts'
import type { Subject } from './subject.ts'
import { facetsOf, itemIn, keywordsOf, listOf, namesIn, propertyIn } from './ways.ts'
import { type Way, Ways } from './ways.ts'

/** A value that a schema describes, at any depth. */
export interface Place {
  readonly keys: readonly string[]
  readonly ways: readonly Way[]
  /** A small value that is accepted here, by a way. Undefined if none was found. */
  readonly base: Base | undefined
  /** Why there is none. Undefined also where the value around it is the reason. */
  readonly reason: string | undefined
  /** A whole input with a value here, and else what has to be there. */
  readonly put: (value: unknown) => unknown
  /** The whole input without the value. Undefined where that has to be there. */
  readonly without: (() => unknown) | undefined
  /** What the schemas here, and those around, say is meant. */
  readonly silences: readonly Silence[]
}

export interface Base {
  readonly value: unknown
  readonly way: Way
}

/** The keyword `meant` of a schema. */
export interface Silence {
  readonly names: readonly string[]
  /** The schema that has it, as text: one for all copies. */
  readonly schema: string
}

interface Above {
  readonly keys: readonly string[]
  readonly put: Place['put']
  readonly without: Place['without']
  readonly silences: readonly Silence[]
  /** Whether no value is known that fits around. */
  readonly isBroken: boolean
  /** The schemas around: what they have inside of themselves is not looked at again. */
  readonly around: readonly unknown[]
}

/** More places of one schema are not looked at. */
const mostPlaces = 1000

/** Finds the places of the values that a schema describes. */
export class Places {
  readonly samples: Samples
  readonly #subject: Subject
  readonly #ways: Ways
  readonly #given: Samples
  readonly #seen = new Map<string, Set<unknown>>()
  #count = 0

  constructor(subject: Subject) {
    this.#subject = subject
    this.#ways = new Ways(subject.shared)
    this.samples = new Samples(this.#ways, subject.isText, false)
    this.#given = new Samples(this.#ways, subject.isText, true)
  }

  /** Whether there are more places than were given. */
  get isCut(): boolean {
    return this.#count > mostPlaces
  }

  all(): Generator<Place> {
    const put: Place['put'] = (value) => value
    const above = { keys: [], put, without: undefined, silences: [] }
    return this.#at([this.#subject.root], { ...above, isBroken: false, around: [] })
  }

  *#at(roots: readonly Target[], above: Above): Generator<Place> {
    const ways = this.#ways.of(roots)
    const nodes = new Set(ways.flat().map(({ node }) => node))
    const { keys, put, without, silences, around } = above
    const isRecursive = nodes.size > 0 && [...nodes].every((node) => around.includes(node))
    if (isRecursive || !this.#isNew(keys, nodes) || ++this.#count > mostPlaces) return
    const own = [...silences, ...[...nodes].flatMap(silencesOf)]
    const found = ways.map((way) => this.#baseOf(way, put))
    const bases = found.filter((each) => each.refusal === undefined)
    const isBroken = bases.length === 0
    const reason = above.isBroken ? undefined : (found.at(-1)?.refusal ?? 'no value can fit')
    yield { keys, ways, base: bases[0], reason, put, without, silences: own }
    const inside = { silences: own, isBroken, around: [...around, ...nodes] }
    for (const base of isBroken ? found.slice(0, 1) : bases) yield* this.#below(base, above, inside)
  }

  *#below(base: Base, { keys, put }: Above, inside: Omit<Above, 'keys' | 'put' | 'without'>) {
    const { value, way } = base
    for (const [key, roots] of childrenOf(way, value)) {
      if (roots.length === 0) continue
      const isOptional = isPlainObject(value) && !(key in value)
      yield* this.#at(roots, {
        ...inside,
        keys: [...keys, key],
        put: (child) => put(this.#with(base, key, child)),
        without: isOptional ? () => put(value) : undefined,
      })
    }
  }

  #with({ value, way }: Base, key: string, child: unknown): unknown {
    if (!Array.isArray(value)) return { ...Object(value), [key]: child }
    const items: unknown[] = [...(value as unknown[])]
    for (let index = items.length; index < Number(key); index++)
      items.push(this.samples.first(itemIn(way, index), 'least'))
    items[Number(key)] = child
    return items
  }

  /** A value for a way, with the reason why it is refused, if it is. */
  #baseOf(way: Way, put: Place['put']): Base & { readonly refusal?: string } {
    let failed: { readonly value: unknown; readonly refusal: string } | undefined
    for (const samples of [this.samples, this.#given]) {
      for (const size of ['least', 'all'] satisfies Size[]) {
        try {
          const value = samples.of(way, size)
          const outcome = this.#subject.run(JSON.stringify(put(value)))
          if (!('refusal' in outcome)) return { value, way }
          failed ??= { value, refusal: outcome.refusal }
        } catch (error) {
          if (!(error instanceof NoSample)) throw error
          failed ??= { value: undefined, refusal: error.message }
        }
      }
    }
    return { value: undefined, refusal: 'no value can fit', ...failed, way }
  }

  /** Whether some schema was not looked at yet at this place. */
  #isNew(keys: readonly string[], nodes: ReadonlySet<unknown>): boolean {
    const place = JSON.stringify(keys)
    const seen = this.#seen.get(place) ?? new Set()
    this.#seen.set(place, seen)
    const isNew = [...nodes].some((node) => !seen.has(node))
    for (const node of nodes) seen.add(node)
    return isNew
  }
}

/** The properties and items of a value, each with its schemas. */
function childrenOf(way: Way, value: unknown): (readonly [string, readonly Target[]])[] {
  const facets = facetsOf(way)
  if (Array.isArray(value)) {
    const listed = Math.max(
      0,
      ...facets.map(({ items, prefixItems }) => {
        return listOf(prefixItems ?? items).length
      }),
    )
    const [most = Infinity] = facets.flatMap(({ maxItems }) => Number(maxItems ?? Infinity))
    const count = Math.min(Math.max(listed, 1), most)
    return Array.from({ length: count }, (_, index) => [String(index), itemIn(way, index)])
  }
  if (!isPlainObject(value)) return []
  const names = namesIn(facets)
  const isMap = facets.some((facet) => {
    return 'patternProperties' in facet || isPlainObject(facet['additionalProperties'])
  })
  return [...names, ...(isMap ? [otherName(facets)] : [])].map((name) => [
    name,
    propertyIn(way, name),
  ])
}

function silencesOf(node: unknown): Silence[] {
  const { meant } = keywordsOf({ node, document: { root: {}, base: '' } })
  if (meant === undefined) return []
  return [{ names: [meant].flat().map(String), schema: JSON.stringify(node) }]
}
