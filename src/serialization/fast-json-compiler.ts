import fastJsonStringify, { type Options } from 'fast-json-stringify'
import { noDate } from './alternatives.ts'
import { bundleSchema, type Bundle } from '../schema/bundle.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import type { JsonObject } from '../schema/values.ts'
import type { Serializer, SerializerCompiler } from '../schema/compiler-types.ts'
import { toStandardSerializer } from './standard-serializer.ts'

/** Options of fast-json-stringify, but for those that say what it makes and which schemas it sees. */
export type FastJsonOptions = Omit<Options, 'schema' | 'mode' | 'debugMode'>

/** Makes serializer compilers, one for each set of shared schemas. A schema that was compiled for
 *  one route serves every other route that has the same.
 *  @param prepare changes a schema before it is compiled, or throws for one that is not to be. What it returns is called with each
 *  payload before that is written */
export function createFastJsonCompilerFactory(
  options: FastJsonOptions,
  prepare: (bundle: Bundle) => ((payload: unknown) => void) | undefined,
): (externalSchemas: Readonly<Record<string, JsonObject>>) => SerializerCompiler {
  const compiled = new Map<string, Serializer>()
  return (externalSchemas) =>
    ({ schema }) => {
      if (isStandardSchema(schema)) return toStandardSerializer(schema)
      const bundle = bundleSchema(schema as JsonObject, externalSchemas)
      if (bundle.merges) throw new Error('$merge and $patch are for request parts only')
      const known = bundle.text === undefined ? undefined : compiled.get(bundle.text)
      if (known !== undefined) return known
      const check = prepare(bundle)
      const write = build(bundle.schema, options)
      const serializer = check === undefined ? write : checked(write, check)
      if (bundle.text !== undefined) compiled.set(bundle.text, serializer)
      return serializer
    }
}

function checked(write: Serializer, check: (payload: unknown) => void): Serializer {
  return (payload) => {
    check(payload)
    return write(payload)
  }
}

/** @throws when schemas that hold together contradict each other. fast-json-stringify joins each field of an object with what
 *  `then` and `else` say of it, also where no value could ever be asked for both. */
function build(schema: JsonObject, options: FastJsonOptions): Serializer {
  try {
    const keywords = [...(options.ajv?.keywords ?? []), noDate]
    return fastJsonStringify(schema, { ...options, ajv: { ...options.ajv, keywords } })
  } catch (error) {
    const keyword = contradicted(error)
    if (keyword === undefined) throw error
    const message =
      `schemas that hold together (allOf, if/then/else, or keywords beside $ref) have another '${keyword}' ` +
      'for the same value, and cannot be joined. Describe the value in one of them'
    throw new Error(message, { cause: error })
  }
}

function contradicted(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'JsonSchemaMergeError') return undefined
  return /"(.*)"/.exec(error.message)?.[1]
}
