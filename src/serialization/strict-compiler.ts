import type { Ajv, ValidateFunction } from 'ajv'
import { type Bundle, bundleSchema } from '../schema/bundle.ts'
import type { Compilation, Recipe } from '../schema/compilation.ts'
import type { Serializer, SerializerCompiler } from '../schema/compiler-types.ts'
import { nameByPatterns, namesInherited } from '../schema/prototype-names.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import { outputOf, setOutput } from '../schema/text-output.ts'
import type { JsonObject } from '../types/objects.ts'
import { type Coded, codedValidator, codeOf } from '../validation/runtime.ts'
import { closeReply, type Note } from '../validation/strict-ajv.ts'
import { compileProjection, dropUnnamed, type Projection, UnfitPayload } from './projection.ts'
import { toStandardSerializer } from './standard-serializer.ts'

/** What a strict serializer compiler is made with. */
export interface StrictSerializerTools {
  readonly ajv: () => Ajv
  /** The name of what is compiled with these tools. */
  readonly kind: string
  /** Changes a schema before it is compiled, or throws for one that is wrong. */
  readonly prepare: (bundle: Bundle) => void
}

/** Makes serializer compilers of strict mode, one for each set of shared schemas. Their serializers
 *  write the projection of a payload on its schema, if that is valid as it is. */
export function createStrictCompilerFactory(
  tools: StrictSerializerTools,
  compilation: Compilation,
): (externalSchemas: Readonly<Record<string, JsonObject>>) => SerializerCompiler {
  const recipe: Recipe<ValidateFunction, Serializer> = {
    kind: tools.kind,
    compile: (bundle) => compile(tools, bundle).ref,
    load: (compiled) => compiled as ValidateFunction,
    finish: (validate, bundle) => finish(compileProjection(closeReply(bundle)), validate),
    later: (make) =>
      setOutput(
        (payload) => make()(payload),
        (payload) => outputOf(make())?.(payload),
      ),
    mayWait: true,
  }
  return (externalSchemas) =>
    ({ schema }) => {
      if (isStandardSchema(schema)) return toStandardSerializer(schema)
      const bundle = bundleSchema(schema as JsonObject, externalSchemas)
      if (bundle.merges) throw new Error('$merge and $patch are for request parts only')
      return compilation.use(recipe, bundle)
    }
}

/** The code of what validates the payloads of a schema, as an expression. */
export function writeStrictSerializer(tools: StrictSerializerTools, bundle: Bundle): string {
  return codeOf(compile(tools, bundle))
}

function compile({ ajv, prepare }: StrictSerializerTools, bundle: Bundle): Coded<ValidateFunction> {
  prepare(bundle)
  if (namesInherited(bundle)) nameByPatterns(bundle, ['__proto__'])
  const validate = ajv().compile(closeReply(bundle).schema)
  if ('$async' in validate) throw new Error('an $async schema cannot serialize a reply')
  return codedValidator(ajv(), validate)
}

function finish(project: Projection, validate: ValidateFunction): Serializer {
  const output = (payload: unknown): unknown => {
    const projected = project(payload)
    const notes: Note[] = []
    // Rules may count the fields, so that a value without some of them is validated again.
    const isValid =
      validate.call(notes, projected) && (!dropUnnamed(notes) || validate.call([], projected))
    if (isValid) return projected
    const [first] = validate.errors ?? []
    throw new UnfitPayload(
      `${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`.trim(),
    )
  }
  return setOutput((payload) => JSON.stringify(output(payload)), output)
}
