import type { Ajv } from 'ajv'
import type { Options } from 'fast-json-stringify'
import { bundleSchema, subschemasOf, type Bundle } from '../schema/bundle.ts'
import type { Compilation, Recipe } from '../schema/compilation.ts'
import type { Serializer, SerializerCompiler } from '../schema/compiler-types.ts'
import {
  inheritedNames,
  nameByPatterns,
  namesInherited,
  withoutPrototypes,
} from '../schema/prototype-names.ts'
import { hasUnion } from '../schema/sure-schema.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import type { JsonObject } from '../types/objects.ts'
import { lazy } from '../schema/lazy.ts'
import { formatsCode } from '../validation/making.ts'
import { withExactNumbers } from '../schema/exact-json.ts'
import { bigInt, copyOf, runtime } from '../validation/runtime.ts'
import { checkAdditionalProperties } from './additional-properties.ts'
import { writeBigInts } from './big-ints.ts'
import { compareExactValues, sameJson } from './exact-values.ts'
import { allowPlace } from './failure-place.ts'
import { refuseShadowedAlternatives } from './shadowed-alternatives.ts'
import { toStandardSerializer } from './standard-serializer.ts'
import {
  isChoice,
  noDate,
  orderTypes,
  refuseUntypedNullable,
  typeAlternatives,
  typeTupleItems,
} from './written-types.ts'
import late from '../packages/late.cjs'

/** The options of fast-json-stringify, without those that the server sets itself. */
export type FastJsonOptions = Omit<Options, 'schema' | 'mode' | 'debugMode'>

/** What a serializer compiler is made with. */
export interface SerializerTools {
  readonly options: FastJsonOptions
  /** The name of what is compiled with these tools. */
  readonly kind: string
  /** Changes a schema before it is compiled, or throws for one that is wrong. Where it is undefined
   *  fast-json-stringify gets the schema as it is, and may write less than the schema says. */
  readonly prepare: ((bundle: Bundle) => void) | undefined
  /** Whether a number that JSON does not have is an error, and errors say at which place of the
   *  payload they are. If false, null is written for such a number. */
  readonly isExact: boolean
}

/** Makes serializer compilers, one for each set of shared schemas. Routes with equal schemas share
 *  one serializer. */
export function createFastJsonCompilerFactory(
  tools: SerializerTools,
  compilation: Compilation,
): (externalSchemas: Readonly<Record<string, JsonObject>>) => SerializerCompiler {
  const recipe: Recipe<SerializerParts, Serializer> = {
    kind: tools.kind,
    compile(bundle) {
      const readsOwn = namesInherited(bundle)
      const { check, options } = complete(tools, bundle)
      const write = tools.isExact ? buildExact(bundle, options) : build(bundle, options)
      return { write, check, readsOwn }
    },
    load(write, bundle) {
      const readsOwn = namesInherited(bundle)
      const check = tools.prepare && completeSchema(bundle).check
      return { write: write as Serializer, check, readsOwn }
    },
    finish: ({ write, check, readsOwn }) => {
      const made = finish({ write, check, readsOwn })
      return tools.isExact ? allowPlace(made, write) : made
    },
    later: (make) => (payload) => make()(payload),
    mayWait: true,
  }
  return (externalSchemas) =>
    ({ schema: given }) => {
      if (isStandardSchema(given)) return toStandardSerializer(given)
      const bundle = bundleSchema(given as JsonObject, externalSchemas)
      if (bundle.merges) throw new Error('$merge and $patch are for request parts only')
      if (tools.prepare !== undefined && hasUnion(bundle.text ?? ''))
        refuseShadowedAlternatives(bundle)
      return compilation.use(recipe, bundle)
    }
}

/** The code of the serializer of a schema, as an expression. */
export function writeSerializer(tools: SerializerTools, bundle: Bundle): string {
  const { options } = complete(tools, bundle)
  const code = { ...options.ajv?.code, formats: formatsCode(copyOfSerializer()) }
  const ajv = { ...options.ajv, code }
  const text = writeCode(bundle, { ...options, ajv }, tools.isExact)
  // Schemas have numbers, which depend on the schemas that were compiled before.
  const numbers = new Map<string, number>()
  return text.replaceAll(/(?<=__fjs_[a-z]+_)\d+/g, (number) => {
    numbers.set(number, numbers.get(number) ?? numbers.size)
    return String(numbers.get(number))
  })
}

/** The code of a serializer that refuses numbers which JSON does not have. */
export const writeSerializerCode = (bundle: Bundle, options: FastJsonOptions): string =>
  writeCode(bundle, options, true)

