import type { Ajv, Code, KeywordCxt } from 'ajv'
import { bigIntKeyword } from '../schema/big-int.ts'
import { subschemasOf, type Bundle } from '../schema/bundle.ts'
import { integerText, madeBy, numberText, runtime, runtimeFunction, textsOf } from './runtime.ts'
import late from '../packages/late.cjs'

/** Makes an ajv run `extend` before it writes the code of a keyword, in all schemas that it
 *  compiles from then on. `extend` may also replace methods of the context. */
export function extendKeywords(
  ajv: Ajv,
  keywords: readonly string[],
  extend: (context: KeywordCxt) => void,
): void {
  for (const keyword of keywords) {
    const definition = ajv.getKeyword(keyword)
    if (typeof definition !== 'object' || !('code' in definition)) continue
    const { code } = definition
    definition.code = (context, ruleType) => {
      extend(context)
      code(context, ruleType)
    }
  }
}

/** Makes schemas that fail, or that only test a value, undo their own coercion.
 *
 *  ajv coerces a value before it knows whether the schema around is valid. For all alternatives
 *  that follow it even replaces a list of one item by that item, while the list stays where it is:
 *  `['x']` would pass for a string. What was coerced inside of the value stays, as ajv leaves it.
 *  @param restoresItems whether `contains` leaves the items of a list as they are */
export function isolateAlternatives(ajv: Ajv, restoresItems: boolean): void {
  extendKeywords(ajv, ['anyOf', 'oneOf', 'not', 'if'], isolate)
  if (restoresItems) extendKeywords(ajv, ['contains'], restoreItems)
}

/** Makes an ajv refuse an empty list where `contains` asks for an item. It would take one behind a
 *  list that has the item, as in `[[1], []]`, since it keeps the answer for that one. */
export function refuseEmptyLists(ajv: Ajv): void {
  extendKeywords(ajv, ['contains'], (context) => {
    const { _ } = late.ajv()
    const { data, parentSchema } = context
    if (parentSchema['minContains'] === 0) return
    const conclude = context.result.bind(context)
    context.result = (condition, succeed, fail) => {
      conclude(_`${data}.length > 0 && ${condition}`, succeed, fail)
    }
  })
}

/** ajv tests `contains` after `items`, when each item has been coerced by its own schema. */
function restoreItems(context: KeywordCxt): void {
  const { _ } = late.ajv()
  const { gen, data } = context
  const undo = gen.const(
    'undo',
    _`${gen.scopeValue('func', { ...runtimeFunction('takeSnapshot') })}(${data})`,
  )
  const conclude = context.result.bind(context)
  context.result = (condition, succeed, fail) => {
    gen.code(_`${undo}()`)
    conclude(condition, succeed, fail)
  }
}

function isolate(context: KeywordCxt): void {
  const { _ } = late.ajv()
  const { gen, data, keyword } = context
  const before = gen.let('before', data)
  const apply = context.subschema.bind(context)
  context.subschema = (schema, valid) => {
    const applied = apply(schema, valid)
    // `then` and `else` are no alternatives: the value has to be valid by them.
    if (schema.compositeRule !== true) return applied
    const undo = (): unknown => gen.if(_`${data} !== ${before}`, () => assign(context, before))
    if (keyword === 'if') undo()
    else gen.if(valid, () => gen.assign(before, data), undo)
    return applied
  }
}

/** Writes a new value into the variable of a value, and into the object that holds it. */
function assign({ gen, data, it }: KeywordCxt, value: Code): void {
  const { _ } = late.ajv()
  const { parentData, parentDataProperty } = it
  gen.assign(data, value)
  gen.if(_`${parentData} !== undefined`, () =>
    gen.assign(_`${parentData}[${parentDataProperty}]`, value),
  )
}

/** Marks a schema whose values come as text. ajv and JSON.stringify ignore symbols. */
const comesAsText = Symbol('comes as text')

