/** The JSON pointer (RFC 6901) of these keys. */
export function toPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The keys of a JSON pointer (RFC 6901). */
export function keysOf(pointer: string): string[] {
  const [, ...keys] = pointer.split('/')
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value to which keys lead. Undefined if there is none. */
export function valueAt(data: unknown, keys: readonly string[]): unknown {
  let value = data
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}
