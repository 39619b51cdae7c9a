import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Compiled, compile, type Compiler } from '../../testing/compiler.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { isObject } from '../../types/objects.ts'
import { itemsOf } from '../diff/references.ts'
import { keysProgram, routeProgram } from './programs.ts'

/** What the types of an application cost the compiler. */
export interface Cost {
  /** The version of TypeScript. */
  readonly typescript: string
  /** The module, and all that it imports. */
  readonly application: Figures
  readonly routes: number
  /** Instantiations that the types of all routes add. */
  readonly allRoutes: number
  /** The routes whose types take the compiler longest, by the instantiations that each adds alone;
   *  the dearest first. */
  readonly dearest: readonly RouteCost[]
}

export interface RouteCost {
  readonly route: string
  readonly instantiations: number
}

/** What `tsc --extendedDiagnostics` counts. */
interface Figures {
  readonly instantiations: number
  readonly types: number
  /** In MB. */
  readonly memory: number
  /** In milliseconds. */
  readonly check: number
}

/** How many routes are measured by themselves. Each takes a run of the compiler. */
const named = 3

/** Measures the types of an application. The first run tells the keys of its routes. The second
 *  checks a program for each route, and its trace tells the time of each. The dearest are measured
 *  by themselves: instantiations are the same in each run, and time is not.
 *  @throws UsageError if the module does not compile, or has no server */
export async function costOf(module: string, tsconfig: string, compiler: Compiler): Promise<Cost> {
  const measure = measureWith(module, tsconfig, compiler)
  const { keys, ...application } = await measure([])
  const times = new Map<string, number>()
  const all = await measure(keys, (folder) => readTrace(join(folder, 'trace'), times))
  const timeOf = (index: number): number => times.get(nameOf(index)) ?? 0
  const byTime = keys.map((route, index) => ({ route, time: timeOf(index) }))
  const dearest: RouteCost[] = []
  for (const { route } of byTime.sort((one, other) => other.time - one.time).slice(0, named)) {
    const { instantiations } = await measure([route])
    dearest.push({ route, instantiations: instantiations - application.instantiations })
  }
  dearest.sort((one, other) => other.instantiations - one.instantiations)
  const allRoutes = all.instantiations - application.instantiations
  return { typescript: compiler.version, application, routes: keys.length, allRoutes, dearest }
}

const nameOf = (index: number): string => `route-${index}.mts`

/** Compiles the application with programs for some routes. */
function measureWith(module: string, tsconfig: string, compiler: Compiler) {
  const keysFile = 'keys.mts'
  const isParallel = Number.parseInt(compiler.version, 10) >= 7
  const flags = ['--extendedDiagnostics', ...(isParallel ? ['--singleThreaded'] : [])]
  const options = { noErrorTruncation: true, allowImportingTsExtensions: true }
  return async (routes: readonly string[], look?: (folder: string) => void) => {
    const sources: Record<string, string> = { [keysFile]: keysProgram(resolve(module)) }
    for (const [index, route] of routes.entries()) sources[nameOf(index)] = routeProgram(route)
    const traced = look === undefined ? flags : [...flags, '--generateTrace', 'trace']
    const found = await compile({ compiler, tsconfig, sources, options, flags: traced }, look)
    const other = found.diagnostics.find(({ file }) => file !== keysFile)
    if (other !== undefined) {
      throw new UsageError(
        `'${module}' does not compile: ${other.file ?? ''}:${other.line} ${other.text}`,
        `Correct it: npx tsc -p ${tsconfig}`,
      )
    }
    return { keys: keysIn(found, module), ...figuresIn(found) }
  }
}

/** The keys, which the message of the one mistake has. */
function keysIn({ diagnostics }: Compiled, module: string): string[] {
  const texts = diagnostics.map(({ text }) => text)
  const [, union = ''] = /Type '(.*?)' is not assignable to type '0'/.exec(texts.join('\n')) ?? []
  const keys = [...union.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([text]): unknown => JSON.parse(text))
  if (keys.length > 0) return keys.map(String)
  throw new UsageError(
    `The types of '${module}' show no server with routes`,
    'Export what the last route of a chain gives, or a function `build` that returns it',
  )
}

function figuresIn({ output }: Compiled): Figures {
  const figure = (name: string): number => {
    const [, text = '0'] = new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(output) ?? []
    return Number(text)
  }
  return {
    instantiations: figure('Instantiations'),
    types: figure('Types'),
    memory: Math.round(figure('Memory used') / 1024),
    check: Math.round(figure('Check time') * 1000),
  }
}

/** Adds the microseconds that checking took, by the name of each file. */
function readTrace(folder: string, times: Map<string, number>): void {
  const events: unknown = JSON.parse(readFileSync(join(folder, 'trace.json'), 'utf8'))
  for (const { name, ph, ts, args } of itemsOf(events).filter(isObject)) {
    const path = isObject(args) ? String(args['path']) : ''
    if (name !== 'checkSourceFile' || typeof ts !== 'number') continue
    const file = path.slice(path.lastIndexOf('/') + 1)
    times.set(file, (times.get(file) ?? 0) + (ph === 'E' ? ts : -ts))
  }
}
