// What a server keeps of idle connections, and what they cost it.
import { spawnSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { openClient } from './client.ts'
import { digits, median } from './figures.ts'
import type { Stand } from './peers.ts'
import { type Crowd, drained, withCrowd } from './scale-crowd.ts'
import { kinds } from './scale-mix.ts'
import type { Part, Plan } from './scale-plan.ts'
import { type Server, withServer } from './server.ts'

/** Longer than the measurement. Frameworks of today keep idle connections for 72 s. */
const options = { keepAliveTimeout: 72_000 }
/** Linux has about 28,000 ports for the connections of one address. */
const mostConnections = 28_000

/** @throws when the system does not allow so many connections */
export function checkConnections(connections: number): void {
  if (connections > mostConnections) {
    throw new Error(`--connections: at most ${mostConnections} fit the ports of one address`)
  }
  // Node raises its own limit to the hard one.
  const limit = Number(spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout)
  const wanted = connections + 200
  if (!(limit < wanted)) return
  throw new Error(
    `--connections=${connections} takes ${wanted} open files in a process, and the limit is ${limit}: ` +
      `raise it (ulimit -Hn ${wanted}), or ask for fewer connections`,
  )
}

export async function measureIdle(stands: readonly Stand[], plan: Plan): Promise<Part> {
  const figures: (Idle & { peer: string })[] = []
  for (const stand of stands) {
    console.error(`idle: ${stand.title}…`)
    const idle = await withServer(stand, { node: plan.node, options }, (server) =>
      withCrowd((crowd) => measureOne(server, crowd, plan)),
    )
    figures.push({ peer: stand.title, ...idle })
  }
  const names = Object.keys(columns) as (keyof Idle)[]
  const rows = figures.map((figure) => [
    figure.peer,
    ...names.map((name) => digits(figure[name], columns[name][1])),
  ])
  const head = [`${plan.connections} idle connections`, ...names.map((name) => columns[name][0])]
  const faults = figures.flatMap(({ peer, lost, kept }) => [
    ...(lost > 0 ? [`${peer} closed ${lost} idle connections while they were measured`] : []),
    ...(kept > 0 ? [`${peer} keeps ${kept} connections that clients have closed`] : []),
  ])
  return { title: 'idle', head, rows, figures, faults }
}

/** Names of columns, and digits behind the point. */
const columns = {
  heapEach: ['heap each, bytes', 0],
  rssEach: ['resident memory each, bytes', 0],
  cpu: ['CPU in a second, ms', 2],
  aloneMs: ['a request on a new connection before, ms', 2],
  amongMs: ['the same meanwhile, ms', 2],
  heapBefore: ['heap before, MB', 2],
  heapAfter: ['heap after all are closed, MB', 2],
  lost: ['closed by the server', 0],
  kept: ['still open at the end', 0],
} as const

type Idle = Record<keyof typeof columns, number>

async function measureOne(server: Server, crowd: Crowd, plan: Plan): Promise<Idle> {
  const { port } = server
  const { connections, idleSeconds } = plan
  await crowd.do('warm', port, 4_000)
  const aloneMs = await timeOfRequest(port)
  await drained(server)
  const [heapBefore, rssBefore] = [await server.ask('heap'), await server.ask('rss')]
  await crowd.do('open', port, connections)
  const [heap, rss] = [await server.ask('heap'), await server.ask('rss')]
  const cpuBefore = await server.ask('cpu')
  await wait(idleSeconds * 1000)
  const cpu = (await server.ask('cpu')) - cpuBefore
  const amongMs = await timeOfRequest(port)
  const lost = await crowd.do('lost')
  await crowd.do('close')
  const kept = await drained(server)
  return {
    heapEach: (heap - heapBefore) / connections,
    rssEach: (rss - rssBefore) / connections,
    cpu: cpu / 1e3 / idleSeconds,
    aloneMs,
    amongMs,
    heapBefore: heapBefore / 1e6,
    heapAfter: (await server.ask('heap')) / 1e6,
    lost,
    kept,
  }
}

/** The median time of a request, each on a new connection. */
async function timeOfRequest(port: number): Promise<number> {
  const scenario = kinds[0]?.scenario
  const times: number[] = []
  while (scenario && times.length < 300) {
    const begin = performance.now()
    const client = openClient(scenario, port)
    await client.send()
    times.push(performance.now() - begin)
    client.close()
  }
  return median(times)
}
