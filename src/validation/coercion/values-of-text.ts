import { _, type Ajv, type KeywordCxt } from 'ajv'
import { subschemasOf, type Bundle } from '../../schema/bundle.ts'
import { isPlainObject, type JsonObject } from '../../schema/values.ts'
import { extendKeywords } from '../extend-keywords.ts'

/** Marks a schema whose values come as text. Neither ajv nor JSON.stringify looks at symbols. */
const ofText = Symbol('of text')

const keywords = ['enum', 'const'] as const

/** The schemas of a text part that list values without a type: ajv coerces by `type` alone, so that no text would ever be
 *  the number that is listed. They are not given a type, since a text that is none of the values would be refused for that:
 *  `must be number`. Those are left that only ask, or are alternatives: what one of them makes of a text would stay with the next.
 *  @example { enum: [1, 2] } // once it is marked, '1' is 1 */
export function untypedValuesIn(bundle: Bundle): readonly JsonObject[] {
  const all = subschemasOf(bundle)
  const rivals = new Set(all.flatMap(({ schema }) => rivalsIn(schema)))
  return all
    .filter(({ asker }) => asker === undefined)
    .map(({ schema }) => schema)
    .filter((schema) => hasUntypedValues(schema) && !rivals.has(schema))
}

/** Has an ajv that was taught take texts for the values of schemas, which are of a bundle. */
export function markAsOfText(schemas: readonly JsonObject[]): void {
  for (const schema of schemas) Object.defineProperty(schema, ofText, { value: true })
}

/** The schemas of one value that leave its text as it is: beside a type, it has that already, and a text is meant as text there. */
function rivalsIn(schema: JsonObject): readonly unknown[] {
  return schema['type'] === undefined ? [] : sameValue.flatMap((keyword) => schema[keyword] ?? [])
}

/** The keywords whose schemas hold for the same value. */
const sameValue = ['allOf', 'then', 'else']

/** Whether a schema has values that a text may stand for, and no type to say which. */
function hasUntypedValues(schema: unknown): boolean {
  return (
    isPlainObject(schema) &&
    schema['type'] === undefined &&
    keywords.some((keyword) => keyword in schema && textsOf(keyword, schema[keyword]).size > 0)
  )
}

/** The values that are no text, by the texts that ajv coerces to them. */
function textsOf(keyword: string, given: unknown): ReadonlyMap<unknown, unknown> {
  const values: readonly unknown[] =
    keyword === 'const' ? [given] : Array.isArray(given) ? given : []
  const texts = values.flatMap((value) => {
    const text = textOf(value)
    return text === undefined ? [] : [[text, value] as const]
  })
  return new Map(texts)
}

function textOf(value: unknown): string | undefined {
  if (value === null) return ''
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** Teaches an ajv to take texts for the values that they stand for, in schemas that are marked. A text that is among the values
 *  itself is that. */
export function takeValuesOfText(ajv: Ajv): void {
  extendKeywords(ajv, keywords, (context) => {
    if (ofText in context.parentSchema && !context.$data) coerce(context)
  })
}

function coerce({ gen, data, keyword, schema, it }: KeywordCxt): void {
  const { parentData, parentDataProperty } = it
  const read = gen.scopeValue('func', { ref: readerOf(keyword, schema) })
  const value = gen.const('value', _`${read}(${data})`)
  gen.if(_`${value} !== ${data}`, () => {
    gen.assign(data, value)
    gen.if(_`${parentData} !== undefined`, () =>
      gen.assign(_`${parentData}[${parentDataProperty}]`, value),
    )
  })
}

/** Gives the value that a text stands for, and anything else as it is. Numbers may be written in any way: `1.0` is 1. */
function readerOf(keyword: string, given: unknown): (data: unknown) => unknown {
  const values = textsOf(keyword, given)
  const own = new Set(Array.isArray(given) ? given : [])
  return (data) => {
    if (typeof data !== 'string' || own.has(data)) return data
    const text = data.trim() === '' || values.has(data) ? data : String(Number(data))
    return values.has(text) ? values.get(text) : data
  }
}
