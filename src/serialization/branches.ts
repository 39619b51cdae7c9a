import { subschemasOf, type Bundle } from '../schema/bundle.ts'
import { isPlainObject, type JsonObject } from '../schema/values.ts'

/** Has a payload's values asked for where `then` and `else` list those that may be. In types a payload is of either branch, and
 *  the condition may choose the other; fast-json-stringify then writes any value where one of `enum` stands. One that is not
 *  listed is a serialization error.
 *  @example { else: { properties: { a: { enum: [1] } } } } // `a` has `anyOf: [{ enum: [1] }]` beside it, which is asked for */
export function askBranches(bundle: Bundle): void {
  for (const { schema } of subschemasOf(bundle)) {
    for (const branch of [schema['then'], schema['else']]) {
      if (!isPlainObject(branch)) continue
      for (const part of subschemasOf({ ...bundle, schema: branch })) askListed(part.schema)
    }
  }
}

/** Of null it is not asked: `nullable` lets it be beside any list. */
function askListed(schema: JsonObject): void {
  if (!Array.isArray(schema['enum']) || choosing.some((keyword) => keyword in schema)) return
  Object.assign(schema, { anyOf: [{ enum: schema['enum'] }] })
}

const choosing = ['anyOf', 'oneOf', 'allOf', 'if', 'nullable']
