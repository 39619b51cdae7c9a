import { _, Ajv, Name, type KeywordCxt, type Options, type ValidateFunction } from 'ajv'
import { subschemasOf } from '../../schema/bundle.ts'
import type { JsonObject } from '../../schema/values.ts'
import { remember } from './remember.ts'

/** Whether a value fits a schema as it stands. Defaults are filled in then; where it does not fit, nothing is changed. */
export type Fit = (data: unknown, place?: Place) => boolean

/** Where ajv has found a value. */
type Place = Parameters<ValidateFunction>[1]

/** The options of an ajv that only fills in defaults. It is not strict about schemas: those were compiled strictly before, and some
 *  are parts that stood in others. */
export const uncoerced: Options = {
  coerceTypes: false,
  removeAdditional: false,
  strictSchema: false,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  validateSchema: false,
  logger: false,
}

/** The same where nobody reads what is wrong. */
export const asItStands: Options = { ...uncoerced, messages: false }

/** Undefined of a schema that cannot be compiled alone, since it looks at what stands around, and of one that
 *  validates by a promise. */
export function compileFit(ajv: Ajv, schema: JsonObject): Fit | undefined {
  try {
    const validate = ajv.compile(schema)
    if ('$async' in validate) return undefined
    if (!mayChange(schema)) return validate
    return (data, place) => {
      const restore = remember(data)
      const fits = validate(data, place)
      if (!fits) restore()
      return fits
    }
  } catch {
    return undefined
  }
}

let own: Readonly<Record<string, unknown>> | undefined

/** Whether validating may change a value: by defaults, or by what a keyword of the user's does. */
function mayChange(schema: JsonObject): boolean {
  own ??= new Ajv().RULES.keywords
  const known = own
  const all = subschemasOf({ schema, text: undefined, merges: false, origins: new Map() })
  return all.some(({ schema: each }) =>
    Object.keys(each).some((keyword) => keyword === 'default' || !(keyword in known)),
  )
}

/** Has the code of a union ask first whether the value fits as it stands, and no alternative if so. */
export function askFirst(context: KeywordCxt, fit: Fit): Name {
  const { gen, data, it } = context
  const { parentData, parentDataProperty } = it
  const ask = gen.scopeValue('func', { ref: fit })
  const holder = _`parentData: ${parentData}, parentDataProperty: ${parentDataProperty}`
  const place = _`{ instancePath: "", ${holder}, rootData: ${rootData} }`
  const fits = gen.const('fits', _`${ask}(${data}, ${place})`)
  const apply = context.subschema.bind(context)
  const conclude = context.result.bind(context)
  context.subschema = (schema, valid) => {
    gen.if(_`!${fits}`)
    const applied = apply(schema, valid)
    gen.endIf()
    return applied
  }
  context.result = (condition, succeed, fail) => {
    conclude(_`${fits} || ${condition}`, succeed, fail)
  }
  return fits
}

/** What ajv calls the whole of the data in its code. */
const rootData = new Name('rootData')

/** Has the code of a union undo what an alternative that fails has changed inside of the value.
 *  @param fits whether no alternative is asked */
export function undoFailed(context: KeywordCxt, fits: Name): void {
  const { gen, data, keyword } = context
  const note = _`${gen.scopeValue('func', { ref: remember })}(${data})`
  const undo = gen.let('undo', _`${fits} || ${note}`)
  const apply = context.subschema.bind(context)
  context.subschema = (schema, valid) => {
    const applied = apply(schema, valid)
    const restore = (): unknown => gen.code(_`${undo}()`)
    const keep = (): unknown => keyword === 'oneOf' && gen.assign(undo, note)
    gen.if(_`!${fits}`, () => gen.if(valid, keep, restore))
    return applied
  }
}
