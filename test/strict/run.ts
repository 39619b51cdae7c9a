// Looks for what strict mode changes or lets pass: `npm run strict -- [cases] [seed]`. A case is one value that is sent. Prints
// each fault with the seed of its schema, as small as it could be made. Ends with a line `N passed, N failed`, and with status 1
// where there is a fault.
import { inspect } from 'node:util'
import { silenced } from '../support/silence.ts'
import { makeCase } from './cases.ts'
import { check, noFigures } from './check.ts'
import { shrink } from './shrink.ts'

/** How many schemas share a server. */
const batch = 12
/** How many faults are made small. */
const shown = Number(process.env['SHOWN'] ?? 5)

const [count = 2000, first = 1] = process.argv.slice(2).map((text) => {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0) throw new Error(`${text} is no count and no seed`)
  return number
})
const begin = performance.now()
const figures = noFigures()
const only = process.env['PART']
let failed = 0
for (let seed = first; figures.cases < count; seed += batch) {
  const cases = Array.from({ length: batch }, (_, index) => makeCase(seed + index)).filter(
    ({ part }) => only === undefined || part === only,
  )
  const [findings] = await silenced(() => check(cases, figures))
  for (const finding of findings) {
    failed++
    if (failed > shown) continue
    const { made, message } = await shrink(finding)
    const { form, part, schema, shared, values } = made
    console.log(`\nseed ${made.seed}: ${part} by ${form}: ${JSON.stringify(schema)}`)
    if (Object.keys(shared).length > 0) console.log(`  with ${JSON.stringify(shared)}`)
    console.log(`  ${inspect(values[0], { depth: 12 })}\n  ${message}`)
  }
}
const seconds = ((performance.now() - begin) / 1000).toFixed(1)
console.log(`after ${seconds} s ${JSON.stringify(figures)}`)
console.log(`${figures.cases - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 && count > 0 ? 0 : 1
