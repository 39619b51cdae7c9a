// From what was measured to JSON and to tables of markdown.
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import type { Count } from './counts.ts'
import { digits, median, type Ratio, ratioOf, table } from './figures.ts'
import type { Peer } from './peers.ts'
import type { Line } from './rounds.ts'
import type { Scenario } from './scenarios.ts'

export interface Figure extends Line {
  readonly toFastify?: Ratio
  readonly toHand?: Ratio
}

/** Adds the ratios to Fastify and to the server by hand, where these were measured. */
export function withRatios(lines: readonly Line[]): Figure[] {
  const ratioTo = (line: Line, name: string) => {
    const base = lines.find(({ peer, scenario }) => peer === name && scenario === line.scenario)
    return base && ratioOf(line.cpu, base.cpu)
  }
  return lines.map((line) => {
    const [toFastify, toHand] = [ratioTo(line, 'fastify'), ratioTo(line, 'hand')]
    return { ...line, ...(toFastify && { toFastify }), ...(toHand && { toHand }) }
  })
}

/** What the figures are measured on. @throws when the program of Node cannot be run */
export function machine(node: string) {
  const { error, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (error) throw new Error(`--node: "${node}" cannot be run: ${error.message}`)
  const processors = `${cpus().length} × ${cpus()[0]?.model.trim()}`
  return { node: stdout.trim(), processors, date: new Date().toISOString() }
}

export type Axes = { readonly peers: readonly Peer[]; readonly scenarios: readonly Scenario[] }

type Cell<Item> = (item: Item) => string
type Keyed = { readonly peer: string; readonly scenario: string }

/** A table with a row for each peer and a column for each scenario. */
function grid<Item extends Keyed>(axes: Axes, items: readonly Item[], cell: Cell<Item>): string {
  const scenarios = axes.scenarios.filter(({ key }) => items.some((item) => item.scenario === key))
  const rows = axes.peers.map(({ name, title }) => {
    const cells = scenarios.map(({ key }) => {
      const item = items.find(({ peer, scenario }) => peer === name && scenario === key)
      return item ? cell(item) : ''
    })
    return [title, ...cells]
  })
  return table(['', ...scenarios.map(({ key }) => key)], rows)
}

const ratioText = (ratio: Ratio | undefined) =>
  ratio ? `${digits(ratio.ratio, 2)} ±${digits(ratio.spread, 2).replace('0.', '.')}` : '–'

/** The tables of servers under load. */
export function loadTables(axes: Axes, figures: readonly Figure[]): string {
  return `Processor time of the server for a request, as a ratio to Fastify:

${grid(axes, figures, ({ toFastify }) => ratioText(toFastify))}

The same as a ratio to the server by hand:

${grid(axes, figures, ({ toHand }) => ratioText(toHand))}

The same in microseconds, medians:

${grid(axes, figures, ({ cpu }) => digits(median(cpu), 1))}

The least of all rounds, in microseconds. Other programs of the machine can only add to it:

${grid(axes, figures, ({ cpu }) => digits(Math.min(...cpu), 1))}

Requests a second, medians:

${grid(axes, figures, ({ rate }) => digits(median(rate)))}

Heap in use after the load, MB:

${grid(axes, figures, ({ heap }) => digits(heap / 1e6, 1))}`
}

/** The tables of counts. */
export function countTables(axes: Axes, counts: readonly Count[]): string {
  return `Bytes that are allocated on the heap for a request:

${grid(axes, counts, ({ bytes }) => digits(bytes))}

Promises that are made for a request:

${grid(axes, counts, ({ promises }) => digits(promises, 1))}`
}

/** What the keys of scenarios mean. */
export const legend = (scenarios: readonly Scenario[]): string =>
  scenarios.map(({ key, title }) => `- ${key}: ${title}`).join('\n')
