// A value as a type of TypeScript that has this value alone.

/** The names of fields in the schemas. Where an object lacks one, its type says so: else the compiler would find that it
 *  has nothing in common with a type of optional fields, which is a suspicion and no unfitness. With `never` it would find
 *  an object without a discriminating field to be of every union. */
const known = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'kind', 'decoded']

/** Writes a value as a type. */
export function literalType(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'number'
  if (typeof value !== 'object' || value === null)
    return value === undefined ? 'undefined' : JSON.stringify(value)
  if (value instanceof Date) return 'Date'
  if (Array.isArray(value)) return `[${value.map(literalType).join(', ')}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return `{ toJSON(): ${literalType(value.toJSON())} }`
  }
  const entries = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}: ${literalType(item)}`,
  )
  const absent = known.filter((name) => !Object.hasOwn(value, name)).map((name) => `${name}?: any`)
  return `{ ${[...entries, ...absent].join('; ')} }`
}