/** Marks the schemas without a type in a part that is text. ajv coerces by `type` alone, so it
 *  would accept no text for a number in `enum` or `const`. They get no type, since a wrong text
 *  would then be refused with another message: `must be number`. These stay without a mark:
 *  - alternatives and conditions: the next alternative would get the value of the one before;
 *  - schemas beside a type (in `allOf`, `then`, `else`): that type has coerced the text already.
 *  @example { enum: [1, 2] } // once it is marked, '1' becomes 1 */
export function markValuesOfText(bundle: Bundle): void {
  const all = subschemasOf(bundle)
  const typed = all.filter(({ schema }) => schema['type'] !== undefined)
  const besideType = new Set(
    typed.flatMap(({ schema }) => [schema['allOf'], schema['then'], schema['else']].flat()),
  )
  for (const { schema, testedBy } of all) {
    if (schema['type'] !== undefined || testedBy !== undefined || besideType.has(schema)) continue
    Object.defineProperty(schema, comesAsText, { value: true })
  }
}

/** Makes an ajv replace texts by the values of `enum` or `const` that they stand for, in schemas
 *  that are marked. A text that is itself one of the values stays.
 *  @param isExact whether a number is written as in JSON */
export function coerceValuesOfText(ajv: Ajv, isExact: boolean): void {
  const { _, stringify } = late.ajv()
  extendKeywords(ajv, ['enum', 'const'], (context) => {
    const { gen, data, keyword, parentSchema } = context
    const schema: unknown = context.schema
    if (!(comesAsText in parentSchema) || context.$data) return
    const values = keyword === 'const' ? [schema] : [schema].flat()
    if (values.flatMap(textsOf).length === 0) return
    const read = runtime.textReader(values, isExact)
    const reader = madeBy('textReader', read, stringify(values), _`${isExact}`)
    const value = gen.const('value', _`${gen.scopeValue('func', { ...reader })}(${data})`)
    gen.if(_`${value} !== ${data}`, () => assign(context, value))
  })
}

/** Makes an ajv read a `t.BigInt` from its digits. */
export function coerceBigInts(ajv: Ajv): void {
  const { _ } = late.ajv()
  extendKeywords(ajv, [bigIntKeyword], (context) => {
    const { gen, data } = context
    const read = gen.scopeValue('func', { ...runtimeFunction('readBigInt') })
    const value = gen.const('value', _`${read}(${data})`)
    gen.if(_`${value} !== ${data}`, () => assign(context, value))
  })
}

/** The code by which ajv tests whether a text is a number, with `===` for integers. A text of a
 *  schema cannot look like this in the code, since its quotes are escaped. */
const numberTest = / (={2,3}) "string" && (data\d*) && (?=\2 == \+\2)/g

/** The code by which ajv takes a list of one item for the item. */
const itemTest = / == 'object' && (?=Array\.isArray\((data\d*)\) && \1\.length == 1)/g

/** Makes an ajv coerce no text to a number that JSON does not have: `Infinity`, `-1e999`. The
 *  option `strictNumbers` refuses such numbers, but ajv does not apply it to numbers that it
 *  coerces. */
export function refuseInfinity(ajv: Ajv): void {
  rewrite(ajv, (code) => code.replace(numberTest, '$&isFinite($2) && '))
}

/** Makes an ajv coerce no other text to a number than JSON has for one (RFC 8259, 6), to an integer
 *  only its digits, and no list of one item to that item. */
export function coerceExactly(ajv: Ajv): void {
  const addTest = (code: string, equality: string, data: string): string => {
    const text = equality === '===' ? integerText : numberText
    return `${code}isFinite(${data}) && ${text}.test(${data}) && `
  }
  rewrite(ajv, (code) => code.replace(numberTest, addTest).replace(itemTest, '$&false && '))
}

function rewrite(ajv: Ajv, change: (code: string) => string): void {
  const { code } = ajv.opts
  const { process } = code
  code.process = (source, schema) => {
    const own = change(source)
    return process === undefined ? own : process(own, schema)
  }
}
