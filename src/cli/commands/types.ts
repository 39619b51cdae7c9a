import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { findCompiler } from '../../testing/compiler.ts'
import { UsageError } from '../../errors/usage-error.ts'
import type { Command, Result } from '../command.ts'
import { type Paint, printable, printableJson } from '../terminal.ts'
import { type Cost, costOf } from '../types/cost.ts'

/** A limit, and what was measured. */
interface Limit {
  readonly name: keyof typeof measures
  readonly most: number
  readonly found: number
}

/** What a budget can limit: what is the same in each run of the compiler. */
const measures = {
  instantiations: ({ application }: Cost) => application.instantiations,
  'per-route': ({ dearest }: Cost) => dearest[0]?.instantiations ?? 0,
}

export const types: Command = {
  name: 'types',
  positionals: ['MODULE'],
  summary: 'show what the types of an application cost the compiler, and its dearest routes',
  details: [
    'It compiles the module by the TypeScript of the project, and does not load it. The cost of a',
    'route is what reading all of its types adds: what a caller sends and gets, what the handler',
    'reads. A budget limits the instantiations of the module with its imports, or of one route.',
  ],
  options: {
    budget: { value: 'LIMITS', help: 'instantiations=N, per-route=N, or both with a comma' },
    project: { short: 'p', value: 'FILE', help: 'the tsconfig.json; the nearest one by default' },
    json: { help: 'write it as JSON' },
  },
  async run({ positionals: [module = ''], text, has, paint }): Promise<Result> {
    const budget = readBudget(text('budget') ?? '')
    if (!existsSync(module)) {
      throw new UsageError(`There is no file '${module}'`, 'Name the module of an application')
    }
    const tsconfig = text('project') ?? nearest(dirname(resolve(module)))
    const compiler = findCompiler(dirname(resolve(tsconfig)))
    const cost = await costOf(module, tsconfig, compiler)
    const limits = budget.map(({ name, most }) => ({ name, most, found: measures[name](cost) }))
    const isAbove = limits.some(({ most, found }) => found > most)
    const output = has('json')
      ? printableJson({ ...cost, budget: limits })
      : toText(cost, limits, paint)
    return { output, code: isAbove ? 1 : 0 }
  },
}

/** @throws UsageError */
function readBudget(text: string): Pick<Limit, 'name' | 'most'>[] {
  const parts = text.split(',').filter((part) => part !== '')
  return parts.map((part) => {
    const [, name = '', digits = ''] = /^([a-z-]+)=(\d[\d_]*)$/.exec(part) ?? []
    if (name === 'instantiations' || name === 'per-route') {
      return { name, most: Number(digits.replaceAll('_', '')) }
    }
    const names = Object.keys(measures)
    throw new UsageError(
      `'${part}' is no limit`,
      `Write: --budget ${names.map((each) => `${each}=N`).join(',')}`,
    )
  })
}

function nearest(folder: string): string {
  const file = join(folder, 'tsconfig.json')
  if (existsSync(file)) return relative('', file)
  if (dirname(folder) === folder) {
    throw new UsageError('There is no tsconfig.json', 'Name it: --project FILE')
  }
  return nearest(dirname(folder))
}

function toText(cost: Cost, limits: readonly Limit[], paint: Paint): string {
  const { application, typescript, routes, allRoutes, dearest } = cost
  const { instantiations, types: count, memory, check } = application
  const width = Math.max(...dearest.map(({ route }) => printable(route).length))
  const total = paint('bold', `${number(instantiations)} instantiations`)
  const more = `${number(allRoutes)} more for the types of ${routes} routes`
  return [
    `${total} for the application and what it imports`,
    paint(
      'dim',
      `TypeScript ${typescript}, ${number(count)} types, ${memory} MB, ${number(check)} ms`,
    ),
    '',
    `${more}: ${number(allRoutes / routes)} a route. The dearest:`,
    ...dearest.map(
      ({ route, instantiations: own }) =>
        `  ${printable(route).padEnd(width)}  ${paint('bold', number(own))}`,
    ),
    ...limits.map(({ name, most, found }) => {
      const text = `${name}: ${number(found)}, the budget has ${number(most)}`
      return `\n${found > most ? paint('red', `above the budget: ${text}`) : text}`
    }),
    '',
  ].join('\n')
}

const number = (value: number): string => Math.round(value).toLocaleString('en')
