import { toPointer } from '../../../schema/json-pointer.ts'
import { isObject, mapValues } from '../../../types/objects.ts'
import type { Kind } from '../kind.ts'
import type { Probe, Shown } from '../probe.ts'
import type { Size } from '../samples.ts'
import { facetsOf, keywordsOf, listOf, typesIn, type Way } from '../ways.ts'

/** The alternatives of the unions at a place, each with the ways that take it. */
function alternativesOf({ place }: Probe, keywords: readonly string[]): (readonly Way[])[][] {
  const unions = new Set(
    place.ways
      .flat()
      .flatMap((target) =>
        keywords.map((keyword) => keywordsOf(target)[keyword]).filter(Array.isArray),
      ),
  )
  return [...unions].map((members: readonly unknown[]) =>
    members.map((member) => place.ways.filter((way) => way.some(({ node }) => node === member))),
  )
}

/** What may be sent for an alternative that is a scalar. */
const tries: Readonly<Record<string, readonly unknown[]>> = {
  number: [1, 0, 7, -1, 0.5],
  integer: [1, 0, 7, -1],
  boolean: [true, false],
  null: [null],
}

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value)

/** The input for an alternative none of whose values arrives as what it is. */
function unreachable(probe: Probe, type: string, own: readonly unknown[]): Shown | undefined {
  const { subject, samples } = probe
  const wanted = type === 'integer' ? 'number' : type
  let shown: Shown | undefined
  for (const value of [...own, ...(tries[type] ?? [])]) {
    const texts = subject.isText && value === null ? ['', 'null'] : [samples.scalar(value)]
    for (const text of texts) {
      const ran = probe.run(text)
      if (ran?.value === undefined) continue
      if (kindOf(ran.value) === wanted) return undefined
      shown ??= probe.reached(ran)
    }
  }
  return shown
}

/** The types of the alternatives of a union of scalars, each with its own values. */
function scalarsOf(probe: Probe): (readonly [type: string, own: readonly unknown[]])[] {
  const members = alternativesOf(probe, ['anyOf', 'oneOf']).flat()
  const ofMembers = members.flatMap((ways) =>
    ways.slice(0, 1).flatMap((way) => {
      const facets = facetsOf(way)
      const own = facets.flatMap((facet) => ('const' in facet ? [facet['const']] : []))
      const [type] = own.length > 0 ? own.map(kindOf) : (typesIn(facets) ?? [])
      return type === undefined ? [] : [[type, own] as const]
    }),
  )
  const listed = typesIn(probe.facets) ?? []
  const ofTypes = listed.length > 1 ? listed.map((type) => [type, []] as const) : []
  return [...ofMembers, ...ofTypes].filter(([type, own]) => type in tries || own.length > 0)
}

/** The first value of an alternative that loses a field on its way. Where it fits as it is, that
 *  may depend on a conversion. */
function loss(probe: Probe, ways: readonly Way[]): Shown | undefined {
  for (const size of ['least', 'all'] satisfies Size[]) {
    for (const way of ways) {
      const value = probe.sample(way, size)
      if (!isObject(value)) continue
      for (const sent of [value, mapValues(value, toText)]) {
        const ran = probe.run(sent)
        const arrived = ran?.value
        if (ran === undefined || !isObject(arrived)) continue
        if (Object.keys(value).some((name) => !(name in arrived))) return probe.reached(ran)
      }
    }
  }
  return undefined
}

const toText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)

export const unions: readonly Kind[] = [
  {
    name: 'alternative-unreachable',
    sentence: 'An alternative of a union is never reached: what is sent for it becomes another',
    remedy: 'Leave the alternative out, or order the union so that the narrower ones come first',
    of: 'request',
    probe: (probe) => firstOf(scalarsOf(probe), ([type, own]) => unreachable(probe, type, own)),
  },
  {
    name: 'union-loses-fields',
    sentence: 'A value of one alternative loses fields, since another one takes it first',
    remedy:
      'Tell the alternatives apart by a literal (kind: t.Literal(…)), or put the larger first',
    of: 'both',
    probe: (probe) =>
      firstOf(alternativesOf(probe, ['anyOf', 'oneOf']).flat(), (ways) => loss(probe, ways)),
  },
  {
    name: 'one-of-ambiguous',
    sentence: 'A value fits two alternatives of oneOf, and is refused',
    remedy: 'Tell the alternatives apart by a literal, or write anyOf (t.Union)',
    of: 'both',
    needsNoValue: true,
    probe(probe) {
      for (const members of alternativesOf(probe, ['oneOf'])) {
        const shown = firstOf(candidates(probe, members), (value) => ambiguous(probe, value))
        if (shown !== undefined) return shown
      }
      return undefined
    },
  },
]

/** Small values of the alternatives, and objects with the fields of two. */
function candidates(probe: Probe, members: readonly (readonly Way[])[]): unknown[] {
  const of = (size: Size): unknown[] =>
    members.flatMap(([way]) => (way === undefined ? [] : [probe.sample(way, size)]))
  const [least, all] = [of('least'), of('all')].map((values) =>
    values.filter((value) => value !== undefined),
  )
  const objects = (least ?? []).filter(isObject).slice(0, 8)
  const joined = objects.flatMap((one, index) =>
    objects.slice(index + 1).map((other) => ({ ...other, ...one })),
  )
  return [...(least ?? []), ...joined, ...(all ?? [])]
}

function ambiguous(probe: Probe, value: unknown): Shown | undefined {
  const refused = probe.refusalOf(value)
  if (refused === undefined) return undefined
  const pointer = toPointer(probe.place.keys)
  for (const error of refused.errors) {
    if (!isObject(error) || error['keyword'] !== 'oneOf') continue
    const { passingSchemas } = Object(error['params']) as { readonly passingSchemas?: unknown }
    const [one, other] = listOf(passingSchemas).map((index) => Number(index) + 1)
    if (other === undefined || error['instancePath'] !== pointer) continue
    return probe.refused(refused, `it fits the alternatives ${one} and ${other} of oneOf`)
  }
  return undefined
}

function firstOf<Item>(
  list: Iterable<Item>,
  find: (item: Item) => Shown | undefined,
): Shown | undefined {
  for (const item of list) {
    const shown = find(item)
    if (shown !== undefined) return shown
  }
  return undefined
}
