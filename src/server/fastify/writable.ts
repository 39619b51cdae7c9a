/** Lets members be set that have a getter only. What is set is a property of that one object.
 *  @param before called with the object before a member is set */
export function makeWritable(
  prototype: object,
  names: readonly string[],
  before: (self: object) => void = () => undefined,
): void {
  for (const name of names) {
    Object.defineProperty(prototype, name, {
      ...memberOf(prototype, name),
      configurable: true,
      set(this: object, value: unknown) {
        before(this)
        const own = { configurable: true, enumerable: true, writable: true, value }
        Object.defineProperty(this, name, own)
      },
    })
  }
}

/** The names of the members of a prototype, and of those above it, that have a getter only. */
export function readOnlyMembers(prototype: object | null): string[] {
  if (prototype === null) return []
  const own = Object.entries(Object.getOwnPropertyDescriptors(prototype))
  const names = own.filter(([, each]) => each.get !== undefined && each.set === undefined)
  const above = readOnlyMembers(Object.getPrototypeOf(prototype) as object | null)
  return [...names.map(([name]) => name), ...above]
}

function memberOf(prototype: object | null, name: string): PropertyDescriptor | undefined {
  if (prototype === null) return undefined
  const own = Object.getOwnPropertyDescriptor(prototype, name)
  return own ?? memberOf(Object.getPrototypeOf(prototype) as object | null, name)
}
