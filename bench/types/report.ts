// From lines to a table of markdown.
import type { Framework } from './application.ts'
import { writeEmpty } from './generate.ts'
import { check, type Compiler } from './measure.ts'
import type { Line } from './rounds.ts'

const heads = ['framework', 'TypeScript', 'routes', 'instantiations', 'CPU ms', 'check ms']
heads.push('memory kB', 'declarations B', 'calls')
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
    number(figures.calls),
  ]
}

/** The instantiations of a file that only imports the framework. */
export function fixedCost(root: string, framework: Framework, compiler: Compiler): number {
  return check(compiler, writeEmpty(root, framework)).instantiations
}
