/** The decorators that a request or a reply borrows from another context. */
export type Borrowed = PropertyDescriptorMap

/** What one prototype has and another lacks; undefined where it has all of it. A request that is handed
 *  over to a context beside its own reads what that context decorates, and still what its own does. */
export function borrowDecorators(own: object, theirs: object): Borrowed | undefined {
  const missing: PropertyDescriptorMap = {}
  const isShared = (at: object): boolean =>
    at === own || Object.prototype.isPrototypeOf.call(at, own)
  for (let at = theirs; !isShared(at); at = Object.getPrototypeOf(at) as object) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (!(name in own)) missing[name] ??= { ...descriptor, configurable: true }
    }
  }
  return Object.keys(missing).length === 0 ? undefined : missing
}
