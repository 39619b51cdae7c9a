import { errorCodes } from '../errors/codes.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type {
  BucketFactory,
  BuildSerializer,
  BuildValidator,
  SerializerCompiler,
  ValidatorCompiler,
} from '../schema/compiler-types.ts'
import { Compilation } from '../schema/compilation.ts'
import type { CompiledSchemas, CompileTime } from '../schema/compilation.ts'
import type { Bundle } from '../schema/bundle.ts'
import type { SharedSchemas } from '../schema/shared-schemas.ts'
import { refusePromise } from '../errors/refuse-promise.ts'
import { describe } from '../errors/describe.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import { lazy } from '../schema/lazy.ts'
import {
  createFastJsonCompilerFactory,
  type FastJsonOptions,
  type SerializerTools,
} from '../serialization/fast-json-compiler.ts'
import {
  createStrictCompilerFactory,
  type StrictSerializerTools,
} from '../serialization/strict-compiler.ts'
import type { AjvOptions, AjvSettings } from '../validation/ajv.ts'
import {
  type AjvTools,
  createAjvCompilerFactory,
  createJtdCompiler,
  type SourceTools,
} from '../validation/ajv-compiler.ts'
import { createCodecsFactory } from '../validation/codecs.ts'
import { runtime } from '../validation/runtime.ts'
import {
  checkVocabulary,
  closeRequest,
  closeSchema,
  createAjv,
  createDefaultsComputer,
  createStrictAjv,
  createStrictFirst,
  refuseUncomputed,
  usualDefaults,
} from '../validation/making.ts'
import type { Source } from '../validation/strict-first.ts'
import type { DefaultCompilers, ModeCompilers } from '../route/schemas/compiler.ts'
import late from '../packages/late.cjs'
import { version } from '../version.ts'
import type { Methods } from '../http/methods.ts'
import type { Context } from '../context/context.ts'

export interface CompilerOptions {
  readonly ajv: AjvOptions
  readonly serializerOpts: FastJsonOptions
  readonly jsonShorthand: boolean
  readonly compile: CompileTime
  readonly compiled?: CompiledSchemas | undefined
  readonly whenStale: 'fail' | 'warn'
  readonly dialect: Dialect
}

/** The default compilers of a server, and what decides when they compile. */
export interface ServerCompilers extends DefaultCompilers {
  readonly compilation: Compilation
}

/** The compilers of a server. Each is made at its first use, by the server's own factories or by
 *  those of a schema controller. */
export function createCompilers(
  options: CompilerOptions,
  methods: Methods,
  report: DefaultCompilers['report'],
): ServerCompilers {
  const { ajv, serializerOpts, jsonShorthand } = options
  const compilation = createCompilation(options)
  const given = { customOptions: {}, plugins: [], ...ajv }
  const share = (factories: Factories): ModeCompilers => ({
    validatorCompiler: shareBySource((schemas, build?: BuildValidator) =>
      build === undefined ? factories.createValidator(schemas) : build(schemas, { ...given }),
    ),
    serializerCompiler: shareBySource((schemas, build?: BuildSerializer) =>
      build === undefined
        ? factories.createSerializer(schemas)
        : build(schemas, { ...serializerOpts }),
    ),
    freeSerializerCompiler: shareBySource(factories.createFreeSerializer),
  })
  return {
    methods,
    jsonShorthand,
    report,
    usual: share(createFactories(options, compilation)),
    strict: share(createStrictFactories(options, compilation)),
    codecs: shareBySource(createCodecsFactory(ajv, compilation)),
    compilation,
  }
}

/** What makes the default compilers of one mode, by shared schemas. */
interface Factories {
  readonly createValidator: CompilerFactory<ValidatorCompiler>
  readonly createSerializer: CompilerFactory<SerializerCompiler>
  readonly createFreeSerializer: CompilerFactory<SerializerCompiler>
}

type CompilerFactory<Compiler> = (schemas: Readonly<Record<string, JsonObject>>) => Compiler

