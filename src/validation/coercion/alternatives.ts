import { _, type Ajv, type KeywordCxt } from 'ajv'
import { extendKeywords } from '../extend-keywords.ts'
import { remember } from '../standing/remember.ts'

/** The keywords whose schemas may fail without the value being refused. */
const keywords = ['anyOf', 'oneOf', 'not', 'if']

/** Lets a schema that fails, or that is only asked, leave no trace of its own coercion.
 *
 *  ajv coerces a value before it knows whether the schema around holds. A list of one item is even taken
 *  for that item by all alternatives that follow, while it stays in its place: `['x']` would pass for a
 *  string. What was coerced inside of the value stays, as ajv leaves it.
 *  @param leavesItems whether `contains` leaves the items of a list as they are */
export function isolateAlternatives(ajv: Ajv, leavesItems: boolean): void {
  extendKeywords(ajv, keywords, isolate)
  if (leavesItems) extendKeywords(ajv, ['contains'], leaveItems)
}

/** What a list contains is asked after its items, which are of their own schema by then, and stay so. */
function leaveItems(context: KeywordCxt): void {
  const { gen, data } = context
  const undo = gen.const('undo', _`${gen.scopeValue('func', { ref: remember })}(${data})`)
  const conclude = context.result.bind(context)
  context.result = (condition, succeed, fail) => {
    gen.code(_`${undo}()`)
    conclude(condition, succeed, fail)
  }
}

function isolate(context: KeywordCxt): void {
  const { gen, data, keyword, it } = context
  const { parentData, parentDataProperty } = it
  const before = gen.let('before', data)
  const restore = (): void => {
    gen.assign(data, before)
    gen.if(_`${parentData} !== undefined`, () =>
      gen.assign(_`${parentData}[${parentDataProperty}]`, before),
    )
  }
  const apply = context.subschema.bind(context)
  context.subschema = (schema, valid) => {
    const applied = apply(schema, valid)
    // `then` and `else` are no alternatives: they hold where they are asked.
    if (schema.compositeRule !== true) return applied
    const changed = _`${data} !== ${before}`
    const undo = (): unknown => gen.if(changed, restore)
    if (keyword === 'if') undo()
    else gen.if(valid, () => gen.assign(before, data), undo)
    return applied
  }
}
