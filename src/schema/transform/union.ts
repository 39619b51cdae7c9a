import type { Codec, Trail } from './structure.ts'

/** Whether a value fits a schema. */
export type Matcher = (value: unknown) => boolean

/** Makes the matchers of a schema. */
export interface Matchers {
  /** Takes the value as it is. */
  exact(schema: object | boolean): Matcher
  /** Takes what the value is as JSON, with the defaults of the schema, without what it does not have. */
  loose(schema: object | boolean): Matcher
}

/** One schema of a union. */
export interface Member {
  readonly schema: object | boolean
  readonly codec: Codec | undefined
}

/** Decodes by the first member that the value fits. @param keyword `anyOf` or `oneOf` */
export function createUnionDecoder(
  members: readonly Member[],
  matchers: Matchers,
  keyword: string,
): Codec {
  const tests = members.map(({ schema, codec }) => ({ codec, fits: matchers.exact(schema) }))
  return (value, trail) => {
    for (const { codec, fits } of tests) {
      if (fits(value)) return codec === undefined ? value : codec(value, trail)
    }
    throw new Error(`must match a schema in ${keyword}`)
  }
}

/** Encodes by the first member that the encoded value fits. A value that fits none is left to the
 *  serializer, unless a member failed to encode it. */
export function createUnionEncoder(members: readonly Member[], matchers: Matchers): Codec {
  const tests = members.map(({ schema, codec }) => ({
    codec,
    // A payload may leave out defaults, and have dates where there is text: so it is asked twice.
    passes: [matchers.exact(schema), matchers.loose(schema)] as const,
  }))
  return (value, trail) => {
    const attempts = tests.map(({ codec, passes }) => ({ ...attempt(codec, value, trail), passes }))
    for (const pass of [0, 1] as const) {
      for (const { failure, encoded, passes } of attempts) {
        if (failure === undefined && passes[pass](encoded)) return encoded
      }
    }
    const failure = attempts.find((each) => each.failure !== undefined)?.failure
    if (failure === undefined) return value
    trail.push(...failure.trail)
    throw failure.error
  }
}

interface Attempt {
  readonly encoded?: unknown
  readonly failure?: { readonly error: unknown; readonly trail: Trail }
}

function attempt(codec: Codec | undefined, value: unknown, trail: Trail): Attempt {
  const { length } = trail
  try {
    return { encoded: codec === undefined ? value : codec(value, trail) }
  } catch (error) {
    return { failure: { error, trail: trail.splice(length) } }
  }
}
