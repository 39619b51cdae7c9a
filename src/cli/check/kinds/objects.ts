import { isObject, type JsonObject } from '../../../types/objects.ts'
import type { Kind } from '../kind.ts'
import type { Probe, Shown } from '../probe.ts'
import { otherName } from '../samples.ts'
import { facetsOf, matches, namesIn, propertyIn, requiredIn, typesIn } from '../ways.ts'

/** Whether schemas say themselves what becomes of other fields than those that they name. */
const saysOthers = (facet: JsonObject): boolean =>
  ['additionalProperties', 'unevaluatedProperties'].some(
    (keyword) => facet[keyword] !== undefined && facet[keyword] !== false,
  )

/** An object with a field that no schema names, as it arrives. Undefined where it is refused, or
 *  where schemas say that it may be there. */
function withOther(probe: Probe): { readonly shown: Shown; readonly isKept: boolean } | undefined {
  const { subject, place } = probe
  const value = place.base?.value
  const all = place.ways.flatMap(facetsOf)
  const isOfRouter = subject.part === 'params' || subject.part === 'headers'
  if (!isObject(value) || isOfRouter || namesIn(all).length === 0) return undefined
  const name = otherName(all)
  const isNamed = all.some(({ patternProperties }) =>
    Object.keys(Object(patternProperties) as object).some((pattern) => matches(pattern, name)),
  )
  if (isNamed || all.some(saysOthers)) return undefined
  const ran = probe.run({ ...value, [name]: samples.other })
  if (!isObject(ran?.value)) return undefined
  return { shown: probe.reached(ran), isKept: name in ran.value }
}

const samples = { other: 'x' }

export const objects: readonly Kind[] = [
  {
    name: 'open-object',
    sentence: 'A field that no schema names reaches the handler',
    remedy: 'Set strict: true, which refuses it, or additionalProperties: false, which drops it',
    of: 'request',
    probe(probe) {
      const other = withOther(probe)
      return other?.isKept === true ? other.shown : undefined
    },
  },
  {
    name: 'field-dropped',
    sentence: 'A field that no schema names is dropped, and its sender is not told',
    remedy: 'Set strict: true, or the option removeAdditional: false of ajv: the answer is 400',
    of: 'request',
    probe(probe) {
      const other = withOther(probe)
      return other?.isKept === false ? other.shown : undefined
    },
  },
  {
    name: 'required-unnamed',
    sentence: 'A field is required that no schema names, as if its name were misspelt',
    remedy: 'Name it under properties, or take it from the list of required fields',
    of: 'both',
    needsNoValue: true,
    probe(probe) {
      const { place } = probe
      for (const way of place.ways) {
        const facets = facetsOf(way)
        const named = namesIn(facets)
        const isOpen = facets.some((each) => saysOthers(each) || 'patternProperties' in each)
        const name = requiredIn(facets).find((each) => !named.includes(each))
        const value = probe.sample(way, 'least')
        if (isOpen || name === undefined || !isObject(value)) continue
        const { [name]: _unnamed, ...others } = value
        const refused = probe.refusalOf(others)
        if (refused?.refusal.includes(name) === true) return probe.refused(refused, refused.refusal)
      }
      return undefined
    },
  },
  {
    name: 'default-missed',
    sentence: 'A default inside of an object is not filled in where the object is missing',
    remedy: 'Give the object a default too: { default: {} }',
    of: 'request',
    probe(probe) {
      const { place, facets } = probe
      if (place.without === undefined || typesIn(facets)?.includes('object') !== true)
        return undefined
      const name = filledIn(probe, {})
      if (name === undefined) return undefined
      const ran = probe.runWhole(JSON.stringify(place.without()))
      return ran === undefined || ran.value !== undefined ? undefined : probe.reached(ran)
    },
  },
  {
    name: 'patch-filled',
    sentence: 'A PATCH fills in the defaults of fields that it does not send, and resets them',
    remedy: 'Leave the defaults out of the schema of a PATCH',
    of: 'request',
    probe(probe) {
      const { subject, place } = probe
      const value = place.base?.value
      if (subject.method !== 'PATCH' || !subject.part.startsWith('body')) return undefined
      if (!isObject(value)) return undefined
      const names = withDefault(probe)
      const sent = Object.fromEntries(
        Object.entries(value).filter(([name]) => !names.includes(name)),
      )
      const ran = filledIn(probe, sent) === undefined ? undefined : probe.run(sent)
      return ran && probe.reached(ran)
    },
  },
]

/** The names of the fields that have a default. */
const withDefault = ({ place, facets }: Probe): readonly string[] =>
  namesIn(facets).filter((name) =>
    propertyIn(place.base?.way ?? [], name).some(
      ({ node }) => isObject(node) && node['default'] !== undefined,
    ),
  )

/** The name of a field that is missing in an object, and has its default when it arrives. */
function filledIn(probe: Probe, value: JsonObject): string | undefined {
  const names = withDefault(probe)
  const arrived = names.length === 0 ? undefined : probe.run(value)?.value
  if (!isObject(arrived)) return undefined
  return names.find((name) => !(name in value) && arrived[name] !== undefined)
}
