import { Kind } from '@sinclair/typebox'

/** Whether a schema is what `t.Partial`, `t.Pick` and the like make of a reference, which only a `t.Module` computes. */
export function isComputed(schema: object): boolean {
  return Kind in schema && schema[Kind] === 'Computed'
}

/** Whether a keyword is left of what a `t.Module` has computed: TypeBox keeps both beside the result where that is optional
 *  or readonly. */
export function isLeftOver(keyword: string, schema: object): boolean {
  if (keyword !== 'target' && keyword !== 'parameters') return false
  return Kind in schema && !isComputed(schema) && 'target' in schema && 'parameters' in schema
}
