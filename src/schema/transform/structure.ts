import { isObject, isPlainObject } from '../values.ts'

/** The way from the root of a value to the place that is being changed, for messages. */
export type Trail = string[]

/** Gives a value in its other form: the same where there is nothing to change, a copy otherwise.
 *  What it throws was thrown at the end of the trail. */
export type Codec = (value: unknown, trail: Trail) => unknown

/** What is thrown for a value that a refinement refuses. It is no Error, since it is a client's
 *  fault, and a stack costs much. */
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

/** The codec of several schemas that hold at once: each is given the value as it came, and what
 *  each has changed is put together. Undefined where there is none. */
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

/** Whether a value fits a schema. */
export type Matcher = (value: unknown) => boolean

/** Makes the matchers of a schema. */
export interface Matchers {
  /** Takes the value as it is. */
  exact(schema: object | boolean): Matcher
  /** Takes the value as it is, with dates in the place of their text. */
  written(schema: object | boolean): Matcher
  /** Takes what the value is as JSON, with the defaults of the schema, without what it does not
   *  have. */
  loose(schema: object | boolean): Matcher
  /** Takes the value as it is, with such dates, where the schema says all of it (`whole.ts`). */
  whole(schema: object | boolean): Matcher
}

/** One schema of a union. */
export interface Member {
  readonly schema: object | boolean
  readonly codec: Codec | undefined
}

/** Decodes by the first member that the value fits, and that does not refuse it. @param keyword
 *  `anyOf` or `oneOf` */
export function createUnionDecoder(
  members: readonly Member[],
  matchers: Matchers,
  keyword: string,
): Codec {
  const tests = members.map(({ schema, codec }) => ({ codec, fits: matchers.exact(schema) }))
  return (value, trail) => {
    let refused: Failure | undefined
    for (const { codec, fits } of tests) {
      if (!fits(value)) continue
      const { changed, failure } = attempt(codec, value, trail)
      if (failure === undefined) return changed
      if (!(failure.error instanceof Refusal)) return fail(failure, trail)
      refused ??= failure
    }
    if (refused !== undefined) return fail(refused, trail)
    throw new Error(`must match a schema in ${keyword}`)
  }
}

/** Encodes by the first member that the encoded value fits; by a later one where that leaves more
 *  of the value as it stands, since an `Encode` may make something of what it never was meant for:
 *  text of null. So a value leaves as it stands where a member without a codec says all of it, and
 *  no `Encode` is asked.
 *
 *  It does not where an earlier member takes it in the form in which it is sent: that one would
 *  decode it, and is what the serializer writes by. So what was read leaves as it came, where text
 *  was decoded to other text; which of the two a value is then the order says.
 *
 *  A value that fits none is left to the serializer, unless a member failed to encode it. */
export function createUnionEncoder(members: readonly Member[], matchers: Matchers): Codec {
  const tests = members.map(({ schema, codec }) => ({
    codec,
    // A payload may leave out defaults, and have what becomes text as JSON: so it is asked twice.
    passes: [matchers.written(schema), matchers.loose(schema)] as const,
    isWhole: matchers.whole(schema),
  }))
  const lastPlain = tests.findLastIndex(({ codec }) => codec === undefined)
  const asked = tests.slice(0, lastPlain + 1)
  return once((value, trail) => {
    if (standsPlain(asked, value)) return value
    const attempts = tests.map((test): Tried => {
      const { changed, failure } = attempt(test.codec, value, trail)
      return { test, changed, failure }
    })
    for (const pass of [0, 1] as const) {
      const first = attempts.findIndex(
        // What has become undefined was no value of that member, even where anything is one: it would not be sent.
        ({ test, changed, failure }) =>
          failure === undefined && changed !== undefined && test.passes[pass](changed),
      )
      if (first < 0) continue
      return attempts.slice(first).reduce((one, other) => nearer(value, one, other)).changed
    }
    const failure = attempts.find((each) => each.failure !== undefined)?.failure
    return failure === undefined ? value : fail(failure, trail)
  })
}

/** A codec that is asked once for each object of a payload, which has one trail. Each member of a
 *  union around it asks it again: of a schema that leads to itself it would be 2 to the power of
 *  the depth. */
function once(codec: Codec): Codec {
  let known = new WeakMap<object, Attempt>()
  let current: Trail | undefined
  return (value, trail) => {
    if (!isHolder(value)) return codec(value, trail)
    if (current !== trail) {
      current = trail
      known = new WeakMap()
    }
    const result = known.get(value) ?? attempt(codec, value, trail)
    known.set(value, result)
    return result.failure === undefined ? result.changed : fail(result.failure, trail)
  }
}

interface Test {
  readonly codec: Codec | undefined
  readonly passes: readonly [written: Matcher, loose: Matcher]
  readonly isWhole: Matcher
}

interface Tried {
  readonly test: Test
  readonly changed: unknown
  readonly failure: Failure | undefined
}

/** Whether a value is one of a member without a codec, and of none before it. */
function standsPlain(tests: readonly Test[], value: unknown): boolean {
  for (const { codec, passes, isWhole } of tests) {
    if (codec === undefined ? isWhole(value) : passes[0](value)) return codec === undefined
  }
  return false
}

/** Of two members the one that a value is of: the later where that leaves more of it as it stands,
 *  and says all of what it has made of it, which the earlier would not take for its own. */
function nearer(value: unknown, one: Tried, other: Tried): Tried {
  // One without a codec was asked already, by `standsPlain`. What has no parts is encoded as a whole by both.
  if (other.test.codec === undefined || other.failure !== undefined || !isHolder(value)) return one
  const [kept, made] = [one.changed, other.changed]
  if (!keepsAll(value, made, kept) || keepsAll(value, kept, made)) return one
  return other.test.isWhole(made) && !one.test.passes[0](made) ? other : one
}

/** Whether a form of a value has left all of it that another has left. What is of another form
 *  altogether cannot be compared. */
function keepsAll(value: unknown, form: unknown, other: unknown): boolean {
  if (form === value) return true
  if (other === value || isHolder(form) !== isHolder(other)) return false
  if (!isHolder(value) || !isHolder(form) || !isHolder(other)) return true
  return Object.keys(value).every((key) => keepsAll(value[key], form[key], other[key]))
}

function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

interface Attempt {
  readonly changed?: unknown
  readonly failure?: Failure
}

interface Failure {
  readonly error: unknown
  readonly trail: Trail
}

function fail({ error, trail: end }: Failure, trail: Trail): never {
  trail.push(...end)
  throw error
}

function attempt(codec: Codec | undefined, value: unknown, trail: Trail): Attempt {
  const { length } = trail
  try {
    return { changed: codec === undefined ? value : codec(value, trail) }
  } catch (error) {
    return { failure: { error, trail: trail.splice(length) } }
  }
}
