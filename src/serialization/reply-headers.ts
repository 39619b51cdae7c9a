import type { HeaderValue } from '../http/headers.ts'
import { readFluent } from '../schema/fluent-schema.ts'
import type { ValidatorFunction } from '../schema/compiler-types.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import { type JsonObject, readSafely } from '../types/objects.ts'
import { toStandardSerializer } from './standard-serializer.ts'

/** A header of a reply that its schema refuses, and why. */
export interface UnfitHeader {
  readonly name: string
  readonly problem: string
}

/** Finds a header of a reply that its schema refuses. Undefined if there is none. */
export type HeaderCheck = (
  get: (name: string) => HeaderValue | undefined,
) => UnfitHeader | undefined

/** Makes the check of the headers of one entry. A header that is not set is no fault, and each line
 *  of one that is sent several times is checked by itself.
 *  @param compile makes a validator of text by the name of a header */
export function checkHeaders(
  schemas: JsonObject,
  compile: (schema: JsonObject) => ValidatorFunction,
): HeaderCheck {
  const checks = Object.entries(schemas).map(([given, schema]) => {
    const name = given.toLowerCase()
    const properties = { [name]: readFluent(schema) }
    const problemOf = isStandardSchema(schema)
      ? byLibrary(toStandardSerializer(schema))
      : byText(name, compile({ type: 'object', properties }))
    return { name, problemOf }
  })
  return (get) => {
    for (const { name, problemOf } of checks) {
      const value = get(name)
      const lines = value === undefined ? [] : [value].flat()
      const problem = lines.map(problemOf).find((each) => each !== undefined)
      if (problem !== undefined) return { name, problem: `the header ${name} ${problem}` }
    }
    return undefined
  }
}

type ProblemOf = (line: string | number) => string | undefined

function byText(name: string, validate: ValidatorFunction): ProblemOf {
  return (line) => {
    if (validate({ [name]: String(line) }) === true) return undefined
    const message = readSafely(validate.errors?.[0], 'message')
    return typeof message === 'string' ? message : 'is not valid'
  }
}

function byLibrary(serialize: (value: unknown) => unknown): ProblemOf {
  return (line) => {
    try {
      serialize(line)
      return undefined
    } catch (error) {
      return `is refused: ${(error as Error).message}`
    }
  }
}