function createFactories(options: CompilerOptions, compilation: Compilation): Factories {
  const { validator, serializer, freeSerializer } = createTools(options)
  return {
    createValidator:
      options.ajv.mode === 'JTD'
        ? lazy(() => createJtdCompiler(options.ajv))
        : createAjvCompilerFactory(validator, compilation),
    createSerializer: createFastJsonCompilerFactory(serializer, compilation),
    createFreeSerializer: createFastJsonCompilerFactory(freeSerializer, compilation),
  }
}

function createStrictFactories(options: CompilerOptions, compilation: Compilation): Factories {
  const tools = lazy(() => createStrictTools(options))
  return {
    createValidator: (schemas) => createAjvCompilerFactory(tools().validator, compilation)(schemas),
    createSerializer: (schemas) =>
      createStrictCompilerFactory(tools().serializer, compilation)(schemas),
    createFreeSerializer: (schemas) =>
      createStrictCompilerFactory(tools().freeSerializer, compilation)(schemas),
  }
}

/** What the default compilers compile with. */
interface CompilerTools {
  readonly validator: AjvTools
  readonly serializer: SerializerTools
  /** Accepts keywords that ajv does not know. */
  readonly freeSerializer: SerializerTools
}

export function createTools({
  ajv: given,
  serializerOpts,
  dialect,
}: CompilerOptions): CompilerTools {
  const settings: AjvSettings = { ...given, strictFirst: dialect.validation.strictFirst }
  const isChecked = settings.mode !== 'JTD' && dialect.validation.checksVocabulary
  const strictFirst = createStrictFirst(settings)
  const ajv = lazy(() => strictFirst?.extend(createAjv(settings)) ?? createAjv(settings))
  const computeDefaults = createDefaultsComputer(usualDefaults(settings))
  const prepare = (bundle: Bundle): void => {
    if (isChecked) refuseUncomputed(bundle)
    if (isChecked && settings.customOptions?.useDefaults !== false) computeDefaults(bundle)
  }
  const formats = settings.customOptions?.formats
  const serializerTools = (isFree: boolean): SerializerTools => ({
    options: isChecked ? addFormats(serializerOpts, formats) : serializerOpts,
    kind: isFree ? 'free-response' : 'response',
    isExact: dialect.reply.exactNumbers,
    prepare: isChecked
      ? (bundle) => {
          refuseUncomputed(bundle)
          if (!isFree) checkVocabulary(ajv(), bundle)
          computeDefaults(bundle)
        }
      : undefined,
  })
  return {
    validator: { of: () => ({ ajv: ajv(), strictFirst }), dialect, prepare, close: undefined },
    serializer: serializerTools(false),
    freeSerializer: serializerTools(true),
  }
}

/** What the compilers of strict mode compile with. */
interface StrictTools {
  readonly validator: AjvTools
  readonly serializer: StrictSerializerTools
  readonly freeSerializer: StrictSerializerTools
}

export function createStrictTools({
  ajv: given,
  serializerOpts,
  dialect,
}: CompilerOptions): StrictTools {
  const settings: AjvSettings = { ...given, strictFirst: true, coercesExactly: true }
  const computeDefaults = createDefaultsComputer({
    ajvs: (over) => [createStrictAjv(settings, 'json', over)],
    close: closeSchema,
  })
  const prepare = (bundle: Bundle): void => {
    refuseUncomputed(bundle)
    if (settings.customOptions?.useDefaults !== false) computeDefaults(bundle)
  }
  const strictFirst = createStrictFirst(withoutConversions(settings))
  const ofText = lazy(() => {
    const ajv = createStrictAjv(settings, 'text')
    return { ajv: strictFirst?.extend(ajv) ?? ajv, strictFirst }
  })
  const ofJson = lazy(() => ({ ajv: createStrictAjv(settings, 'json'), strictFirst: undefined }))
  const ofResponses = {
    ajv: lazy(() => createStrictAjv(settings, 'reply')),
    options: serializerOpts,
  }
  const check = (bundle: Bundle): void => {
    checkVocabulary(ofJson().ajv, bundle)
    prepare(bundle)
  }
  const of = (source: Source): SourceTools => (source === 'json' ? ofJson() : ofText())
  return {
    validator: { of, dialect, prepare, close: closeRequest },
    serializer: { ...ofResponses, kind: 'strict-response', prepare: check },
    freeSerializer: { ...ofResponses, kind: 'strict-free-response', prepare },
  }
}

