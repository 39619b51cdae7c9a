import type { Ajv } from 'ajv'

/** How ajv asks whether a text is a number. No text of a schema can look so in its code: quotes are
 *  escaped there. */
const isNumeric = / ={2,3} "string" && (data\d*) && (?=\1 == \+\1)/g

/** Has an ajv coerce no text to a number that JSON does not have: `Infinity`, `-1e999`. ajv takes no
 *  such number where it comes as a number (`strictNumbers`), but coerces texts without that check. */
export function refuseInfinity(ajv: Ajv): void {
  const { code } = ajv.opts
  const { process } = code
  code.process = (source, schema) => {
    const own = source.replace(isNumeric, '$&isFinite($1) && ')
    return process === undefined ? own : process(own, schema)
  }
}
