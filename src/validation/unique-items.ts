import type { Ajv, KeywordCxt } from 'ajv'
import { isPlainObject } from '../types/objects.ts'
import { runtimeFunction } from './runtime.ts'
import late from '../packages/late.cjs'

/** Makes an ajv find equal objects by `findTwins`. Its own code compares each item with each, so
 *  20,000 objects would need 8 seconds. For scalars it has code that is as fast. */
export function findTwinsFast(ajv: Ajv): void {
  const definition = ajv.getKeyword('uniqueItems')
  if (typeof definition !== 'object' || !('code' in definition)) return
  const { code } = definition
  definition.code = (context, ruleType) => {
    if (areScalars(context.parentSchema['items'])) code(context, ruleType)
    else writeUniqueItems(context)
  }
}

/** Whether ajv knows by the type of the items that these are scalars. */
function areScalars(items: unknown): boolean {
  const types = isPlainObject(items) ? [items['type'] ?? 'object'].flat() : ['object']
  return !types.includes('object') && !types.includes('array')
}

function writeUniqueItems(context: KeywordCxt): void {
  const { gen, data, $data, schemaCode } = context
  if (!$data && context.schema !== true) return
  const { _ } = late.ajv()
  const find = gen.scopeValue('func', { ...runtimeFunction('findTwins') })
  const valid = gen.let('valid')
  context.block$data(
    valid,
    () => {
      const twins = gen.const('twins', _`${find}(${data})`)
      context.setParams({ i: _`${twins}.i`, j: _`${twins}.j` })
      gen.assign(valid, _`${twins} === undefined`)
      gen.if(_`!${valid}`, () => {
        context.error()
      })
    },
    _`${schemaCode} === false`,
  )
  context.ok(valid)
}
