// Looks for disagreements of types and run time: `npm run soundness -- [--cases N] [--trees N] [--seed N]`. Without a number
// of trees there is one for each ten cases. Prints the seed of each disagreement, which repeats it: `--seed N --cases 1 --trees 0`,
// or `--cases 0 --trees 1`. Ends with a line `N passed, N failed`, and with status 1 where there is a disagreement.
import { silenced } from '../support/silence.ts'
import { checkSchemas } from './batch.ts'
import type { Broken } from './program.ts'
import { checkTrees } from './tree-batch.ts'

/** How many cases are checked in one call of the compiler. */
const batch = { schemas: 300, trees: 60 }

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`)
  if (at < 0) return otherwise
  const value = Number(process.argv[at + 1])
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} takes a number`)
  return value
}

const first = option('seed', 1)
const cases = option('cases', 1000)
const trees = option('trees', Math.ceil(cases / 10))
const begin = performance.now()
const failed = new Set<string>()

interface Outcome {
  readonly broken: readonly Broken[]
  readonly figures: object
}

async function check(
  what: string,
  seeds: readonly number[],
  ask: (seeds: readonly number[]) => Promise<Outcome>,
): Promise<void> {
  const { broken, figures } = await ask(seeds)
  for (const { seed, about, message } of broken) {
    failed.add(`${what} ${seed}`)
    console.log(`\n${what}, seed ${seed}: ${about}\n  ${message}`)
  }
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(
    `${what} ${seeds[0]} to ${seeds.at(-1)}: ${broken.length} disagreements after ${seconds} s ${JSON.stringify(figures)}`,
  )
}

async function checkAll(
  what: 'schemas' | 'trees',
  count: number,
  ask: (seeds: readonly number[]) => Promise<Outcome>,
): Promise<void> {
  for (let start = first; start < first + count; start += batch[what]) {
    const length = Math.min(batch[what], first + count - start)
    await check(
      what,
      Array.from({ length }, (_, index) => start + index),
      ask,
    )
  }
}

// fast-json-stringify warns of schemas that are loose.
await checkAll('schemas', cases, async (seeds) => (await silenced(() => checkSchemas(seeds)))[0])
await checkAll('trees', trees, checkTrees)

console.log(`${cases + trees - failed.size} passed, ${failed.size} failed`)
process.exitCode = failed.size === 0 && cases + trees > 0 ? 0 : 1
