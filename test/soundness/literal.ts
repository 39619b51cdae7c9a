// A value as a type of TypeScript that has this value alone.

/** The names of fields in the schemas. */
const known = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'kind', 'decoded']

/** Writes a value as a type.
 *  @param isLax whether objects name the fields that they have not as optional ones. The compiler suspects what has nothing in
 *  common with a type of optional fields, though it is of that type; but it takes such an object for one of a union, whatever
 *  tells the union's members apart. So a value that fits is asked strictly first, and one that does not only so. */
export function literalType(value: unknown, isLax = false): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'number'
  if (value === undefined) return 'undefined'
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (value instanceof Date) return 'Date'
  const write = (item: unknown) => literalType(item, isLax)
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return `{ toJSON(): ${write(value.toJSON())} }`
  }
  const own = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${write(item)}`)
  const absent = known.filter((name) => isLax && !Object.hasOwn(value, name))
  return `{ ${[...own, ...absent.map((name) => `${name}?: any`)].join('; ')} }`
}

/** The claim that a value is of a type. */
export const fits = (value: unknown, type: string): string =>
  `Fits<${literalType(value)}, ${type}, ${literalType(value, true)}>`

/** The claim that it is so without any doubt of the compiler's. */
export const fitsStrictly = (value: unknown, type: string): string =>
  `Fits<${literalType(value)}, ${type}>`
