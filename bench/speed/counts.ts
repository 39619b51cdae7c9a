// Counts what does not depend on the machine: bytes that are allocated for a request, and promises that are made.
import { checkAnswer, openClient } from './client.ts'
import { type Stand, supports } from './peers.ts'
import type { Scenario } from './scenarios.ts'
import { type Server, withServer } from './server.ts'

export interface Count {
  readonly peer: string
  readonly scenario: string
  /** On the heap, for a request. What lies outside of it, as buffers do, is not in it. */
  readonly bytes: number
  /** For a request. Each await counts as one too. */
  readonly promises: number
}

/** Requests before those that are counted, for the compiler of Node to be done with the code. */
const warmUp = 3000
const usual = 1000

/** V8 compiles at the same moments in each run, and the heap has room enough that nothing is collected. */
const steady = ['--predictable', '--min-semi-space-size=1024', '--max-semi-space-size=1024']

/** Counts for one peer in one scenario; nothing where it has no feature for it. */
export async function count(stand: Stand, scenario: Scenario, node: string): Promise<Count[]> {
  if (!supports(stand, scenario)) return []
  console.error(`${scenario.key}: ${stand.title}…`)
  const options = scenario.server ?? {}
  const bytes = await withServer(stand, { node, options, flags: steady }, (server) =>
    countBytes(stand, scenario, server),
  )
  const counting = { node, options: { ...options, promises: true } }
  const promises = await withServer(stand, counting, async (server) => {
    const asked = 100
    await send(scenario, server, asked)
    const before = await server.ask('promises')
    await send(scenario, server, asked)
    return ((await server.ask('promises')) - before) / asked
  })
  return [{ peer: stand.name, scenario: scenario.key, bytes, promises }]
}

async function countBytes(stand: Stand, scenario: Scenario, server: Server): Promise<number> {
  const { counted = usual } = scenario
  await checkAnswer(scenario, server.port, stand.title)
  await send(scenario, server, Math.min(warmUp, 30 * counted))
  await server.ask('heap')
  await server.ask('watchCollector')
  const before = await server.ask('used')
  await send(scenario, server, counted)
  const bytes = ((await server.ask('used')) - before) / counted
  // What was collected is not seen.
  return (await server.ask('collections')) === 0 ? bytes : NaN
}

async function send(scenario: Scenario, server: Server, times: number): Promise<void> {
  const client = openClient(scenario, server.port)
  for (let sent = 0; sent < times; sent++) await client.send()
  client.close()
}
