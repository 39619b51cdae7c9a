import { isObject, isPlainObject } from '../../types/objects.ts'

/** The path from the root of a value to the part that is being changed, for messages. */
export type Trail = string[]

/** Decodes or encodes a value. Returns the value itself if nothing changes, a copy otherwise. If it
 *  throws, the trail leads to the part that failed. */
export type Codec = (value: unknown, trail: Trail) => unknown

/** Thrown for a value that fails a `Type.Refine`. It is no Error: it is the client's mistake, and a
 *  stack is expensive. */
export class RefinementFailure {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** `decode`: from what is sent to what handlers read; `encode`: back. */
export type Direction = 'decode' | 'encode'

/** The codecs of an object's fields. */
export interface FieldCodecs {
  readonly named: ReadonlyMap<string, Codec>
  /** Whether fields with other names may change too. */
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

/** The codec of a list, from the codecs of its first items and the codec of all others. */
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

/** Joins the codecs of schemas that apply to the same value. Each gets the original value; then
 *  their changes are merged. Undefined if there are no codecs. */
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

/** A value as serializers see it. */
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
  // The copy of a query has no prototype either.
  if (prototype !== Object.prototype) Object.setPrototypeOf(copy, prototype as object | null)
  return copy
}

/** A copy for a serializer. An instance loses its prototype, since `toJSON` was called already. */
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

/** Creates the matchers of a schema. */
export interface Matchers {
  /** Matches the value as it is. */
  exact(schema: object | boolean): Matcher
  /** Matches the value as it is, but accepts dates for text. */
  written(schema: object | boolean): Matcher
  /** Matches the JSON of the value, with defaults filled in and additional properties removed. */
  loose(schema: object | boolean): Matcher
  /** As `written`, with the closed schema (`closed-schema.ts`). */
  closed(schema: object | boolean): Matcher
}

/** One schema of a union. */
interface Member {
  readonly schema: object | boolean
  readonly codec: Codec | undefined
}

/** Decodes by the first member that the value fits and whose refinements accept it.
 *  @param keyword `anyOf` or `oneOf` */
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
      if (!(failure.error instanceof RefinementFailure)) return fail(failure, trail)
      refused ??= failure
    }
    if (refused !== undefined) return fail(refused, trail)
    throw new Error(`must match a schema in ${keyword}`)
  }
}

/** Encodes by the first member that accepts the encoded value. A later member wins if it leaves
 *  more of the value unchanged, since an `Encode` may turn a value of another member into something
 *  valid, for instance null into text.
 *
 *  A value stays unchanged if the closed schema of a member without a codec accepts it; then no
 *  `Encode` is called. An exception is a value that an earlier member accepts in the form that is
 *  sent: clients would decode it by that member, and the serializer writes it by that member. So if
 *  text was decoded to other text, the order of the members decides, and it leaves as it came.
 *
 *  A value that fits no member is left to the serializer, unless a member failed to encode it. */
export function createUnionEncoder(members: readonly Member[], matchers: Matchers): Codec {
  const tests = members.map(({ schema, codec }): MemberTest => ({
    codec,
    // A payload may lack defaults, and may hold objects whose JSON is text: hence two passes.
    passes: [matchers.written(schema), matchers.loose(schema)],
    fitsClosed: matchers.closed(schema),
  }))
  const lastPlain = tests.findLastIndex(({ codec }) => codec === undefined)
  const untilPlain = tests.slice(0, lastPlain + 1)
  return once((value, trail) => {
    if (staysUnchanged(untilPlain, value)) return value
    const attempts = tests.map((test): Encoded => ({ test, ...attempt(test.codec, value, trail) }))
    for (const pass of [0, 1] as const) {
      // Undefined would not be sent, so it counts for no member, even if that accepts anything.
      const first = attempts.findIndex(
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

/** A codec that runs once for each object of a payload (each payload has its own trail). Each
 *  member of a union around it would run it again: for a recursive schema 2 to the power of the
 *  depth times. */
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

interface MemberTest {
  readonly codec: Codec | undefined
  readonly passes: readonly [written: Matcher, loose: Matcher]
  readonly fitsClosed: Matcher
}

interface Attempt {
  readonly changed?: unknown
  readonly failure?: Failure
}

interface Failure {
  readonly error: unknown
  readonly trail: Trail
}

/** The encoding of a value by one member. */
interface Encoded extends Attempt {
  readonly test: MemberTest
}

/** Whether a value fits the closed schema of a member without a codec, and no member before it. */
function staysUnchanged(tests: readonly MemberTest[], value: unknown): boolean {
  for (const { codec, passes, fitsClosed } of tests) {
    if (codec === undefined ? fitsClosed(value) : passes[0](value)) return codec === undefined
  }
  return false
}

/** Chooses between two encodings of a value: the later one if it leaves more of the value
 *  unchanged, its closed schema accepts the result, and the earlier member would not accept that
 *  result. */
function nearer(value: unknown, one: Encoded, other: Encoded): Encoded {
  // `staysUnchanged` has tried members without a codec. A value without parts changes as a whole.
  if (other.test.codec === undefined || other.failure !== undefined || !isHolder(value)) return one
  const [kept, made] = [one.changed, other.changed]
  if (!keepsAll(value, made, kept) || keepsAll(value, kept, made)) return one
  return other.test.fitsClosed(made) && !one.test.passes[0](made) ? other : one
}

/** Whether an encoding leaves all parts of a value unchanged that another encoding leaves
 *  unchanged. An object and a value without parts cannot be compared. */
function keepsAll(value: unknown, form: unknown, other: unknown): boolean {
  if (form === value) return true
  if (other === value || isHolder(form) !== isHolder(other)) return false
  if (!isHolder(value) || !isHolder(form) || !isHolder(other)) return true
  return Object.keys(value).every((key) => keepsAll(value[key], form[key], other[key]))
}

/** Whether a value has parts: an object or an array. */
function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
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
