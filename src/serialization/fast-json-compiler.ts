import fastJsonStringify, { type Options } from 'fast-json-stringify'
import { noDate } from './written-types.ts'
import { sameJson } from './exact-values.ts'
import { bundleSchema, type Bundle } from '../schema/bundle.ts'
import {
  inheritedNames,
  nameByPatterns,
  namesInherited,
  withoutPrototypes,
} from '../schema/prototype-names.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import type { JsonObject } from '../schema/values.ts'
import type { Serializer, SerializerCompiler } from '../schema/compiler-types.ts'
import { toStandardSerializer } from './standard-serializer.ts'

/** Options of fast-json-stringify, but for those that say what it makes and which schemas it sees. */
export type FastJsonOptions = Omit<Options, 'schema' | 'mode' | 'debugMode'>

/** What a schema needs besides itself to be written. */
export interface Preparation {
  /** Is called with each payload before that is written, and throws for a wrong one. */
  readonly check: ((payload: unknown) => void) | undefined
  /** Schemas that the schema refers to by these names. */
  readonly schemas: Readonly<Record<string, JsonObject>>
}

/** Makes serializer compilers, one for each set of shared schemas. A schema that was compiled for
 *  one route serves every other route that has the same.
 *  @param prepare changes a schema before it is compiled, or throws for one that is not to be */
export function createFastJsonCompilerFactory(
  options: FastJsonOptions,
  prepare: (bundle: Bundle) => Preparation | undefined,
): (externalSchemas: Readonly<Record<string, JsonObject>>) => SerializerCompiler {
  const compiled = new Map<string, Serializer>()
  return (externalSchemas) =>
    ({ schema: given }) => {
      if (isStandardSchema(given)) return toStandardSerializer(given)
      const bundle = bundleSchema(given as JsonObject, externalSchemas)
      if (bundle.merges) throw new Error('$merge and $patch are for request parts only')
      const known = bundle.text === undefined ? undefined : compiled.get(bundle.text)
      if (known !== undefined) return known
      const prepared = prepare(bundle)
      const { check, schemas } = prepared ?? {}
      const isBare = namesInherited(bundle)
      if (isBare) nameByPatterns(bundle, inheritedNames)
      const all: Options = { ...options }
      // Assigned: the types of fast-json-stringify ask for a `type` in each of these schemas.
      if (schemas !== undefined) Object.assign(all, { schema: schemas })
      const write = build(bundle.schema, all)
      const checking = check === undefined ? write : checked(write, check)
      const serializer = isBare ? ofOwn(checking) : checking
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

/** Writes what payloads have themselves, and nothing that they inherit. */
function ofOwn(write: Serializer): Serializer {
  return (payload) => write(withoutPrototypes(payload))
}

/** @throws when schemas that hold together contradict each other. fast-json-stringify joins each field of an object with what
 *  `then` and `else` say of it, also where no value could ever be asked for both. */
function build(schema: JsonObject, options: Options): Serializer {
  try {
    const keywords = [...(options.ajv?.keywords ?? []), noDate, sameJson]
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
