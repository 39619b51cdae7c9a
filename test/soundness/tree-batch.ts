// One batch of trees: each is run, and asked what is there; the compiler is asked what the types show, in one call.
import espalier, { plugin, shared, t } from '../../src/index.ts'
import type { UntypedServer } from '../support/untyped.ts'
import { transpile } from './compiler.ts'
import { Program, type Broken } from './program.ts'
import {
  questions,
  statusOf,
  writeTree,
  type Line,
  type Probe,
  type TreeProgram,
} from './tree-program.ts'
import { names } from './scope.ts'
import { makeTree, type Kind } from './trees.ts'

export interface TreeFigures {
  readonly trees: number
  readonly probes: number
  /** Probes of which is claimed that their type shows exactly what is there. */
  readonly exact: number
  readonly claims: number
}

export interface TreeResult {
  readonly broken: readonly Broken[]
  readonly figures: TreeFigures
}

/** What is there where a probe ran: names by kind. */
type Sight = Readonly<Record<Kind, ReadonlySet<string>>>

/** Checks the trees of some seeds. */
export async function checkTrees(seeds: readonly number[]): Promise<TreeResult> {
  const program = new Program()
  const starts: [line: number, seed: number][] = []
  const broken: Broken[] = []
  let [probes, exact] = [0, 0]
  for (const seed of seeds) {
    const tree = writeTree(makeTree(seed))
    probes += tree.probes.length
    exact += tree.probes.filter(isExact).length
    const sights = await run(tree).catch((error: unknown) => String(error))
    if (typeof sights === 'string') {
      broken.push({ seed, about: textOf(tree.lines), message: sights })
      continue
    }
    const missing = tree.probes.filter(({ id }) => !sights.has(id))
    for (const { id } of missing)
      broken.push({ seed, about: textOf(tree.lines), message: `probe ${id} did not run` })
    starts.push([declare(program, tree, sights, seed), seed])
  }
  const seedAt = (line: number) => starts.findLast(([start]) => start <= line)?.[1] ?? -1
  broken.push(...program.check(seedAt))
  return { broken, figures: { trees: seeds.length, probes, exact, claims: program.size } }
}

/** Whether nothing was declared for its scope after it, and it is told all there is. */
const isExact = ({ scope, age, isPartial }: Probe) =>
  scope.age === age && !isPartial && !scope.isPartial

const textOf = (lines: readonly Line[]) =>
  lines.filter((line) => typeof line === 'string').join('\n')

const parameters = ['espalier', 'shared', 'plugin', 't', 'observe']

/** Runs a tree, and gives what each probe saw. */
async function run(tree: TreeProgram): Promise<Map<number, Sight>> {
  const sights = new Map<number, Sight>()
  let current: Probe | undefined
  const observe = (id: number, request: { server: UntypedServer }, reply: SeenReply): string => {
    // A hook sees other requests too, whose scopes have more.
    if (tree.probes[id]?.scope === current?.scope) sights.set(id, look(request, reply))
    return 'seen'
  }
  const code = transpile(`return ${textOf(tree.lines)}`)
  const app = new Function(...parameters, code)(
    espalier,
    shared,
    plugin,
    t,
    observe,
  ) as UntypedServer
  await app.ready()
  for (const probe of tree.probes.filter(({ isHook }) => !isHook)) {
    current = probe
    const { statusCode, payload } = await app.inject(probe.url)
    if (statusCode !== 200)
      throw new Error(`${probe.url} was answered by ${statusCode}: ${payload}`)
  }
  await app.close()
  return sights
}

interface SeenReply {
  getSerializationFunction(status: number): unknown
}

function look(request: { server: UntypedServer }, reply: SeenReply): Sight {
  const isAnswered = (name: string) => reply.getSerializationFunction(Number(statusOf(name)))
  const answers = names.response.filter((name) => isAnswered(name) !== undefined)
  const holders = {
    server: request.server,
    request,
    reply,
    schema: request.server.getSchemas(),
    response: Object.fromEntries(answers.map((name) => [name, 1])),
  }
  const seen = (kind: Kind) =>
    new Set(
      questions
        .filter(([of, name]) => of === kind && name in holders[kind])
        .map(([, name]) => name),
    )
  return {
    server: seen('server'),
    request: seen('request'),
    reply: seen('reply'),
    schema: seen('schema'),
    response: seen('response'),
  }
}

/** Writes a tree with its claims: what is not there is not shown, and what is there is, but for what was declared late. */
function declare(
  program: Program,
  { lines }: TreeProgram,
  sights: ReadonlyMap<number, Sight>,
  seed: number,
): number {
  const start = program.declare(
    `{ const observe = (_probe: number, _request: object, _reply: object): string => 'seen'`,
  )
  program.declare('const app =')
  for (const line of lines) {
    if (typeof line === 'string') {
      program.declare(line)
      continue
    }
    const sight = sights.get(line.id)
    if (sight === undefined) continue
    for (const [kind, name, type] of questions) {
      const isThere = sight[kind].has(name)
      if (isThere && !isExact(line)) continue
      const about = `${kind} '${name}' ${isThere ? 'is' : 'is not'} there at probe ${line.id} of\n${textOf(lines)}`
      program.claim({ test: `Has<${type}, '${name}'>`, holds: isThere, about, seed })
    }
  }
  program.declare('void app; void observe }')
  return start
}
