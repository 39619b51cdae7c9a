import { version } from '../version.ts'

/** Makes a thing once in a process. The package is built as ES modules and as CommonJS, and a
 *  process may load both: what one has made or marked, the other has to know.
 *  @param name the name of the thing in this version of the package */
/* @__NO_SIDE_EFFECTS__ */
export function once<Thing extends object>(name: string, make: () => Thing): Thing {
  const key = Symbol.for(`espalier ${version}: ${name}`)
  // cast: a name has one type, and nobody else has the key
  const made = Reflect.get(globalThis, key) as Thing | undefined
  if (made !== undefined) return made
  const value = make()
  Object.defineProperty(globalThis, key, { value })
  return value
}
