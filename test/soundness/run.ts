// Looks for disagreements of types and run time: `npm run soundness -- [--cases N] [--seed N]`.
// Prints the seed of each; `--seed N --cases 1` repeats it alone. Ends with status 1 where there is one.
import { silenced } from '../support/silence.ts'
import { checkSchemas } from './batch.ts'

const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}
const cases = option('cases', 1000)
const first = option('seed', 1)
const size = option('batch', 300)

let failed = 0
const since = performance.now()
for (let start = first; start < first + cases; start += size) {
  const seeds = Array.from({ length: Math.min(size, first + cases - start) }, (_, index) => start + index)
  // fast-json-stringify warns of schemas that are loose.
  const [{ broken, figures }] = await silenced(() => checkSchemas(seeds))
  for (const { seed, about, message } of broken) {
    failed++
    console.log(`\nseed ${seed}: ${about}\n  ${message}`)
  }
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  console.log(`seeds ${start}–${start + seeds.length - 1}: ${JSON.stringify(figures)}, ${failed} disagreements, ${seconds} s`)
}
process.exitCode = failed === 0 ? 0 : 1
