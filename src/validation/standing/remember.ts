import { isPlainObject } from '../../schema/values.ts'

/** Remembers the objects and lists in a value as they are.
 *  @returns what makes them so again */
export function remember(value: unknown): () => void {
  if (!isChangeable(value)) return keep
  const found: object[] = [value]
  const copies: object[] = []
  let seen: Set<object> | undefined
  // The list grows on the way: a recursion would end where the stack does. What is no JSON may lead back to itself.
  for (const each of found) {
    const copy: object = Array.isArray(each) ? each.slice() : { ...each }
    copies.push(copy)
    for (const inner of valuesOf(copy)) {
      if (!isChangeable(inner)) continue
      seen ??= new Set(found)
      if (!seen.has(inner)) found.push(inner)
      seen.add(inner)
    }
  }
  return () => {
    for (const [index, each] of found.entries()) restore(each, copies[index] ?? each)
  }
}

const keep = (): void => undefined

function isChangeable(value: unknown): value is object {
  return typeof value === 'object' && (Array.isArray(value) || isPlainObject(value))
}

const valuesOf = (copy: object): unknown[] => (Array.isArray(copy) ? copy : Object.values(copy))

function restore(each: object, copy: object): void {
  if (Array.isArray(each) && Array.isArray(copy)) {
    restoreList(each, copy)
    return
  }
  for (const key of Object.keys(each)) {
    if (!Object.hasOwn(copy, key)) Reflect.deleteProperty(each, key)
  }
  for (const [key, value] of Object.entries(copy)) {
    if (Reflect.get(each, key) !== value) Reflect.set(each, key, value)
  }
}

function restoreList(each: unknown[], copy: readonly unknown[]): void {
  for (let index = 0; index < copy.length; index++) {
    if (each[index] !== copy[index]) each[index] = copy[index]
  }
  each.length = copy.length
}
