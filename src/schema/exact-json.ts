/** The JSON of a value, as JSON.stringify writes it. But a number that JSON does not have, such as
 *  NaN or Infinity, is an error: JSON.stringify writes null for it.
 *  @returns undefined for a value that has no JSON, such as a function
 *  @throws TypeError for such a number, and what JSON.stringify throws */
export function toExactJson(value: unknown): string | undefined {
  const text = JSON.stringify(value) as string | undefined
  if (text?.includes('null') === true && mayHoldOther(value)) JSON.stringify(value, refuseOther)
  return text
}

/** Makes a `Serializer` of fast-json-stringify refuse numbers that JSON does not have. Its code
 *  writes values without a schema by `JSON`, which the serializer has now too. */
export function withExactNumbers(serializer: object): object {
  // The code adds what it gets to a text, so there has to be a value. A `t.BigInt` among
  // alternatives has no type there.
  const stringify = (value: unknown): string =>
    typeof value === 'bigint' ? String(value) : (toExactJson(value) ?? 'null')
  return Object.assign(serializer, { asNumber, JSON: { stringify } })
}

function asNumber(value: unknown): string {
  const number = Number(value)
  if (Number.isFinite(number)) return String(number)
  throw new TypeError(`The value "${String(value)}" cannot be converted to a number.`)
}

function refuseOther(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(asNumber(value)) : value
}

/** Whether a value may hold a number that JSON does not have. It is much faster than a replacer of
 *  JSON.stringify, which decides where this is not sure: what `toJSON` returns. */
function mayHoldOther(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isOther(value)
  // The list grows in the loop: a recursion could overflow the stack.
  const found: object[] = [value]
  for (const each of found) {
    if ('toJSON' in each && !(each instanceof Date)) return true
    const values: readonly unknown[] = Array.isArray(each) ? each : Object.values(each)
    for (const inner of values) {
      if (isOther(inner)) return true
      if (typeof inner === 'object' && inner !== null) found.push(inner)
    }
  }
  return false
}

const isOther = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value)
