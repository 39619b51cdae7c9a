import fastJsonStringify from 'fast-json-stringify'
import { bundleSchema } from '../schema/bundle.ts'
import type { JsonObject } from '../schema/values.ts'
import type { Serializer, SerializerCompiler } from '../schema/compiler-types.ts'

/** Makes serializer compilers, one for each set of shared schemas. A schema that was compiled for
 *  one route serves every other route that has the same. */
export function createFastJsonCompilerFactory(): (
  externalSchemas: Readonly<Record<string, JsonObject>>,
) => SerializerCompiler {
  const compiled = new Map<string, Serializer>()
  return (externalSchemas) =>
    ({ schema }) => {
      const bundle = bundleSchema(schema as JsonObject, externalSchemas)
      const known = bundle.text === undefined ? undefined : compiled.get(bundle.text)
      if (known !== undefined) return known
      const serializer: Serializer = fastJsonStringify(bundle.schema)
      if (bundle.text !== undefined) compiled.set(bundle.text, serializer)
      return serializer
    }
}
