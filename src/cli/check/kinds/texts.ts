import type { Kind } from '../kind.ts'
import { openEnds } from '../pattern.ts'
import type { Probe } from '../probe.ts'

const textsIn = ({ facets }: Probe, keyword: string): string[] =>
  facets.flatMap((facet) => (typeof facet[keyword] === 'string' ? [facet[keyword]] : []))

/** Formats that say what a text is for, and that every text has. */
const open = ['password', 'binary', 'unsafe']

/** A text that has none of the formats that there are. */
const wrong = ['\u0000 {(%zz~9', ' (%~{', '(']

export const texts: readonly Kind[] = [
  {
    name: 'loose-pattern',
    sentence: 'A pattern takes other text around what it describes',
    remedy: 'Write ^(?:…)$ for the whole text',
    of: 'request',
    probe(probe) {
      const value = probe.place.base?.value
      if (typeof value !== 'string') return undefined
      for (const pattern of textsIn(probe, 'pattern')) {
        const { start, end } = openEnds(pattern)
        const ran =
          start || end ? probe.run(`${start ? '<' : ''}${value}${end ? '>' : ''}`) : undefined
        if (ran !== undefined) return probe.accepted(ran)
      }
      return undefined
    },
  },
  {
    name: 'format-unchecked',
    sentence: 'A format is not checked by anything',
    remedy: 'Give ajv the format (customOptions: { formats }), or write a pattern',
    of: 'both',
    probe(probe) {
      const { subject, types } = probe
      const [format] = textsIn(probe, 'format')
      // A reply is not validated by default, whatever its format.
      const isUnknown = subject.isReply && !subject.isStrict
      if (format === undefined || isUnknown || open.includes(format)) return undefined
      if (!types.includes('string')) return undefined
      const [first, ...others] = wrong.map((text) => probe.run(text))
      const isChecked = [first, ...others].some((ran) => ran === undefined)
      return first === undefined || isChecked ? undefined : probe.accepted(first)
    },
  },
]