/** Strict mode decides what is converted and removed. */
function withoutConversions({ customOptions, ...settings }: AjvSettings): AjvSettings {
  const { coerceTypes: _coerce, removeAdditional: _remove, ...custom } = customOptions ?? {}
  return { ...settings, customOptions: custom }
}

/** Lets a serializer choose among alternatives by the formats of the application too. */
function addFormats(
  options: FastJsonOptions,
  formats: NonNullable<AjvOptions['customOptions']>['formats'],
): FastJsonOptions {
  if (formats === undefined) return options
  return { ...options, ajv: { ...options.ajv, formats: { ...formats, ...options.ajv?.formats } } }
}

/** Decides when schemas are compiled, or takes them from what was compiled ahead of time. */
function createCompilation(options: CompilerOptions): Compilation {
  const { ajv, serializerOpts, dialect, compile, compiled, whenStale } = options
  const { customOptions = {}, plugins = [], mode } = ajv
  return new Compilation({
    time: isForeseen(ajv, serializerOpts) ? compile : 'eager',
    options: [version, dialect.validation, customOptions, mode, plugins.length, serializerOpts],
    compiled: compiled?.isEmpty === true ? undefined : compiled,
    whenStale,
    environment: () => [late.compiledCode, runtime],
  })
}

/** Whether it is known which schemas compile with these options. Plugins and other options of ajv
 *  may change what a keyword means. */
function isForeseen(
  { customOptions = {}, plugins = [], onCreate, mode }: AjvOptions,
  serializerOpts: FastJsonOptions,
): boolean {
  const isUsual = Object.keys(customOptions).every((name) => usualOptions.includes(name))
  const isExtended = plugins.length > 0 || (onCreate ?? mode) !== undefined
  return isUsual && !isExtended && Object.keys(serializerOpts).length === 0
}

/** The options of ajv that make no schema wrong. */
const usualOptions = [
  ...['allErrors', 'coerceTypes', 'jsonPointers', 'messages', 'removeAdditional', 'useDefaults'],
  'verbose',
]

/** Contexts with the same schemas and the same factory share one compiler. */
function shareBySource<Compiler, Build>(
  create: (schemas: Readonly<Record<string, JsonObject>>, build?: Build) => Compiler,
): (schemas: SharedSchemas, build?: Build) => Compiler {
  const made = new Map<Build | undefined, Map<SharedSchemas, Compiler>>()
  return (schemas, build) => {
    const compilers = made.get(build) ?? new Map<SharedSchemas, Compiler>()
    made.set(build, compilers)
    const source = schemas.source()
    const compiler =
      compilers.get(source) ?? refusePromise('compilersFactory', create(source.all(), build))
    compilers.set(source, compiler)
    return compiler
  }
}

/** Sets the schema controller of a context and its children. Parts that it lacks stay as they
 *  were.
 *  @throws ESP_ERR_INIT_OPTS_INVALID, ESP_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN,
 *  ESP_ERR_FUNCTION_EXPECTED */
export function setController(context: Context, given: unknown): void {
  const { parent, schemas, settings, path } = context
  if (!isObject(given)) {
    const what = `The schema controller of ${path} must be an object, but is ${describe(given)}`
    throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(what)
  }
  const { bucket, compilersFactory } = given
  if (bucket !== undefined && !isFactory(bucket)) {
    const details = [path, describe(bucket)]
    throw new errorCodes.ESP_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN(...details)
  }
  for (const key of ['buildValidator', 'buildSerializer'] as const) {
    const build = isObject(compilersFactory) ? compilersFactory[key] : undefined
    if (build === undefined) continue
    if (typeof build !== 'function') {
      throw new errorCodes.ESP_ERR_FUNCTION_EXPECTED(key, path, describe(build))
    }
    Object.assign(settings, { [key]: build })
  }
  if (bucket === undefined) return
  const isBare = parent === undefined && schemas.names().length === 0
  schemas.useBuckets(bucket, isBare ? undefined : schemas.shown())
}

function isFactory(value: unknown): value is BucketFactory {
  return typeof value === 'function'
}
