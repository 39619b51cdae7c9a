// What a request costs a server: processor time under load, or what is allocated for it.
//
//   npm run build && npm run bench:speed -- --rounds=7 --seconds=2 --scenarios=S1,S3 --peers=espalier,fastify,hand
//
// `--quick` takes less than a minute. `--counts` counts allocations and promises, and loads nothing. `--json=FILE` writes
// all figures. `--node=PATH` starts the servers with another Node. `--profile=FOLDER` writes profiles of the servers, and
// prints which functions took most time. `--mixed` lets each server answer all scenarios before it is measured.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { count, type Count } from './counts.ts'
import { choosePeers, prepare } from './peers.ts'
import { topOf } from './profile.ts'
import { countTables, legend, loadTables, machine, withRatios } from './report.ts'
import { type Line, measureScenario, type Plan, profileOf } from './rounds.ts'
import { type Scenario, scenarios } from './scenarios.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    scenarios: { type: 'string' },
    peers: { type: 'string' },
    quick: { type: 'boolean', default: false },
    counts: { type: 'boolean', default: false },
    json: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    profile: { type: 'string' },
    mixed: { type: 'boolean', default: false },
  },
})

const quick = {
  rounds: '2',
  seconds: '1',
  scenarios: 'S1,S3,S6b,S7',
  peers: 'espalier,hand,fastify',
}
const full = { rounds: '7', seconds: '2', scenarios: undefined, peers: undefined }
const preset = values.quick ? quick : full

/** @throws on what is no whole number above 0 */
function readNumber(name: 'rounds' | 'seconds'): number {
  const value = Number(values[name] ?? preset[name])
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`--${name} takes a whole number above 0, not "${values[name]}"`)
}

/** @throws on a key that no scenario has */
function chooseScenarios(): readonly Scenario[] {
  const keys = (values.scenarios ?? preset.scenarios)?.split(',')
  return keys
    ? keys.map((key) => {
        const scenario = scenarios.find((each) => each.key === key)
        if (scenario) return scenario
        const all = scenarios.map((each) => each.key).join()
        throw new Error(`--scenarios: there is no "${key}", but ${all}`)
      })
    : scenarios
}

function readPlan(): Plan {
  const { node, profile, mixed } = values
  return {
    rounds: readNumber('rounds'),
    seconds: readNumber('seconds'),
    node,
    ...(profile !== undefined && { profile: resolve(profile) }),
    ...(mixed && { mixed: scenarios }),
  }
}

const plan = readPlan()
const chosen = chooseScenarios()
const head = machine(values.node)
const stands = choosePeers(values.peers ?? preset.peers).flatMap(prepare)
const axes = { peers: stands, scenarios: chosen }

async function measureAll(): Promise<Line[]> {
  const lines: Line[] = []
  for (const scenario of chosen) lines.push(...(await measureScenario(scenario, stands, plan)))
  return lines
}

async function countAll(): Promise<Count[]> {
  const pairs = chosen.flatMap((scenario) => stands.map((stand) => [stand, scenario] as const))
  const counts: Count[] = []
  for (const [stand, scenario] of pairs) counts.push(...(await count(stand, scenario, plan.node)))
  return counts
}

function print(tables: string, figures: object): void {
  const { rounds, seconds } = plan
  const how = values.counts ? '' : `, ${rounds} rounds of ${seconds} s`
  console.log(`Node ${head.node}, ${head.processors}${how}.\n\n${tables}\n\n${legend(chosen)}`)
  if (values.json === undefined) return
  writeFileSync(
    values.json,
    `${JSON.stringify({ ...head, rounds, seconds, ...figures }, null, 2)}\n`,
  )
}

if (values.counts) {
  const counts = await countAll()
  print(countTables(axes, counts), { counts })
} else {
  const lines = withRatios(await measureAll())
  print(loadTables(axes, lines), { lines })
  const { profile } = plan
  if (profile) for (const line of lines) console.log(`\n${topOf(join(profile, profileOf(line)))}`)
}
