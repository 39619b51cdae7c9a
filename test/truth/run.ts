// Looks for disagreements of documents and their applications: `npm run truth -- [count] [seed]`. Prints the seed of each, which
// repeats it: `npm run truth -- 1 SEED`. Ends with a line `N passed, N failed`, and with status 1 where there is a disagreement.
import { silenced } from '../support/silence.ts'
import { checkSeeds } from './check.ts'

/** How many cases share an application. */
const batch = 20

const [count = 1000, first = 1] = process.argv.slice(2).map((text) => {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0) throw new Error(`${text} is no count and no seed`)
  return number
})
const begin = performance.now()
const failed = new Set<number>()
const all: Record<string, number> = {}
for (let start = first; start < first + count; start += batch) {
  const length = Math.min(batch, first + count - start)
  const seeds = Array.from({ length }, (_, index) => start + index)
  // fast-json-stringify warns of schemas that are loose.
  const [{ findings, figures }] = await silenced(() => checkSeeds(seeds))
  for (const { seed, message } of findings) {
    failed.add(seed)
    console.log(`\nseed ${seed}: ${message}`)
  }
  for (const [name, value] of Object.entries(figures)) all[name] = (all[name] ?? 0) + Number(value)
}
const seconds = ((performance.now() - begin) / 1000).toFixed(1)
console.log(`after ${seconds} s ${JSON.stringify(all)}`)
console.log(`${count - failed.size} passed, ${failed.size} failed`)
process.exitCode = failed.size === 0 && count > 0 ? 0 : 1
