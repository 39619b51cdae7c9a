// Measures applications in turns: each round checks every application once. What else a machine does then falls on all
// of them alike, which it does not where one framework is measured minutes after another.
import { join } from 'node:path'
import type { Framework } from './application.ts'
import { type Size, writeApplication } from './generate.ts'
import { check, type Compiler, declarationBytes, functionCalls, type Measure } from './measure.ts'

/** What is measured, and how often. */
export interface Plan {
  readonly compilers: readonly Compiler[]
  readonly sizes: readonly Size[]
  readonly runs: number
  /** Whether calls of the compiler's functions are counted. */
  readonly calls: boolean
}

/** A framework, and a folder in which it can be imported. */
export interface Stand {
  readonly framework: Framework
  readonly folder: string
}

/** One application on one compiler, less the same without routes, for each route. */
export interface Line extends Measure {
  readonly framework: string
  readonly compiler: Compiler
  readonly size: Size
  readonly bytes: number
  /** Of the compiler's functions; NaN where they are not counted. */
  readonly calls: number
}

/** One application that was written, and what each round said of it. */
interface Application {
  readonly framework: string
  readonly compiler: Compiler
  readonly size: Size
  readonly folder: string
  readonly bytes: number
  readonly calls: number
  readonly measures: Measure[]
}

/** Measures applications of all frameworks. Gives a line for each size, framework by framework. One whose application
 *  does not compile is said so and left. */
export function measureLines(stands: readonly Stand[], plan: Plan): Line[] {
  const applications = stands.flatMap((stand) => written(stand, plan))
  for (let round = 1; round <= plan.runs; round++) {
    console.error(`round ${round} of ${plan.runs}: ${applications.length} applications…`)
    for (const { compiler, folder, measures } of applications) {
      measures.push(check(compiler, folder))
    }
  }
  return applications
    .filter(({ size }) => size.routes > 0)
    .map((application) => toLine(application, applications))
}

/** The applications of a framework, those without routes among them. */
function written(stand: Stand, { compilers, sizes, calls }: Plan): Application[] {
  const { framework } = stand
  console.error(`${framework.name} is written…`)
  const own = sizes.filter(({ client }) => !client || framework.client)
  const bases = [...new Set(own.map(({ client }) => client === true))]
  const all = [...bases.map((client): Size => ({ routes: 0, client })), ...own]
  try {
    return compilers.flatMap((compiler) =>
      all.map((size) => writeOne(stand, compiler, size, calls)),
    )
  } catch (error) {
    console.error(`${framework.name} is skipped: ${error instanceof Error ? error.message : error}`)
    return []
  }
}

/** @throws when it has a type error */
function writeOne(
  { framework, folder: root }: Stand,
  compiler: Compiler,
  size: Size,
  counted: boolean,
): Application {
  const own = join(root, framework.name.replaceAll(/\W+/g, '-'))
  const folder = writeApplication(own, framework, size)
  const bytes = declarationBytes(compiler, folder)
  const calls = counted ? functionCalls(compiler, folder) : NaN
  return { framework: framework.name, compiler, size, folder, bytes, calls, measures: [] }
}

function toLine(application: Application, all: readonly Application[]): Line {
  const { framework, compiler, size } = application
  const base = all.find(
    (other) =>
      other.framework === framework &&
      other.compiler === compiler &&
      other.size.routes === 0 &&
      other.size.client === (size.client === true),
  )
  if (!base) throw new Error(`${framework} was not measured without routes`)
  const share = (of: (application: Application) => number) =>
    (of(application) - of(base)) / size.routes
  return {
    framework,
    compiler,
    size,
    instantiations: share((each) => median(each, 'instantiations')),
    cpu: share((each) => median(each, 'cpu')),
    check: share((each) => median(each, 'check')),
    memory: share((each) => median(each, 'memory')),
    bytes: share((each) => each.bytes),
    calls: share((each) => each.calls),
  }
}

function median({ measures }: Application, key: keyof Measure): number {
  const sorted = measures.map((measure) => measure[key]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}
