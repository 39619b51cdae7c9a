/** A prototype with what another has besides, or undefined where it has all of that: for a request that
 *  is handed over to a context beside its own, which reads what that context decorates, and whose
 *  own context still reads what it has. */
export function lendDecorators(own: object, theirs: object): object | undefined {
  const missing: PropertyDescriptorMap = {}
  const isShared = (at: object): boolean =>
    at === own || Object.prototype.isPrototypeOf.call(at, own)
  for (let at = theirs; !isShared(at); at = Object.getPrototypeOf(at) as object) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (!(name in own)) missing[name] ??= descriptor
    }
  }
  return Object.keys(missing).length === 0 ? undefined : (Object.create(own, missing) as object)
}
