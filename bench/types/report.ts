// From measures to lines of a table.
import type { Framework } from './application.ts'
import { type Size, writeApplication, writeEmpty } from './generate.ts'
import { check, type Compiler, declarationBytes, type Measure, medianCheck } from './measure.ts'

/** One application on one compiler, less the same without routes, for each route. */
export interface Line extends Measure {
  readonly framework: string
  readonly compiler: Compiler
  readonly size: Size
  readonly bytes: number
}

/** Measures applications of a framework. Gives a line for each size, compiler by compiler. */
export function* measureLines(
  root: string,
  framework: Framework,
  plan: { compilers: readonly Compiler[]; sizes: readonly Size[]; runs: number },
): Generator<Line> {
  for (const compiler of plan.compilers) {
    const bases = new Map<boolean, Sized>()
    const measure = (size: Size) =>
      measureSize(root, framework, { compiler, size, runs: plan.runs })
    for (const size of plan.sizes) {
      const client = size.client === true
      if (client && !framework.client) continue
      const base = bases.get(client) ?? measure({ routes: 0, client })
      bases.set(client, base)
      const line = perRoute(measure(size), base, size.routes)
      yield { framework: framework.name, compiler, size, ...line }
    }
  }
}

type Sized = Measure & { readonly bytes: number }

function measureSize(
  root: string,
  framework: Framework,
  { compiler, size, runs }: { compiler: Compiler; size: Size; runs: number },
): Sized {
  const client = size.client ? ' and as many calls' : ''
  console.error(`${framework.name} on TypeScript ${compiler}: ${size.routes} routes${client}…`)
  const folder = writeApplication(root, framework, size)
  const bytes = declarationBytes(compiler, folder)
  return { ...medianCheck(compiler, folder, runs), bytes }
}

function perRoute(measure: Sized, base: Sized, routes: number): Sized {
  const share = (key: keyof Sized) => (measure[key] - base[key]) / routes
  return {
    instantiations: share('instantiations'),
    cpu: share('cpu'),
    check: share('check'),
    memory: share('memory'),
    bytes: share('bytes'),
  }
}

const heads = ['framework', 'TypeScript', 'routes', 'instantiations', 'CPU ms', 'check ms']
heads.push('memory kB', 'declarations B')
const toRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** The head of a table of markdown. */
export const tableHead = [heads, heads.map((_, index) => (index < 2 ? '---' : '--:'))]
  .map(toRow)
  .join('\n')

/** A line of the table. */
export const tableRow = (line: Line): string => toRow(toCells(line))

function toCells({ framework, compiler, size, ...figures }: Line): string[] {
  const number = (value: number, digits = 0) =>
    Number.isNaN(value)
      ? '–'
      : value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits })
  return [
    `${framework}${size.client ? ' + client' : ''}`,
    compiler,
    number(size.routes),
    number(figures.instantiations),
    number(1000 * figures.cpu, 1),
    number(1000 * figures.check, 1),
    number(1024 * figures.memory),
    number(figures.bytes),
  ]
}

/** The instantiations of a file that only imports the framework. */
export function fixedCost(root: string, framework: Framework, compiler: Compiler): number {
  return check(compiler, writeEmpty(root, framework)).instantiations
}
