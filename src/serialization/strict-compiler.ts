import type { Ajv, ValidateFunction } from 'ajv'
import { bigIntKeyword, isBigInt } from '../schema/big-int.ts'
import { type Bundle, bundleSchema } from '../schema/bundle.ts'
import type { Compilation, Recipe } from '../schema/compilation.ts'
import type { Serializer, SerializerCompiler } from '../schema/compiler-types.ts'
import { writeJson } from '../http/exact-json.ts'
import { holds } from '../schema/transform/transforms.ts'
import { nameByPatterns, namesInherited } from '../schema/prototype-names.ts'
import { sensitiveKeyword } from '../schema/sensitive.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import { outputOf, setOutput } from '../schema/text-output.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { type Coded, codedValidator, codeOf } from '../validation/runtime.ts'
import { closeReply, type Note } from '../validation/strict-ajv.ts'
import { hasEarlySchemas } from '../validation/strict-schema.ts'
import { asIntegers } from './big-ints.ts'
import { buildExact, type FastJsonOptions, writeSerializerCode } from './fast-json-compiler.ts'
import { compileProjection, dropUnnamed, type Projection, UnfitPayload } from './projection.ts'
import { toStandardSerializer } from './standard-serializer.ts'

/** What a strict serializer compiler is made with. */
export interface StrictSerializerTools {
  readonly ajv: () => Ajv
  /** The options of fast-json-stringify. */
  readonly options: FastJsonOptions
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
  const recipe: Recipe<StrictParts, Serializer> = {
    kind: tools.kind,
    compile: (bundle) => ({
      validate: compileValidator(tools, bundle).ref,
      write: isPlain(bundle) ? buildExact(asIntegers(bundle), tools.options) : undefined,
    }),
    load: (compiled) => compiled as StrictParts,
    finish: (parts, bundle) => {
      const project = compileProjection(closeReply(bundle))
      // cast: a projection that is valid has a JSON
      const stringify = (holds(bundle.schema, 'bigint') ? writeJson : JSON.stringify) as Serializer
      return finish(parts, project, { stringify, fillsFirst: hasEarlySchemas(bundle) })
    },
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

/** What is compiled for one schema. */
interface StrictParts {
  readonly validate: ValidateFunction
  /** Writes payloads that are valid as they are. Undefined where it may write something else than
   *  the projection of such a payload. */
  readonly write?: Serializer | undefined
}

/** The code of what is compiled for one schema, as an expression. */
export function writeStrictSerializer(tools: StrictSerializerTools, bundle: Bundle): string {
  const write = isPlain(bundle)
    ? `, write: ${writeSerializerCode(asIntegers(bundle), tools.options)}`
    : ''
  return `({ validate: ${codeOf(compileValidator(tools, bundle))}${write} })`
}

function compileValidator(
  { ajv, prepare }: StrictSerializerTools,
  bundle: Bundle,
): Coded<ValidateFunction> {
  prepare(bundle)
  if (namesInherited(bundle)) nameByPatterns(bundle, ['__proto__'])
  const validate = ajv().compile(closeReply(bundle).schema)
  if ('$async' in validate) throw new Error('an $async schema cannot serialize a reply')
  return codedValidator(ajv(), validate)
}

/** How a strict reply is made. */
interface Finishing {
  /** Writes a projection that is valid. */
  readonly stringify: Serializer
  /** Whether defaults have to be filled in before a schema is asked. */
  readonly fillsFirst: boolean
}

function finish(
  { validate, write }: StrictParts,
  project: Projection,
  { stringify, fillsFirst }: Finishing,
): Serializer {
  const output = (payload: unknown): unknown => {
    const projected = project(payload)
    const notes: Note[] = []
    // Rules may count the fields, so that a value without some of them is validated again.
    const isValid =
      (!fillsFirst || validate.call([], projected)) &&
      validate.call(notes, projected) &&
      (!dropUnnamed(notes) || validate.call([], projected))
    if (isValid) return projected
    const [first] = validate.errors ?? []
    throw new UnfitPayload(
      `${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`.trim(),
    )
  }
  const serialize: Serializer = (payload) => stringify(output(payload))
  // Most payloads are valid as they are, and need no copy.
  const quick: Serializer | undefined =
    write && ((payload) => (validate(payload) ? write(payload) : serialize(payload)))
  return setOutput(quick ?? serialize, output)
}

/** Whether fast-json-stringify writes the projection of each payload that is valid as it is. In
 *  schemas of other keywords it may choose, convert or fill in something by itself. */
function isPlain(bundle: Bundle): boolean {
  return !namesInherited(bundle) && isPlainSchema(bundle.schema)
}

function isPlainSchema(schema: unknown): boolean {
  if (!isPlainObject(schema)) return false
  if (isBigInt(schema)) return Object.keys(schema).every((keyword) => bigIntKeywords.has(keyword))
  const { type, properties, items, additionalProperties = false, ...others } = schema
  // fast-json-stringify would not escape such text.
  if (others['format'] === 'unsafe') return false
  const [only, ...more] = [type].flat()
  const isTyped = typeof only === 'string' && (more.length === 0 || more.join() === 'null')
  if (!isTyped || additionalProperties !== false) return false
  if (Object.keys(others).some((keyword) => !plainKeywords.has(keyword))) return false
  if (only === 'array') return more.length === 0 && isPlainSchema(items)
  if (only !== 'object') return properties === undefined && items === undefined
  return (
    more.length === 0 && isPlainObject(properties) && Object.values(properties).every(isPlainSchema)
  )
}

const annotations = [
  ...['title', 'description', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly'],
]
const bigIntKeywords: ReadonlySet<string> = new Set([bigIntKeyword, ...annotations])

/** The keywords besides those above that only refuse values, or say nothing. Not those that fields
 *  which are left out may help to hold: `minProperties`, `uniqueItems`. */
const plainKeywords: ReadonlySet<string> = new Set([
  ...annotations,
  sensitiveKeyword,
  ...['required', 'maxProperties', 'minItems', 'maxItems'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['exclusiveMaximum', 'multipleOf'],
])
