// What it takes to be there: the boot of large applications, a process from its start to the first byte of an answer,
// and the imports alone.
//
//   npm run build && npm run bench:boot -- --parts=boot,start,import --routes=1000,10000 --contexts=1000 --runs=9
//
// `--peers`, `--json=FILE` and `--node=PATH` are as those of `bench:speed`. Figures are medians of all runs. The runs of
// peers alternate.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkAnswer } from './client.ts'
import { digits, median, ratioOf, table } from './figures.ts'
import { formsOf } from './forms.ts'
import { choosePeers, prepare, type Stand } from './peers.ts'
import { machine } from './report.ts'
import { lastRoute, type OwnSize } from './scenarios.ts'
import { withServer } from './server.ts'

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'boot,start,import' },
    routes: { type: 'string', default: '1000' },
    contexts: { type: 'string', default: '1000' },
    starts: { type: 'string', default: '1,100,1000' },
    runs: { type: 'string', default: '9' },
    peers: { type: 'string' },
    json: { type: 'string' },
    node: { type: 'string', default: process.execPath },
  },
})

/** Names of figures, and the figures of one run. */
type Sample = Readonly<Record<string, number>>

/** What is measured for one table. */
interface Task {
  readonly title: string
  /** What is measured, if it is not each peer once. */
  readonly stands?: () => Promise<readonly Stand[]>
  readonly measure: (stand: Stand) => Promise<Sample>
}

/** One table: medians of each figure for each peer. */
interface Part {
  readonly title: string
  readonly lines: readonly { readonly peer: string; readonly figures: Sample }[]
}

/** @throws on what is no list of whole numbers above 0 */
const sizes = (text: string): number[] =>
  text.split(',').map((part) => {
    const value = Number(part)
    if (Number.isInteger(value) && value > 0) return value
    throw new Error(`--routes, --contexts, --starts, --runs: "${part}" is no whole number above 0`)
  })

/** Measures all peers in turns. */
async function measurePart({ title, stands = async () => peers, measure }: Task): Promise<Part> {
  const samples = new Map<Stand, Sample[]>((await stands()).map((stand) => [stand, []]))
  for (let run = 1; run <= runs; run++) {
    console.error(`${title}: run ${run} of ${runs}…`)
    for (const [stand, own] of samples) own.push(await measure(stand))
  }
  const bases = [...samples].find(([{ title }]) => title === 'Fastify')?.[1] ?? []
  const lines = [...samples].map(([{ title: peer }, own]) => {
    const { ratio } = ratioOf(cpuOf(own), cpuOf(bases))
    return { peer, figures: { ...medians(own), 'CPU to Fastify': ratio } }
  })
  return { title, lines }
}

const cpuOf = (samples: readonly Sample[]) => samples.map((sample) => sample['CPU ms'] ?? NaN)

function medians(samples: readonly Sample[]): Sample {
  const names = Object.keys(samples[0] ?? {})
  return Object.fromEntries(
    names.map((name) => [name, median(samples.map((sample) => sample[name] ?? NaN))]),
  )
}

/** The boot alone, after the imports, then a request to each route. What a boot leaves to requests is seen there. */
const boot = (size: OwnSize) => (stand: Stand) =>
  withServer(stand, { node: values.node, options: size, free: true }, async (server) => {
    const { cpu, time, port } = server.ready
    const heap = await server.ask('heap')
    const before = await server.ask('cpu')
    await checkAnswer(lastRoute(size), port, stand.title)
    const first = (await server.ask('cpu')) - before
    for (const each of smaller(size)) await checkAnswer(lastRoute(each), port, stand.title)
    const all = (await server.ask('cpu')) - before
    return {
      'CPU ms': cpu / 1e3,
      ms: time,
      'heap MB': heap / 1e6,
      'first request, CPU ms': first / 1e3,
      'each route once, CPU ms': all / 1e3,
    }
  })

/** All sizes below one: their last routes are all routes but the last. */
const smaller = ({ routes, contexts }: OwnSize): OwnSize[] =>
  Array.from({ length: Math.max(routes, contexts) - 1 }, (_, before) =>
    routes > 0 ? { routes: before + 1, contexts } : { routes, contexts: before + 1 },
  )

/** From the start of the process to the answer of the last route. */
const start = (size: OwnSize) => (stand: Stand) => {
  const begin = performance.now()
  return withServer(stand, { node: values.node, options: size, free: true }, async (server) => {
    await checkAnswer(lastRoute(size), server.port, stand.title)
    const time = performance.now() - begin
    return { ms: time, 'CPU ms': (await server.ask('cpu')) / 1e3 }
  })
}

/** The peers, each followed by its other forms for an application of this size. */
async function withForms(size: OwnSize): Promise<Stand[]> {
  const all: Stand[] = []
  for (const peer of peers) {
    if (peer.on !== 'workerd') all.push(peer)
    all.push(...(await formsOf(peer, size, values.node)))
  }
  return all
}

/** The imports alone, in a process that has started. */
async function imports({ folder, imports }: Stand): Promise<Sample> {
  const args = [join(folder, 'import.mjs'), ...imports]
  const { stdout, stderr } = spawnSync(values.node, args, { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  const { time, cpu } = JSON.parse(stdout) as Record<'time' | 'cpu', number>
  return { ms: time, 'CPU ms': cpu }
}

/** What can be asked for by `--parts`. */
const parts: Readonly<Record<string, () => Task[]>> = {
  boot: () => [
    ...sizes(values.routes).map((routes) => ({
      title: `boot of ${routes} routes with schemas of their own`,
      measure: boot({ routes, contexts: 0 }),
    })),
    ...sizes(values.contexts).map((contexts) => ({
      title: `boot of ${contexts} contexts`,
      measure: boot({ routes: 0, contexts }),
    })),
  ],
  start: () =>
    sizes(values.starts).map((routes) => ({
      title: `process start to the first answer, ${routes} routes`,
      stands: () => withForms({ routes, contexts: 0 }),
      measure: start({ routes, contexts: 0 }),
    })),
  import: () => [{ title: 'imports alone', measure: imports }],
}

/** @throws on a part that there is not */
const readTasks = (): Task[] =>
  values.parts.split(',').flatMap((name) => {
    const tasks = parts[name]
    if (tasks) return tasks()
    throw new Error(`--parts: there is no "${name}", but ${Object.keys(parts).join()}`)
  })

function tableOf({ title, lines }: Part): string {
  const names = Object.keys(lines[0]?.figures ?? {})
  const rows = lines.map(({ peer, figures }) => [
    peer,
    ...names.map((name) => digits(figures[name], name.endsWith('Fastify') ? 2 : 1)),
  ])
  return table([title, ...names], rows)
}

const tasks = readTasks()
const [runs = 0] = sizes(values.runs)
const head = machine(values.node)
const peers = choosePeers(values.peers).flatMap(prepare)
const measured: Part[] = []
for (const task of tasks) measured.push(await measurePart(task))
const how = `Node ${head.node}, ${head.processors}, medians of ${runs} runs.`
console.log([how, ...measured.map(tableOf)].join('\n\n'))
if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify({ ...head, runs, parts: measured }, null, 2)}\n`)
}
