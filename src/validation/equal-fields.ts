import type { Ajv } from 'ajv'
import { runtimeFunction } from './runtime.ts'
import late from '../packages/late.cjs'

/** Makes an ajv compare values with objects of `const` and `enum` by their own fields. ajv calls
 *  `valueOf` and `toString` of a value if it has fields of these names, so that a client could make
 *  it throw, and it compares prototypes, which values may have lost. */
export function compareFields(ajv: Ajv): void {
  for (const keyword of ['const', 'enum']) {
    const definition = ajv.getKeyword(keyword)
    if (typeof definition !== 'object' || !('code' in definition)) continue
    const { code } = definition
    definition.code = (context, ruleType) => {
      const { gen, data, schemaCode, $data } = context
      const schema: unknown = context.schema
      const values: readonly unknown[] = keyword === 'const' ? [schema] : [schema].flat()
      if ($data || !values.some((value) => typeof value === 'object' && value !== null)) {
        code(context, ruleType)
        return
      }
      const { _ } = late.ajv()
      const isEqual = gen.scopeValue('func', { ...runtimeFunction('isEqual') })
      const fails =
        keyword === 'const'
          ? _`!${isEqual}(${data}, ${schemaCode})`
          : _`!${schemaCode}.some((each) => ${isEqual}(${data}, each))`
      context.fail(fails)
    }
  }
}
