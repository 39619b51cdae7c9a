import { isPlainObject } from '../types/objects.ts'
import late from '../packages/late.cjs'

/** The places of two equal items. */
interface Twins {
  readonly i: number
  readonly j: number
}

/** Finds the last item that equals an earlier one, and the nearest of those, as ajv does, but in
 *  time that grows with the size of the list. Values are equal as they are for ajv: 1 and 1.0,
 *  objects with their keys in another order, instances of one class with the same `valueOf()`,
 *  `toString()` or fields. */
export function findTwins(items: readonly unknown[]): Twins | undefined {
  // To compare the items of a short list costs less than to write texts of them.
  if (items.length > 16) return findByText(items)
  try {
    return findInPairs(items)
  } catch {
    // ajv calls the field of an object that has the name `valueOf` or `toString`.
    return findByText(items)
  }
}

function findInPairs(items: readonly unknown[]): Twins | undefined {
  const { default: equal } = late.ajvEqual()
  for (let i = items.length; i--;) {
    for (let j = i; j--;) if (equal(items[i], items[j])) return { i, j }
  }
  return undefined
}

function findByText(items: readonly unknown[]): Twins | undefined {
  const textOf = createTexts()
  const known = new Map<string, number>()
  let twins: Twins | undefined
  for (const [i, item] of items.entries()) {
    const text = textOf(item)
    const j = known.get(text)
    if (j !== undefined) twins = { i, j }
    known.set(text, i)
  }
  return twins
}

/** Makes a function that gives equal values the same text. The text of an object has a number for
 *  each object inside of it. So each text is written once, and a deep value has no long texts. */
function createTexts(): (value: unknown) => string {
  const numbers = new Map<unknown, number>()
  const numberOf = (value: unknown): number => {
    const number = numbers.get(value) ?? numbers.size
    numbers.set(value, number)
    return number
  }
  /** The texts of objects. Undefined as long as those of their parts are written. */
  const texts = new Map<object, string | undefined>()
  const read = (value: unknown): string => {
    if (typeof value === 'string') return JSON.stringify(value)
    // Functions, symbols and other objects are equal to themselves alone.
    if (isHolder(value)) return `#${numberOf(texts.get(value) ?? value)}`
    if (typeof value === 'function' || typeof value === 'symbol') return `#${numberOf(value)}`
    return typeof value === 'bigint' ? `${value}n` : String(value)
  }
  const write = (holder: object): string => {
    const { constructor } = holder
    const prefix = constructor === Object || constructor === Array ? '' : numberOf(constructor)
    if (Array.isArray(holder)) return `${prefix}[${holder.map(read).join()}]`
    if (!isPlainObject(holder)) {
      if (holder.valueOf !== same.valueOf) return `${prefix}=${read(holder.valueOf())}`
      if (holder.toString !== same.toString) return `${prefix}=${read(textOfInstance(holder))}`
    }
    const fields = Object.entries(holder).map(([name, field]) => JSON.stringify(name) + read(field))
    return `${prefix}{${fields.sort().join()}}`
  }
  return (value) => {
    // A recursion could overflow the stack.
    const open = [value]
    while (open.length > 0) {
      const holder = open.at(-1)
      if (!isHolder(holder) || texts.get(holder) !== undefined) open.pop()
      else if (texts.has(holder)) texts.set(holder, write(holder))
      else {
        texts.set(holder, undefined)
        for (const part of Object.values(holder)) if (isHolder(part)) open.push(part)
      }
    }
    return read(value)
  }
}

const same = Object.prototype

// eslint-disable-next-line @typescript-eslint/no-base-to-string -- its class has a method for that
const textOfInstance = (holder: object): string => holder.toString()

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
