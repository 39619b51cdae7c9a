// The figures that may not grow: instantiations, which a compiler counts alike on every machine.
import { join } from 'node:path'
import type { Framework } from './application.ts'
import { espalier, espalierResponses } from './frameworks/espalier.ts'
import { withOwnFolder, writeApplication } from './generate.ts'
import { check } from './measure.ts'
import { fixedCost } from './report.ts'

export const budgetFile = join(import.meta.dirname, 'budget.json')

/** On TypeScript 5.9, with 200 routes. */
export interface Budget {
  /** Of a file that imports the framework. */
  readonly fixed: number
  /** For each route. */
  readonly server: number
  /** For each route, with one typed call of it. */
  readonly client: number
}

const usual = 200

/** Measures what the budget is of. */
export function measureBudget(): Budget {
  return withOwnFolder((folder) => ({
    fixed: fixedCost(folder, espalier, '5.9'),
    server: perRoute(folder, false),
    client: perRoute(folder, true),
  }))
}

/** Measures a route with a typed call of it in an application of any size. */
export function measureClient(size: number): number {
  return withOwnFolder((folder) => perRoute(folder, true, size))
}

/** Measures a route of an application whose scope declares a response. */
export function measureResponses(): number {
  return withOwnFolder((folder) => perRoute(folder, false, usual, espalierResponses))
}

function perRoute(
  folder: string,
  client: boolean,
  routes: number = usual,
  framework: Framework = espalier,
): number {
  const [all, none] = [routes, 0].map((size) => {
    const project = writeApplication(folder, framework, { routes: size, client })
    return check('5.9', project).instantiations
  })
  return Math.round((Number(all) - Number(none)) / routes)
}
