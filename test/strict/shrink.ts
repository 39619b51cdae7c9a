// Makes a case that fails smaller, as long as it fails.
import { silenced } from '../support/silence.ts'
import type { StrictCase } from './cases.ts'
import { check, noFigures, type Finding } from './check.ts'
import { isObject, set } from './oracle.ts'

/** The most attempts at one case. */
const limit = 150

/** The smallest case found that fails too, and does not merely fail to boot. */
export async function shrink({ made, message }: Finding): Promise<Finding> {
  const door = /^(inject|http|client|compiled): /.exec(message)?.[1] as 'inject' | undefined
  // A schema that is made smaller may be refused for another reason.
  const reason = /does not boot: .*cannot be built: .{20}|does not boot/.exec(message)?.[0]
  let found: Finding = { made, message }
  let left = limit
  for (let goes = true; goes;) {
    goes = false
    for (const smaller of smallerCases(found.made)) {
      if (left-- < 0) return found
      const [findings] = await silenced(() => check([smaller], noFigures(), door).catch(() => []))
      const again = findings.find((each) =>
        reason === undefined
          ? !each.message.startsWith('does not boot')
          : each.message.startsWith(reason),
      )
      if (again === undefined) continue
      found = again
      goes = true
      break
    }
  }
  return found
}

function* smallerCases(made: StrictCase): Generator<StrictCase> {
  if (made.form !== 'plain') yield { ...made, form: 'plain' }
  for (const id of Object.keys(made.shared)) {
    const { [id]: _left, ...shared } = made.shared
    if (!JSON.stringify([made.schema, shared]).includes(`"${id}#"`)) yield { ...made, shared }
  }
  for (const value of smaller(made.values[0])) yield { ...made, values: [value] }
  for (const schema of smaller(made.schema)) if (isObject(schema)) yield { ...made, schema }
  for (const [id, each] of Object.entries(made.shared))
    for (const schema of smaller(each))
      if (isObject(schema)) yield { ...made, shared: { ...made.shared, [id]: schema } }
}

/** Values with one part less, or with one part in the place of the whole. */
function* smaller(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    yield* value
    for (const index of value.keys()) yield value.filter((_, at) => at !== index)
    for (const [index, each] of value.entries())
      for (const less of smaller(each))
        yield value.map((other, at) => (at === index ? less : other))
  }
  if (!isObject(value)) return
  if (!['Object', undefined].includes(value.constructor?.name)) return
  const entries = Object.entries(value)
  const from = (list: readonly (readonly [string, unknown])[]): object => {
    const copy = {}
    for (const [name, each] of list) set(copy, name, each)
    return copy
  }
  for (const [, each] of entries) yield each
  for (const [name] of entries) yield from(entries.filter(([other]) => other !== name))
  for (const [name, each] of entries)
    for (const less of smaller(each))
      yield from(entries.map(([other, kept]) => [other, other === name ? less : kept]))
}
