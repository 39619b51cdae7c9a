import { isPlainObject } from '../types/objects.ts'

/** Copies the objects and arrays inside of a value.
 *  @returns a function that gives them their content back */
export function takeSnapshot(value: unknown): () => void {
  if (!isContainer(value)) return doNothing
  const found: object[] = [value]
  const copies: object[] = []
  let seen: Set<object> | undefined
  // The loop appends to the list. A recursion could overflow the stack, and values that are no
  // JSON may contain themselves.
  for (const each of found) {
    const copy: object = Array.isArray(each) ? each.slice() : { ...each }
    copies.push(copy)
    for (const inner of Array.isArray(copy) ? (copy as unknown[]) : Object.values(copy)) {
      if (!isContainer(inner)) continue
      seen ??= new Set(found)
      if (!seen.has(inner)) found.push(inner)
      seen.add(inner)
    }
  }
  return () => {
    for (const [index, each] of found.entries()) restore(each, copies[index] ?? each)
  }
}

const doNothing = (): void => undefined

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && (Array.isArray(value) || isPlainObject(value))
}

function restore(target: object, copy: object): void {
  if (Array.isArray(target) && Array.isArray(copy)) {
    restoreItems(target, copy)
    return
  }
  for (const key of Object.keys(target)) {
    if (!Object.hasOwn(copy, key)) Reflect.deleteProperty(target, key)
  }
  for (const [key, value] of Object.entries(copy)) {
    if (Reflect.get(target, key) !== value) Reflect.set(target, key, value)
  }
}

function restoreItems(target: unknown[], copy: readonly unknown[]): void {
  for (let index = 0; index < copy.length; index++) {
    if (target[index] !== copy[index]) target[index] = copy[index]
  }
  target.length = copy.length
}
