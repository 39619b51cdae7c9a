// What types cost: generates applications, has them checked, and prints what that takes for each route.
//
//   npm run build && npm run bench:types -- --routes=50,200,800 --compilers=5.9,6,7 --client --peers --runs=3
//
// `--client` measures also with a file of one typed call for each route. `--peers` measures other frameworks too, which
// are installed for the time of the run. `--calls` counts how often functions of the compiler are called, but for that of
// TypeScript 7: of two applications whose times are within their noise it tells which takes more. `--renew` writes the
// figures that the budget test compares with.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { budgetFile, measureBudget } from './budget.ts'
import { espalierEmitted } from './frameworks/emitted.ts'
import { espalier, espalierContract, espalierValues } from './frameworks/espalier.ts'
import { type Size, withOwnFolder } from './generate.ts'
import { type Compiler, compilers, isCompiler } from './measure.ts'
import { withPeers } from './peers.ts'
import { fixedCost, tableHead, tableRow } from './report.ts'
import { measureLines, type Plan, type Stand } from './rounds.ts'

const { values } = parseArgs({
  options: {
    routes: { type: 'string', default: '200' },
    compilers: { type: 'string', default: compilers.join() },
    runs: { type: 'string', default: '3' },
    client: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    calls: { type: 'boolean', default: false },
    renew: { type: 'boolean', default: false },
  },
})

/** @throws on a name that is no compiler, or a number that is none */
function readPlan(): Plan {
  const chosen = values.compilers.split(',').filter(isCompiler)
  const routes = values.routes.split(',').map(Number)
  const runs = Number(values.runs)
  if (chosen.length !== values.compilers.split(',').length) {
    throw new Error(`--compilers takes some of ${compilers.join()}`)
  }
  if (![...routes, runs].every((number) => Number.isInteger(number) && number > 0)) {
    throw new Error('--routes and --runs take whole numbers above 0')
  }
  const variants = values.client ? [false, true] : [false]
  const sizes = variants.flatMap((client) =>
    routes.map((count): Size => ({ routes: count, client })),
  )
  return { compilers: chosen, sizes, runs, calls: values.calls }
}

function fixedCosts(root: string, chosen: readonly Compiler[]): string {
  const costs = chosen.map((each) => `${fixedCost(root, espalier, each)} on ${each}`)
  return `Importing Espalier into an empty file: ${costs.join(', ')} instantiations.`
}

function report(root: string): void {
  const plan = readPlan()
  const own = [espalier, espalierValues, espalierContract, espalierEmitted].map(
    (framework): Stand => ({ framework, folder: root }),
  )
  if (values.peers) withPeers((stands) => show([...own, ...stands], plan))
  else show(own, plan)
  console.log(`\n${fixedCosts(root, plan.compilers)}`)
}

function show(stands: readonly Stand[], plan: Plan): void {
  const lines = measureLines(stands, plan)
  console.log(
    `For each route, less the same application without routes; medians of ${plan.runs}.\n`,
  )
  console.log([tableHead, ...lines.map(tableRow)].join('\n'))
}

if (values.renew) writeFileSync(budgetFile, `${JSON.stringify(measureBudget(), null, 2)}\n`)
else withOwnFolder(report)
