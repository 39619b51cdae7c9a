// What a server keeps of requests: its heap, after each portion of very many.
import { checkAnswer } from './client.ts'
import { canLoad, load } from './load.ts'
import { type Stand, supports } from './peers.ts'
import { drained } from './scale-crowd.ts'
import { growthCells, growthHead, growthOf, type Growth, type Point } from './scale-slope.ts'
import type { Part, Plan } from './scale-plan.ts'
import type { Scenario } from './scenarios.ts'
import { type Server, withServer } from './server.ts'

/** Which share of the requests slow scenarios have; others have all. */
const shares: Readonly<Record<string, number>> = { S4: 0.1, stream: 0.1, body: 0.01 }

export async function measureGrowth(stands: readonly Stand[], plan: Plan): Promise<Part> {
  const figures: { peer: string; scenario: string; growth: Growth }[] = []
  const faults: string[] = []
  for (const scenario of plan.scenarios.filter(canLoad)) {
    for (const stand of stands.filter((each) => supports(each, scenario))) {
      console.error(`growth, ${scenario.key}: ${stand.title}…`)
      const launch = { node: plan.node, options: scenario.server ?? {} }
      const measured = withServer(stand, launch, async (server) => {
        await checkAnswer(scenario, server.port, stand.title)
        const growth = await growUnderLoad(server, scenario, plan)
        figures.push({ peer: stand.title, scenario: scenario.key, growth })
      })
      await measured.catch((error: unknown) => {
        faults.push(`${stand.title}, ${scenario.key}: ${String(error)}`)
      })
    }
  }
  const rows = figures.map(({ peer, scenario, growth }) => {
    const requests = `${growth.points.at(-1)?.requests ?? 0}`
    return [scenario, peer, requests, ...growthCells(growth)]
  })
  return {
    title: 'growth',
    head: ['growth', 'peer', 'requests', ...growthHead],
    rows,
    figures,
    faults,
  }
}

/** The generators of load take seconds, not a number of requests: a portion lasts as long as the rate says. */
async function growUnderLoad(server: Server, scenario: Scenario, plan: Plan): Promise<Growth> {
  const total = plan.requests * (shares[scenario.key] ?? 1)
  let { rate } = await load(scenario, server.port, plan.warmUp)
  const points: Point[] = [await pointOf(server, 0)]
  let requests = 0
  for (let portion = 1; portion <= plan.portions; portion++) {
    const wanted = (total * portion) / plan.portions
    do {
      const seconds = Math.ceil((wanted - requests) / rate)
      // Not for long: the rate may have been that of a busy moment.
      const done = await load(scenario, server.port, Math.min(Math.max(seconds, 1), 5))
      requests += done.requests
      rate = done.rate
    } while (requests < wanted)
    points.push(await pointOf(server, requests))
  }
  return growthOf(points)
}

/** The heap, once the connections of the load are gone. */
export async function pointOf(server: Server, requests: number): Promise<Point> {
  const open = await drained(server)
  if (open > 0) throw new Error(`the server keeps ${open} connections that clients have closed`)
  return { requests, heap: await server.ask('heap') }
}
