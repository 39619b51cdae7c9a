import type { ErrorPolicy } from '../../dialect/dialect.ts'

/** Has the methods of a class give errors the codes of a dialect, whether they throw or reject.
 *  @param prototype the prototype of a class of its own; those above it stay as they are */
export function showErrors(prototype: object, { show }: ErrorPolicy): void {
  const fail = (error: unknown): never => {
    throw show(error)
  }
  for (const [name, method] of methodsOf(prototype)) {
    const value = function (this: unknown, ...args: unknown[]): unknown {
      try {
        const result: unknown = Reflect.apply(method, this, args)
        return result instanceof Promise ? result.catch(fail) : result
      } catch (error) {
        return fail(error)
      }
    }
    Object.defineProperty(value, 'name', { value: name })
    Object.defineProperty(prototype, name, { configurable: true, writable: true, value })
  }
}

/** The methods of a prototype and those above it, but for the constructors. */
type Method = (...args: never[]) => unknown

function methodsOf(prototype: object | null): Map<string, Method> {
  if (prototype === null || prototype === Object.prototype) return new Map()
  const methods = methodsOf(Object.getPrototypeOf(prototype) as object | null)
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const value: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value
    if (isMethod(value) && name !== 'constructor') methods.set(name, value)
  }
  return methods
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'function'
}
