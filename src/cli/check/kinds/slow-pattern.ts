import { isObject } from '../../../types/objects.ts'
import type { Kind } from '../kind.ts'
import type { Probe, Shown } from '../probe.ts'
import { showInput } from '../subject.ts'

/** `check` of the package recheck, as far as it is used. */
export type Recheck = (pattern: string, flags: string, options: object) => unknown

/** A text that makes a pattern slow: its parts, some of which are repeated. */
interface Attack {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[]
  readonly suffix: string
  readonly isExponential: boolean
}

/** A pattern that needs as many milliseconds for a text is slow. */
const slow = 100
/** How often a part is repeated at most where the time grows with each. */
const mostRepeats = 100
/** How many milliseconds the search for one pattern may take. */
const timeout = 5000
const mostBytes = 200_000

/** Finds patterns whose time grows faster than the text.
 *  @param check undefined where the package is not installed */
export function slowPatterns(check: Recheck | undefined): Kind {
  const known = new Map<string, Attack | undefined>()
  const attackOf = (pattern: string): Attack | undefined => {
    if (!known.has(pattern))
      known.set(pattern, check && readAttack(check(pattern, 'u', { timeout })))
    return known.get(pattern)
  }
  return {
    name: 'slow-pattern',
    sentence: 'A pattern needs a time that explodes with the length of a text',
    remedy: 'Write the pattern so that a text can match it in one way only, or set a maxLength',
    of: 'request',
    probe(probe) {
      for (const { pattern } of probe.facets) {
        const attack = typeof pattern === 'string' ? attackOf(pattern) : undefined
        const shown = attack && run(probe, attack)
        if (shown !== undefined) return shown
      }
      return undefined
    },
  }
}

function readAttack(found: unknown): Attack | undefined {
  const { status, attack, complexity } = isObject(found) ? found : {}
  if (status !== 'vulnerable' || !isObject(attack) || !Array.isArray(attack['pumps']))
    return undefined
  const pumps = (attack['pumps'] as unknown[]).filter(isObject).map(({ prefix, pump }) => ({
    prefix: String(prefix),
    pump: String(pump),
  }))
  const isExponential = isObject(complexity) && complexity['type'] === 'exponential'
  return { pumps, suffix: String(attack['suffix']), isExponential }
}

/** Makes the text longer, until it needs too long. Each step is small, so that it ends soon. */
function run(probe: Probe, { pumps, suffix, isExponential }: Attack): Shown | undefined {
  const { subject } = probe
  // No header has a control character.
  const isSent = (text: string): boolean => subject.part !== 'headers' || !/\p{Cc}/u.test(text)
  for (const end of [suffix, '!', '~'].filter(isSent)) {
    const times: { readonly text: string; readonly length: number; readonly time: number }[] = []
    for (let count = 1; count < mostRepeats * 1e4; count = isExponential ? count + 1 : count * 2) {
      const attack = pumps.map(({ prefix, pump }) => prefix + pump.repeat(count)).join('') + end
      const text = JSON.stringify(probe.place.put(attack))
      if (text.length > Math.min(subject.limit, mostBytes) || !isSent(attack)) break
      if (isExponential && count > mostRepeats) break
      const start = performance.now()
      subject.run(text)
      const time = Math.round(performance.now() - start)
      times.push({ text, length: attack.length, time })
      if (time >= slow) return shownBy(probe, times)
    }
  }
  return undefined
}

function shownBy(
  { subject }: Probe,
  times: readonly { readonly text: string; readonly length: number; readonly time: number }[],
): Shown | undefined {
  const last = times.at(-1)
  const before = times.at(-4) ?? times[0]
  if (last === undefined || before === undefined) return undefined
  return {
    input: showInput(subject, last.text),
    result: `takes ${last.time} ms with ${last.length} characters, and ${before.time} ms with ${before.length}`,
  }
}
