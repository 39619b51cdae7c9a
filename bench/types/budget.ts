// The figures that may not grow: instantiations, which a compiler counts alike on every machine.
import { join } from 'node:path'
import type { Framework } from './application.ts'
import { espalierEmitted } from './frameworks/emitted.ts'
import { espalier, espalierResponses } from './frameworks/espalier.ts'
import { withOwnFolder, writeApplication, writeEmpty } from './generate.ts'
import { check } from '../../test/support/compilers.ts'

export const budgetFile = join(import.meta.dirname, 'budget.json')

/** On TypeScript 5.9, with 200 routes. */
export interface Budget {
  /** Of a file that imports the framework. */
  readonly fixed: number
  /** For each route. */
  readonly server: number
  /** For each route, with one typed call of it. */
  readonly client: number
  /** For each typed call through an emitted contract, which is all that a front end has of the application. */
  readonly emitted: number
}

const usual = 200

/** How many types the compiler makes of generic ones for a project. @throws when it has a type error */
export function instantiationsOf(project: string): number {
  const { text, instantiations } = check('typescript-5.9', project)
  if (text !== '') throw new Error(text.slice(0, 2000))
  return instantiations
}

/** Measures what the budget is of. */
export function measureBudget(): Budget {
  return withOwnFolder((folder) => ({
    fixed: instantiationsOf(writeEmpty(folder, espalier)),
    server: perRoute(folder, false),
    client: perRoute(folder, true),
    emitted: perRoute(folder, true, usual, espalierEmitted),
  }))
}

/** Measures a route with a typed call of it in an application of any size. */
export function measureClient(size: number): number {
  return withOwnFolder((folder) => perRoute(folder, true, size))
}

/** Measures a call through an emitted contract of any size. */
export function measureEmitted(size: number): number {
  return withOwnFolder((folder) => perRoute(folder, true, size, espalierEmitted))
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
    return instantiationsOf(project)
  })
  return Math.round((Number(all) - Number(none)) / routes)
}
