// Very many requests, one in a hundred of which a client leaves early.
import { checkAnswer } from './client.ts'
import { digits } from './figures.ts'
import type { Stand } from './peers.ts'
import { type Crowd, withCrowd } from './scale-crowd.ts'
import { pointOf } from './scale-growth.ts'
import { kinds, slowPeers } from './scale-mix.ts'
import type { Part, Plan } from './scale-plan.ts'
import type { Outcome } from './scale-run.ts'
import { growthCells, growthHead, growthOf, type Growth, type Point } from './scale-slope.ts'
import { type Server, withServer } from './server.ts'

interface Leaving extends Outcome {
  readonly peer: string
  readonly growth: Growth
  /** What keeps the process, more than before: connections, timers. */
  readonly resources: number
  /** Requests a second. */
  readonly rate: number
}

const warmUp = 20_000

export async function measureLeaving(stands: readonly Stand[], plan: Plan): Promise<Part> {
  const figures: Leaving[] = []
  for (const stand of stands) {
    if (!slowPeers.includes(stand.name)) {
      console.error(`leaving: ${stand.title} is left out: it has no slow route`)
      continue
    }
    console.error(`leaving: ${stand.title}…`)
    const launch = { node: plan.node, options: {} }
    const one = await withServer(stand, launch, (server) =>
      withCrowd((crowd) => measureOne({ server, crowd, stand }, plan)),
    )
    figures.push({ peer: stand.title, ...one })
  }
  const head = ['1 % of clients leave', ...names, 'resources left', 'requests a second']
  const rows = figures.map((each) => [
    each.peer,
    ...names.map((name) => `${each[name]}`),
    `${each.resources}`,
    digits(each.rate),
    ...growthCells(each.growth),
  ])
  const faults = figures.flatMap(faultsOf)
  return { title: 'leaving', head: [...head, ...growthHead], rows, figures, faults }
}

const names = ['answered', 'left', 'wrong', 'broken', 'waiting'] as const

function faultsOf({ peer, wrong, broken, waiting, first, resources }: Leaving): string[] {
  const bad = wrong + broken + waiting
  return [
    ...(bad > 0 ? [`${peer}: ${bad} requests were not answered rightly; the first: ${first}`] : []),
    ...(resources > 0 ? [`${peer} keeps ${resources} more resources than before`] : []),
  ]
}

interface Setting {
  readonly server: Server
  readonly crowd: Crowd
  readonly stand: Stand
}

async function measureOne(setting: Setting, plan: Plan): Promise<Omit<Leaving, 'peer'>> {
  const { server, crowd, stand } = setting
  for (const { scenario } of kinds) await checkAnswer(scenario, server.port, stand.title)
  await crowd.do('run', server.port, Math.min(warmUp, plan.requests))
  const points: Point[] = [await pointOf(server, 0)]
  const before = await server.ask('resources')
  const sum: Outcome = { answered: 0, left: 0, wrong: 0, broken: 0, waiting: 0 }
  let [requests, time] = [0, 0]
  for (let portion = 1; portion <= plan.portions; portion++) {
    const wanted = Math.round((plan.requests * portion) / plan.portions) - requests
    const begin = performance.now()
    const outcome = await crowd.do('run', server.port, wanted)
    time += performance.now() - begin
    for (const name of names) sum[name] += outcome[name]
    sum.first ??= outcome.first
    requests += wanted
    points.push(await pointOf(server, requests))
    if (outcome.waiting > 0) break
  }
  for (const { scenario } of kinds) await checkAnswer(scenario, server.port, stand.title)
  await pointOf(server, requests)
  const resources = (await server.ask('resources')) - before
  return { ...sum, growth: growthOf(points), resources, rate: (1e3 * requests) / time }
}
