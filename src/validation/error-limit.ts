import type { Ajv, KeywordCxt } from 'ajv'
import late from '../packages/late.cjs'
import { extendKeywords } from './coercion.ts'

/** How many things that are wrong are told of one request at most. */
export const mostErrors = 100

/** The keywords of which ajv applies a schema to each item or property of a value. */
const repeating = [
  ...['items', 'additionalItems', 'additionalProperties', 'patternProperties', 'propertyNames'],
  ...['elements', 'values'],
]

/** Makes an ajv with `allErrors` leave a list, or an object, in which it has found enough errors.
 *  Otherwise a client decides how many there are: a body of 1 MiB can have half a million. */
export function limitErrors(ajv: Ajv): void {
  if (ajv.opts.allErrors) extendKeywords(ajv, repeating, leaveEarly)
}

function leaveEarly(context: KeywordCxt): void {
  const { gen, it, keyword } = context
  if (!it.allErrors) return
  const { _, Name } = late.ajv()
  const errors = new Name('errors')
  const before = gen.const('before', errors)
  const leave = (): void => {
    // The errors of this keyword alone: others may be those of an alternative that failed before.
    gen.if(_`${errors} - ${before} >= ${mostErrors}`, () => gen.break())
  }
  const apply = context.subschema.bind(context)
  context.subschema = (schema, valid) => {
    const applied = apply(schema, valid)
    const { dataPropType, propertyName, allErrors } = schema
    const isRepeated = dataPropType !== undefined || propertyName !== undefined
    // Of `removeAdditional: 'failing'`, the errors of a property do not stay.
    if (isRepeated && allErrors !== false) leave()
    return applied
  }
  if (keyword !== 'additionalProperties') return
  const report = context.error.bind(context)
  context.error = (...args) => {
    report(...args)
    leave()
  }
}
