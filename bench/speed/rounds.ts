// Loads servers in rounds: each round has every peer of a scenario once, in an order that turns. What else the machine
// does then falls on all of them alike. Figures are compared within a round.
import { setTimeout } from 'node:timers/promises'
import { checkAnswer } from './client.ts'
import { canLoad, load } from './load.ts'
import { type Stand, supports } from './peers.ts'
import type { Scenario } from './scenarios.ts'
import { Server } from './server.ts'

export interface Plan {
  readonly rounds: number
  readonly seconds: number
  readonly node: string
  /** A folder for profiles of the servers. */
  readonly profile?: string
  /** What each server answers before it is measured, besides what it is measured by. A server of an application answers
   *  all of its routes, and V8 optimizes functions by what they have seen. */
  readonly mixed?: readonly Scenario[]
}

/** One peer in one scenario: a figure of each round. */
export interface Line {
  readonly peer: string
  readonly scenario: string
  /** Microseconds of the server's processors for a request, user and system. */
  readonly cpu: number[]
  /** Requests a second. */
  readonly rate: number[]
  /** Bytes of the heap in use after the last round. */
  heap: number
}

/** The name of the file of a profile. */
export const profileOf = ({ peer, scenario }: Pick<Line, 'peer' | 'scenario'>): string =>
  `${scenario}-${peer}.cpuprofile`

/** Without it, old objects are marked while one server boots, and not while another does. If they
 *  are, `process.nextTick` of Node 24 takes up to 4 microseconds more in each later request. */
const unmarked = '--initial-old-space-size=256'

interface Runner extends Line {
  readonly server: Server
}

/** Measures all peers in one scenario. */
export async function measureScenario(
  scenario: Scenario,
  stands: readonly Stand[],
  plan: Plan,
): Promise<Line[]> {
  if (!canLoad(scenario)) return []
  const runners: Runner[] = []
  try {
    for (const stand of stands.filter((each) => supports(each, scenario))) {
      runners.push(await startRunner(stand, scenario, plan))
    }
    for (const { server, peer } of runners) {
      await checkAnswer(scenario, server.port, peer)
      for (const other of plan.mixed?.filter((each) => isBeside(each, scenario)) ?? [])
        await load(other, server.port, 1)
      await load(scenario, server.port, plan.seconds)
    }
    for (let round = 0; round < plan.rounds; round++) {
      console.error(`${scenario.key}: round ${round + 1} of ${plan.rounds}…`)
      const first = round % runners.length
      const turn = [...runners.slice(first), ...runners.slice(0, first)]
      for (const runner of turn) await measureOnce(runner, scenario, plan.seconds)
    }
    // What the last requests used is free a little later.
    await setTimeout(1000)
    for (const runner of runners) runner.heap = await runner.server.ask('heap')
  } finally {
    for (const { server } of runners) await server.stop()
  }
  return runners.map(({ server: _, ...line }) => line)
}

/** Whether a server that was started for one scenario answers another. */
const isBeside = (other: Scenario, { key, server }: Scenario): boolean =>
  other.key !== key && JSON.stringify(other.server) === JSON.stringify(server)

async function startRunner(stand: Stand, scenario: Scenario, plan: Plan): Promise<Runner> {
  const { node, profile } = plan
  const name = profileOf({ peer: stand.name, scenario: scenario.key })
  const profiling = profile
    ? ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${name}`]
    : []
  const flags = [unmarked, ...profiling]
  const options = scenario.server ?? {}
  const server = await Server.start(stand, { node, options, flags })
  return { peer: stand.name, scenario: scenario.key, cpu: [], rate: [], heap: 0, server }
}

async function measureOnce(runner: Runner, scenario: Scenario, seconds: number): Promise<void> {
  const { server } = runner
  const before = await server.ask('cpu')
  const { requests, rate } = await load(scenario, server.port, seconds)
  const spent = (await server.ask('cpu')) - before
  runner.cpu.push(spent / requests)
  runner.rate.push(rate)
}
