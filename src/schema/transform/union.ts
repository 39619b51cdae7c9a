import { Refusal, type Codec, type Trail } from './structure.ts'

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

/** Decodes by the first member that the value fits, and that does not refuse it. @param keyword `anyOf` or `oneOf` */
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
      for (const { failure, changed, passes } of attempts) {
        // What has become undefined was no value of that member, even where anything is one: it would not be sent.
        if (failure === undefined && changed !== undefined && passes[pass](changed)) return changed
      }
    }
    const failure = attempts.find((each) => each.failure !== undefined)?.failure
    return failure === undefined ? value : fail(failure, trail)
  }
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
