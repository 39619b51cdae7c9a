import type { Kind } from '../kind.ts'
import type { Probe } from '../probe.ts'

const strict = 'Set strict: true: the client gets a 500, and the log says which value is wrong'

function rewriting(
  name: string,
  sentence: string,
  values: (probe: Probe) => readonly unknown[],
): Kind {
  return {
    name,
    sentence,
    remedy: strict,
    of: 'reply',
    probe: (probe) => probe.firstChanged(values(probe)),
  }
}

const whereTyped =
  (types: readonly string[], values: readonly unknown[]) =>
  ({ place, types: own }: Probe): readonly unknown[] => {
    if (!own.some((type) => types.includes(type))) return []
    // A whole reply that is text or nothing is not written by the serializer.
    const isWhole = place.keys.length === 0
    if (isWhole && own.includes('string')) return []
    return values.filter((value) => !isWhole || (value !== null && typeof value !== 'string'))
  }

export const replies: readonly Kind[] = [
  rewriting(
    'integer-rewritten',
    'A reply has another integer than the handler gave',
    whereTyped(['integer'], [199.9, '7', null, true]),
  ),
  rewriting(
    'number-rewritten',
    'A reply has another number than the handler gave',
    whereTyped(['number'], ['7', null, true]),
  ),
  rewriting(
    'boolean-rewritten',
    'A reply has another boolean than the handler gave',
    whereTyped(['boolean'], ['false', null, 1]),
  ),
  rewriting(
    'text-rewritten',
    'A reply has text in the place of another value',
    whereTyped(['string'], [null, 7, {}, false]),
  ),
  rewriting(
    'object-rewritten',
    'A reply has an object or a list in the place of another value',
    whereTyped(['object', 'array'], [null, 7, 'x']),
  ),
  rewriting(
    'const-rewritten',
    'A reply has a constant in the place of the value that the handler gave',
    ({ facets }) => {
      const known = facets.find((facet) => 'const' in facet)
      return known === undefined ? [] : [typeof known['const'] === 'number' ? 0.5 : 'other']
    },
  ),
]
