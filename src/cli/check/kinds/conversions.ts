import type { Kind } from '../kind.ts'
import type { Probe, Shown } from '../probe.ts'
import { showInput } from '../subject.ts'

const strict = 'Set strict: true, for the server, a plugin or the route: it answers 400'

const scalars = ['number', 'integer', 'boolean', 'string', 'null']

/** A kind of conversion in JSON. What comes as text has to be converted. */
function conversion(
  name: string,
  sentence: string,
  remedy: string,
  values: (probe: Probe) => readonly unknown[],
): Kind {
  const probe = (each: Probe): Shown | undefined =>
    each.subject.isText ? undefined : each.firstChanged(values(each))
  return { name, sentence, remedy, of: 'request', probe }
}

const isScalar = ({ types }: Probe): boolean => types.some((type) => scalars.includes(type))

export const conversions: readonly Kind[] = [
  conversion(
    'null-converted',
    'Null in a JSON body becomes another value',
    `${strict}. Where null means something, say so: t.Union([schema, t.Null()])`,
    () => [null],
  ),
  conversion(
    'text-converted',
    'Text in a JSON body becomes a number, a boolean or null',
    strict,
    ({ types, place }) => [
      ...(types.includes('number') || types.includes('integer') ? [String(place.base?.value)] : []),
      ...(types.includes('boolean') ? ['true'] : []),
      ...(types.includes('null') ? [''] : []),
    ],
  ),
  conversion(
    'number-converted',
    'A number in a JSON body becomes text or a boolean',
    strict,
    (probe) => (isScalar(probe) ? [1, 0] : []),
  ),
  conversion(
    'boolean-converted',
    'A boolean in a JSON body becomes text or a number',
    strict,
    (probe) => (isScalar(probe) ? [true, false] : []),
  ),
  conversion(
    'list-converted',
    'A value in a JSON body becomes a list of one, or such a list becomes its item',
    strict,
    ({ place: { base } }) => {
      const value = base?.value
      if (typeof value !== 'object') return [[value]]
      return Array.isArray(value) && value.length === 1 ? [...(value as unknown[])] : []
    },
  ),
  {
    name: 'long-number',
    sentence: 'An integer beyond 2^53 - 1 is rounded',
    remedy: 'Set strict: true, give it a maximum, or take it as text or by t.BigInt()',
    of: 'request',
    probe(probe) {
      const { subject, place, types } = probe
      if (!types.includes('integer')) return undefined
      const sent = '9007199254740993'
      const mark = '\u0000long'
      const quoted = JSON.stringify(place.put(mark))
      const text = quoted.replace(JSON.stringify(mark), subject.isText ? `"${sent}"` : sent)
      const ran = probe.runWhole(text)
      if (ran === undefined || typeof ran.value !== 'number') return undefined
      // JSON.parse has rounded it already, so the text that came is compared.
      if (BigInt(ran.value) === BigInt(sent)) return undefined
      return { ...probe.reached(ran), input: showInput(subject, text) }
    },
  },
]
