/** Whether two values of JSON are equal. The second is of a schema, and says how deep it goes. */
export function isEqual(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return value === expected
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value) !== Array.isArray(expected)) return false
  const entries = Object.entries(expected)
  return (
    Object.keys(value).length === entries.length &&
    entries.every(
      ([name, each]) => Object.hasOwn(value, name) && isEqual(Reflect.get(value, name), each),
    )
  )
}