function writeCode(bundle: Bundle, options: Options, isExact: boolean): string {
  const written = build(bundle, { ...options, mode: 'standalone', inlineValidators: true })
  const text = isExact
    ? String(written).replace(
        /(?<=const serializer = ).*/,
        'runtime.withExactNumbers($&), { JSON } = serializer',
      )
    : String(written)
  return `((module) => {${text}\nreturn module.exports})({})`
}

/** The copy of ajv that fast-json-stringify has. */
const copyOfSerializer = lazy(() => {
  // cast: a name for what `mode: 'debug'` returns in place of the serializer
  const made: unknown = late.fastJsonStringify()({}, { mode: 'debug' })
  return copyOf((made as { readonly ajv: Ajv }).ajv)
})

interface SerializerParts {
  readonly write: Serializer
  /** Is called with each payload before it is written, and throws for a wrong one. */
  readonly check: ((payload: unknown) => void) | undefined
  /** Whether payloads are written without what they inherit. */
  readonly readsOwn: boolean
}

function finish({ write, check, readsOwn }: SerializerParts): Serializer {
  const checked: Serializer = (payload) => {
    check?.(payload)
    return write(payload)
  }
  const own = check === undefined ? write : checked
  return readsOwn ? (payload) => own(withoutPrototypes(payload)) : own
}

/** Changes a schema into the one that is compiled. */
function complete(
  { options, prepare }: SerializerTools,
  bundle: Bundle,
): Pick<SerializerParts, 'check'> & { readonly options: Options } {
  prepare?.(bundle)
  writeBigInts(bundle, prepare !== undefined)
  const { check, schemas } = prepare === undefined ? {} : completeSchema(bundle)
  if (namesInherited(bundle)) nameByPatterns(bundle, inheritedNames)
  // Assigned, since the types of fast-json-stringify require a `type` in each of these schemas.
  const all: Options = { ...options }
  if (schemas !== undefined) Object.assign(all, { schema: schemas })
  return { check, options: all }
}

/** What the serializer of a schema needs besides the schema. */
interface Completion {
  /** Is called with each payload before it is written, and throws for a wrong one. */
  readonly check?: ((payload: unknown) => void) | undefined
  /** Schemas to which the schema refers by these names. */
  readonly schemas?: Readonly<Record<string, JsonObject>>
}

/** Changes a schema so that fast-json-stringify, which reads fewer keywords than ajv, writes all
 *  that the schema says.
 *  @throws Error for a schema of which it would never write some part */
function completeSchema(bundle: Bundle): Completion {
  refuseUntypedNullable(bundle)
  refuseShadowedAlternatives(bundle)
  orderTypes(bundle)
  typeAlternatives(bundle)
  typeTupleItems(bundle)
  const check = checkAdditionalProperties(bundle)
  return { check, schemas: compareExactValues(bundle) }
}

/** Builds a serializer that refuses numbers which JSON does not have. The code that
 *  fast-json-stringify writes is changed for it. To give this code as it runs, with what chooses
 *  among alternatives, fast-json-stringify makes an ajv, which is expensive. So where there are no
 *  alternatives, the code is the one for a module. */
export function buildExact(bundle: Bundle, options: Options): Serializer {
  let parts
  if (subschemasOf(bundle).some(isChoice)) {
    const made: unknown = build(bundle, { ...options, mode: 'debug' })
    // cast: what `mode: 'debug'` returns in place of the serializer
    const { code, validator, serializer } = made as DebugParts
    parts = {
      code: `const { JSON } = serializer\n${code}`,
      validator,
      serializer: withExactNumbers(serializer),
    }
  } else {
    const code = `const { require, runtime } = serializer\nreturn ${writeCode(bundle, options, true)}`
    parts = { code, validator: null, serializer: { require: late.compiledCode, runtime } }
  }
  // The types of fast-json-stringify say that it takes a function.
  return Reflect.apply(late.fastJsonStringify().restore, undefined, [parts]) as Serializer
}

interface DebugParts {
  readonly code: string
  readonly validator: object
  readonly serializer: object
}

/** @throws Error where schemas that hold together contradict each other. fast-json-stringify merges
 *  each field of an object with that of `then` and `else`, even where no value can match both. */
function build({ schema }: Bundle, options: Options): Serializer {
  try {
    const keywords = [...(options.ajv?.keywords ?? []), noDate, sameJson, bigInt]
    return late.fastJsonStringify()(schema, { ...options, ajv: { ...options.ajv, keywords } })
  } catch (error) {
    const isContradiction = error instanceof Error && error.name === 'JsonSchemaMergeError'
    const keyword = isContradiction ? /"(.*)"/.exec(error.message)?.[1] : undefined
    if (keyword === undefined) throw error
    const message =
      'schemas that hold together (allOf, if/then/else, or keywords beside $ref) have another ' +
      `'${keyword}' for the same value, and cannot be joined. Describe the value in one of them`
    throw new Error(message, { cause: error })
  }
}
