import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { type Budget, budgetFile, measureBudget } from '../bench/types/budget.ts'
import { withOwnFolder, writeProject } from '../bench/types/generate.ts'
import { check } from '../bench/types/measure.ts'

// What the types of the built package cost the compiler, against the figures that are kept.
const tolerance = 0.05
const fixedLimit = 5000
const kept = JSON.parse(readFileSync(budgetFile, 'utf8')) as Budget
let measured: Budget

before(() => {
  measured = measureBudget()
})

function assertWithin(name: 'server' | 'client'): void {
  const [now, then] = [measured[name], kept[name]]
  const growth = `${now} instantiations a route, ${then} are kept in bench/types/budget.json`
  assert.ok(now > 0 && now <= then * (1 + tolerance), `${growth}. ${renewal}`)
}

const renewal = 'Where the growth is worth it: npm run build && npm run bench:types -- --renew'

test('a route of an application of 200 costs what it did, with 5 % to spare', () => {
  assertWithin('server')
})

test('so does a route with a typed call of it', () => {
  assertWithin('client')
})

test('importing the framework into an empty file costs next to nothing', () => {
  assert.ok(measured.fixed < fixedLimit, `${measured.fixed} instantiations`)
})

// A schema was looked for behind the type that is expected: half a million instantiations, three seconds.
for (const view of ['Input', 'Output', 'Payload', 'Received']) {
  test(`${view} of a function's type parameter is cheap where another type is expected`, () => {
    const main = `import { t, type ${view} } from 'espalier'
declare function view<const Schema>(schema: Schema): ${view}<Schema>
export const page: object = view(t.Object({ page: t.Integer(), q: t.Optional(t.String()) }))
`
    const { instantiations } = withOwnFolder((folder) =>
      check('5.9', writeProject(folder, { main })),
    )
    assert.ok(instantiations < fixedLimit, `${instantiations} instantiations`)
  })
}
