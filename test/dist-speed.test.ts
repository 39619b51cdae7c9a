import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAnswer } from '../bench/speed/client.ts'
import { formsOf } from '../bench/speed/forms.ts'
import { choosePeers, prepare, type Stand } from '../bench/speed/peers.ts'
import { lastRoute, type Scenario, scenarios } from '../bench/speed/scenarios.ts'
import { type Launch, withServer } from '../bench/speed/server.ts'

// The servers of the benchmark that need nothing installed.
const stands = choosePeers('espalier,hand').flatMap(prepare)
const sizes = [
  { routes: 2, contexts: 0 },
  { routes: 0, contexts: 2 },
]

async function check(stand: Stand, options: Launch['options'], asked: readonly Scenario[]) {
  await withServer(stand, { node: process.execPath, options, free: true }, async ({ port }) => {
    for (const scenario of asked) await checkAnswer(scenario, port, stand.title)
  })
}

for (const stand of stands) {
  test(`${stand.title} answers each scenario of the benchmark as it should`, async () => {
    for (const [json, asked] of byOptions(scenarios)) await check(stand, JSON.parse(json), asked)
  })

  test(`${stand.title} answers the last of many routes and contexts`, async () => {
    for (const size of sizes) await check(stand, size, [lastRoute(size)])
  })
}

test('Espalier answers where it is compiled and bundled', async () => {
  // Forms that do not answer are left out.
  const [espalier] = stands
  assert.ok(espalier)
  const made = await formsOf(espalier, { routes: 2, contexts: 0 }, process.execPath)
  const forms = ['compiled', 'bundled', 'compiled and bundled']
  assert.deepEqual(
    made.map(({ title }) => title),
    forms.map((form) => `Espalier, ${form}`),
  )
})

/** The scenarios, by what a server is started with for them. */
function byOptions(all: readonly Scenario[]): Map<string, Scenario[]> {
  const groups = new Map<string, Scenario[]>()
  for (const scenario of all) {
    const json = JSON.stringify(scenario.server ?? {})
    groups.set(json, [...(groups.get(json) ?? []), scenario])
  }
  return groups
}
