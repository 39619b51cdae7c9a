// What a server keeps: of many requests, of idle connections, and of clients that leave.
//
//   npm run build && node --import tsx bench/speed/scale.ts --parts=growth,idle,leaving --requests=1000000 --connections=10000
//
// `--scenarios` are those of `growth`. `--peers`, `--json=FILE` and `--node=PATH` are as those of `bench:speed`. `--quick`
// takes less than a minute. It ends with status 1 if a server does wrong.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { table } from './figures.ts'
import { choosePeers, prepare, type Stand } from './peers.ts'
import { machine } from './report.ts'
import { measureGrowth } from './scale-growth.ts'
import { checkConnections, measureIdle } from './scale-idle.ts'
import { measureLeaving } from './scale-leaving.ts'
import type { Part, Plan } from './scale-plan.ts'
import { scenarios } from './scenarios.ts'

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'growth,idle,leaving' },
    requests: { type: 'string' },
    connections: { type: 'string' },
    scenarios: { type: 'string' },
    peers: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    node: { type: 'string', default: process.execPath },
  },
})

const quick = { requests: '20000', connections: '500', scenarios: 'S1,S3', peers: 'espalier' }
const full = {
  requests: '1000000',
  connections: '10000',
  scenarios: scenarios.map(({ key }) => key).join(),
  peers: 'espalier,fastify,hand',
}
const preset = values.quick ? quick : full

/** @throws on what is no whole number above 0 */
function readNumber(name: 'requests' | 'connections'): number {
  const value = Number(values[name] ?? preset[name])
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`--${name} takes a whole number above 0, not "${values[name]}"`)
}

/** The items with these names. @throws on a name that none has */
function choose<Item>(option: string, names: string, all: ReadonlyMap<string, Item>): Item[] {
  return names.split(',').map((name) => {
    const item = all.get(name)
    if (item !== undefined) return item
    throw new Error(`--${option}: there is no "${name}", but ${[...all.keys()].join()}`)
  })
}

const measures = new Map<string, (stands: readonly Stand[], plan: Plan) => Promise<Part>>([
  ['growth', measureGrowth],
  ['idle', measureIdle],
  ['leaving', measureLeaving],
])

const byKey = new Map(scenarios.map((scenario) => [scenario.key, scenario]))
const plan: Plan = {
  node: values.node,
  requests: readNumber('requests'),
  portions: values.quick ? 3 : 10,
  warmUp: values.quick ? 1 : 4,
  idleSeconds: values.quick ? 2 : 5,
  connections: readNumber('connections'),
  scenarios: choose('scenarios', values.scenarios ?? preset.scenarios, byKey),
}
const tasks = choose('parts', values.parts, measures)
if (tasks.includes(measureIdle)) checkConnections(plan.connections)
const head = machine(values.node)
const stands = choosePeers(values.peers ?? preset.peers).flatMap(prepare)

const parts: Part[] = []
for (const measure of tasks) parts.push(await measure(stands, plan))
const tables = parts.map(({ head, rows }) => table(head, rows))
console.log([`Node ${head.node}, ${head.processors}.`, ...tables].join('\n\n'))
if (values.json !== undefined) {
  const { requests, connections } = plan
  const all = { ...head, requests, connections, parts }
  writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`)
}
const faults = parts.flatMap((part) => part.faults ?? [])
for (const fault of faults) console.error(`Wrong: ${fault}`)
if (faults.length > 0) process.exitCode = 1
