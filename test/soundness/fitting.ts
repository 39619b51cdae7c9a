// Whether a value keeps all rules of a schema. Instances are such as its type has, but a default that breaks a rule stops the
// boot.
import { createAjv } from '../../src/validation/ajv.ts'
import type { Json, Sketch } from './sketch.ts'
import { evaluate, write } from './source.ts'

const over = { strict: false, logger: false, coerceTypes: false, removeAdditional: false } as const
const ajv = createAjv({}, over)

/** Whether a field of this schema may have this default; never where it refers to others. */
export function canBeDefault(value: Json, sketch: Sketch): boolean {
  try {
    const schema = evaluate(write({ ...sketch, default: value }, 'plain'))
    return ajv.compile({ type: 'object', properties: { value: schema } })({}) as boolean
  } catch {
    return false
  }
}
