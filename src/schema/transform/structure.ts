import { isObject, isPlainObject } from '../values.ts'

/** The way from the root of a value to the place that is being changed, for messages. */
export type Trail = string[]

/** Gives a value in its other form: the same where there is nothing to change, a copy otherwise. What
 *  it throws was thrown at the end of the trail. */
export type Codec = (value: unknown, trail: Trail) => unknown

/** What is thrown for a value that a refinement refuses. It is no Error, since it is a client's fault,
 *  and a stack costs much. */
export class Refusal {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** Which way values go: from what is sent to what handlers read, or back. */
export type Direction = 'decode' | 'encode'

/** The codecs of an object's fields. */
export interface FieldCodecs {
  readonly named: ReadonlyMap<string, Codec>
  /** Whether fields of other names are changed too. */
  readonly isOpen: boolean
  find(name: string): Codec | undefined
}

/** The codec of an object with these fields. */
export function createObjectCodec(fields: FieldCodecs, direction: Direction): Codec {
  const names = [...fields.named.keys()]
  return (value, trail) => {
    const source = direction === 'encode' ? serialized(value) : value
    if (!isObject(source)) return value
    let copy: Record<string, unknown> | undefined
    const all = fields.isOpen ? new Set([...Object.keys(source), ...names]) : names
    for (const name of all) {
      const codec = fields.find(name)
      if (codec === undefined || !hasField(source, name)) continue
      const field = source[name]
      if (field === undefined) continue
      trail.push(name)
      const changed = codec(field, trail)
      trail.pop()
      if (changed === field) continue
      copy ??= direction === 'encode' ? plainCopy(source, names) : copyOf(source)
      copy[name] = changed
    }
    return copy ?? value
  }
}

/** The codec of a list: of its first items one by one, and of all others. */
export function createListCodec(
  first: readonly (Codec | undefined)[],
  others: Codec | undefined,
): Codec {
  return (value, trail) => {
    if (!Array.isArray(value)) return value
    const items: readonly unknown[] = value
    let copy: unknown[] | undefined
    for (const [index, item] of items.entries()) {
      const codec = index < first.length ? first[index] : others
      if (codec === undefined) continue
      trail.push(String(index))
      const changed = codec(item, trail)
      trail.pop()
      if (changed === item) continue
      copy ??= [...items]
      copy[index] = changed
    }
    return copy ?? items
  }
}

/** The codec of several schemas that hold at once: each is given the value as it came, and what each
 *  has changed is put together. Undefined where there is none. */
export function joinCodecs(codecs: readonly (Codec | undefined)[]): Codec | undefined {
  const all = codecs.filter((codec) => codec !== undefined)
  if (all.length < 2) return all[0]
  return (value, trail) =>
    all.map((codec) => codec(value, trail)).reduce((one, other) => joinChanges(value, one, other))
}

function joinChanges(base: unknown, one: unknown, other: unknown): unknown {
  if (other === base) return one
  if (one === base) return other
  if (Array.isArray(base) && Array.isArray(one) && Array.isArray(other)) {
    return one.map((item, index) => joinChanges(base[index], item, other[index]))
  }
  if (!isObject(base) || !isObject(one) || !isObject(other)) return other
  const copy = copyOf(one)
  for (const [name, field] of Object.entries(other)) {
    const isShared = Object.hasOwn(one, name)
    copy[name] = isShared ? joinChanges(base[name], one[name], field) : field
  }
  return copy
}

/** What serializers see of a value. */
function serialized(value: unknown): unknown {
  const toJSON = isObject(value) ? value['toJSON'] : undefined
  return typeof toJSON === 'function' ? Reflect.apply(toJSON, value, []) : value
}

/** The fields of a plain object are its own; those of an instance may be getters of its class. */
function hasField(source: object, name: string): boolean {
  return Object.hasOwn(source, name) || (!isPlainObject(source) && name in source)
}

function copyOf(source: object): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...source }
  const prototype: unknown = Object.getPrototypeOf(source)
  // A query has no prototype to speak of, and neither has its copy.
  if (prototype !== Object.prototype) Object.setPrototypeOf(copy, prototype as object | null)
  return copy
}

/** A copy for a serializer. Without a prototype of its own, since `toJSON` was called already. */
function plainCopy(source: object, names: readonly string[]): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...source }
  if (isPlainObject(source)) return copy
  for (const name of names) {
    if (name in source) copy[name] = Reflect.get(source, name)
  }
  return copy
}
