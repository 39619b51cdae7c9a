import { valueAt } from '../../../schema/json-pointer.ts'
import type { Kind } from '../kind.ts'
import { vary } from '../samples.ts'
import { itemIn } from '../ways.ts'

const most = 10_000

export const lists: readonly Kind[] = [
  {
    name: 'list-unbounded',
    sentence: 'A list of any length is searched, by uniqueItems or contains',
    remedy: 'Give it maxItems',
    of: 'request',
    probe(probe) {
      const { subject, place, facets } = probe
      const isSearched = facets.some(
        (facet) => facet['uniqueItems'] === true || 'contains' in facet,
      )
      const isBounded = facets.some((facet) => 'maxItems' in facet)
      if (!isSearched || isBounded || subject.isText || place.base === undefined) return undefined
      const item =
        Array.isArray(place.base.value) && place.base.value.length > 0
          ? (place.base.value[0] as unknown)
          : probe.samples.first(itemIn(place.base.way, 0), 'least')
      const list = Array.from({ length: most }, (_, index) => vary(item, index))
      const ran = probe.run(list)
      const arrived = ran && valueAt(ran.whole, place.keys)
      if (ran === undefined || !Array.isArray(arrived) || arrived.length < most) return undefined
      const { input } = probe.accepted(ran)
      return { input, result: `is accepted, with ${most.toLocaleString('en')} items` }
    },
  },
]
