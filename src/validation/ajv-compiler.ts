import type { Ajv, AnySchema, ValidateFunction, ValidationError } from 'ajv'
import type { JTDOptions } from 'ajv/dist/jtd.js'
import { errorCodes } from '../errors/codes.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { mediaTypeOf } from '../http/media-type.ts'
import { type Bundle, bundlePart } from '../schema/bundle.ts'
import type { Compilation, Recipe } from '../schema/compilation.ts'
import type { HttpPart, ValidatorCompiler, ValidatorFunction } from '../schema/compiler-types.ts'
import { dropPrototypes, nameByPatterns, namesInherited } from '../schema/prototype-names.ts'
import {
  isStandardSchema,
  type StandardResult,
  type StandardSchema,
  toRecords,
} from '../schema/standard-schema.ts'
import { snapshot } from '../schema/shared-schemas.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { isThenable } from '../types/promises.ts'
import type { AjvOptions } from './ajv.ts'
import { mostErrors } from './error-limit.ts'
import {
  compileForNull,
  explainIgnoredDefault,
  extendAjv,
  limitErrors,
  markValuesOfText,
  suggestWord,
} from './making.ts'
import { type Coded, codedValidator, codeOf, type StrictTest } from './runtime.ts'
import type { Source, StrictFirst } from './strict-first.ts'
import { hasEarlySchemas } from './strict-schema.ts'
import late from '../packages/late.cjs'

/** What a validator compiler is made with. */
export interface AjvTools {
  /** What compiles the schemas of a source. */
  readonly of: (source: Source) => SourceTools
  readonly dialect: Dialect
  /** Changes a schema before it is compiled, or throws for one that is wrong. */
  readonly prepare: (bundle: Bundle) => void
  /** Makes the bundle that strict mode compiles. Undefined in the default mode. */
  readonly close: ((bundle: Bundle, isOpen: boolean) => Bundle) | undefined
}

/** What compiles the schemas of one source. */
export interface SourceTools {
  /** `strictFirst` has extended it. */
  readonly ajv: Ajv
  readonly strictFirst: StrictFirst | undefined
}

/** The types of bodies whose values are text. */
export const formTypes: readonly string[] = [
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]

/** The shared schemas that a compiler sees, by `$id`. */
export type ExternalSchemas = Readonly<Record<string, JsonObject>>

/** Makes validator compilers, one for each set of shared schemas. All of them compile with one ajv,
 *  and routes with equal schemas share one validator. */
export function createAjvCompilerFactory(
  tools: AjvTools,
  compilation: Compilation,
): (externalSchemas: ExternalSchemas) => ValidatorCompiler {
  const recipe = (source: Source): Recipe<ValidatorParts, ValidatorFunction> => ({
    kind: kindOf(tools, source),
    compile: (bundle) => ({
      dropsInherited: namesInherited(bundle),
      ...compileParts(tools, bundle, source),
    }),
    load: (parts, bundle) => ({
      dropsInherited: namesInherited(bundle),
      ...(parts as CompiledParts),
    }),
    finish: (parts, bundle) => {
      const isTwice = tools.close !== undefined && source === 'json' && hasEarlySchemas(bundle)
      const validate = finish(parts, bundle, tools.dialect)
      return isTwice ? validateTwice(validate) : validate
    },
    later: validateLater,
    mayWait: true,
  })
  const recipes = {
    headers: recipe('headers'),
    text: recipe('text'),
    form: recipe('form'),
    json: recipe('json'),
  }
  return (externalSchemas) =>
    ({ schema, httpPart, contentType }) => {
      if (isStandardSchema(schema)) return toStandardValidator(schema, httpPart)
      const isTyped = tools.dialect.validation.strictFirst
      const source = isTyped ? sourceOf(httpPart, contentType) : 'json'
      const bundle = bundlePart(schema as JsonObject, externalSchemas, httpPart)
      return compilation.use(recipes[source], bundle)
    }
}

/** The name of the validators of a source. */
export const kindOf = ({ close }: Pick<AjvTools, 'close'>, source: Source): string =>
  close === undefined ? source : `strict-${source}`

/** What ajv compiles for one schema. */
interface CompiledParts {
  readonly validate: ValidateFunction
  /** Validates null in place of the other. */
  readonly ofNull?: ValidateFunction | undefined
  /** The test of a value that may stay as it is. */
  readonly test?: StrictTest | undefined
}

interface ValidatorParts extends CompiledParts {
  readonly dropsInherited: boolean
}

function compileParts(tools: AjvTools, bundle: Bundle, source: Source): CompiledParts {
  const { validate, ofNull, test } = compileCoded(tools, bundle, source)
  return { validate: validate.ref, ofNull: ofNull?.ref, test: test?.ref }
}

/** The code of what ajv compiles for one schema, for an ajv that keeps it.
 *  @throws Error for a schema that only the running server can compile */
export function writeParts(tools: AjvTools, bundle: Bundle, source: Source): string {
  const parts = compileCoded(tools, bundle, source)
  const written = Object.entries(parts).flatMap(([name, part]: [string, Coded | undefined]) => {
    return part === undefined ? [] : [`${name}: ${codeOf(part)}`]
  })
  return `({ ${written.join(', ')} })`
}

interface CodedParts {
  readonly validate: Coded<ValidateFunction>
  readonly ofNull: Coded<ValidateFunction> | undefined
  readonly test: Coded<StrictTest> | undefined
}

function compileCoded({ of, prepare, close }: AjvTools, given: Bundle, source: Source): CodedParts {
  const { ajv, strictFirst } = of(source)
  const isText = source === 'text' || source === 'headers'
  // ajv-merge-patch edits the schema that it compiles.
  const copy = given.merges ? snapshot(given.schema) : given.schema
  prepare(given)
  if (namesInherited(given)) nameByPatterns(given, ['__proto__'])
  const bundle = close?.(given, source === 'headers') ?? given
  if (isText || (source === 'form' && close !== undefined)) markValuesOfText(bundle)
  strictFirst?.add(bundle, source)
  const validate = codedValidator(ajv, compileWith(ajv, bundle))
  const ofBody = isText ? undefined : strictFirst
  const ofNull = ofBody && compileForNull(ofBody, copy)
  return {
    validate,
    ofNull: ofNull && codedValidator(ofBody.ajv, ofNull),
    test: strictFirst?.testOfWhole(bundle),
  }
}

function finish(
  { validate, ofNull, test, dropsInherited }: ValidatorParts,
  bundle: Bundle,
  dialect: Dialect,
): ValidatorFunction {
  const coerce = toValidator(validate, bundle.schema, ofNull)
  const settled = isAsync(validate) ? convertRejections(coerce, dialect) : coerce
  return withTest(settled, test, dropsInherited)
}

/** Validates a value again once its defaults are filled in. */
function validateTwice(validate: ValidatorFunction): ValidatorFunction {
  const validator: ValidatorFunction = (data) => {
    const first: unknown = validate(data)
    const isHeld = isPlainObject(first) && 'value' in first
    const answer = isHeld || first === true ? validate(isHeld ? first['value'] : data) : first
    validator.errors = validate.errors ?? null
    return answer
  }
  return validator
}

function validateLater(make: () => ValidatorFunction): ValidatorFunction {
  const validator: ValidatorFunction = (data) => {
    const validate = make()
    const answer = validate(data)
    validator.errors = validate.errors ?? null
    return answer
  }
  return validator
}

/** Makes the validator compiler for schemas in JSON Type Definition (RFC 8927). It has no shared
 *  schemas, no coercion and no defaults. */
export function createJtdCompiler(options: AjvOptions): ValidatorCompiler {
  const { jsonPointers: _always, ...custom } = options.customOptions ?? {}
  // Only what both kinds of ajv have in common is used.
  const Jtd: new (options: JTDOptions) => Ajv = late.ajvJtd().Ajv
  const ajv = new Jtd(custom as JTDOptions)
  limitErrors(ajv)
  extendAjv(ajv, options)
  return ({ schema }) => ajv.compile(schema as AnySchema)
}

function sourceOf(part: HttpPart, contentType: string | undefined): Source {
  if (part !== 'body') return part === 'headers' ? part : 'text'
  const type = contentType === undefined ? undefined : mediaTypeOf(contentType)
  return type !== undefined && formTypes.includes(type) ? 'form' : 'json'
}

function compileWith(ajv: Ajv, bundle: Bundle): ValidateFunction {
  try {
    return ajv.compile(bundle.schema)
  } catch (error) {
    throw suggestWord(ajv, explainIgnoredDefault(error, bundle))
  }
}

/** Makes a validator that coerces only values that fail a test.
 *  @param dropsPrototypes whether it ignores properties which a value inherits */
function withTest(
  validate: ValidatorFunction,
  test: StrictTest | undefined,
  dropsPrototypes: boolean,
): ValidatorFunction {
  if (test === undefined && !dropsPrototypes) return validate
  const validator: ValidatorFunction = (data) => {
    if (dropsPrototypes) dropPrototypes(data)
    if (test?.(data) === true) return true
    const answer = validate(data)
    validator.errors = validate.errors ?? null
    return answer
  }
  return validator
}

/** Makes the validator of a Standard Schema. An issue is an error of the client; an exception is a
 *  fault of the server. Headers that the schema does not name stay, as with a JSON Schema. */
function toStandardValidator(schema: StandardSchema, part: HttpPart): ValidatorFunction {
  const read = (result: StandardResult, data: unknown): object => {
    if (result.issues !== undefined) {
      return { error: toRecords(result.issues, mostErrors), issues: result.issues }
    }
    const { value } = result
    const isMerged = part === 'headers' && isPlainObject(value) && isPlainObject(data)
    return { value: isMerged ? { ...data, ...value } : value }
  }
  const fail = (error: unknown): never => {
    throw new errorCodes.ESP_ERR_VALIDATOR_FAILED('a Standard Schema', String(error), error)
  }
  const readLater = async (result: PromiseLike<StandardResult>, data: unknown): Promise<object> => {
    try {
      return read(await result, data)
    } catch (error) {
      return fail(error)
    }
  }
  return (data) => {
    try {
      const result = schema['~standard'].validate(data)
      return isThenable(result) ? readLater(result, data) : read(result, data)
    } catch (error) {
      return fail(error)
    }
  }
}

/** Makes a validator of a function of ajv. ajv writes a coerced value or a default into the object
 *  that holds it. The root of a part has no holder: it gets one, and its value is read from there,
 *  unless only an object can be valid.
 *  @param ofNull validates null in place of the other */
function toValidator(
  validate: ValidateFunction,
  schema: JsonObject,
  ofNull: ValidateFunction = validate,
): ValidatorFunction {
  const isObjectOnly = schema['type'] === 'object' && schema['nullable'] !== true
  if (isObjectOnly && !isAsync(validate)) return validate
  const validator: ValidatorFunction = (data) => {
    const holder = { value: data }
    const run = data === null ? ofNull : validate
    const valid: unknown = run(data, {
      instancePath: '',
      parentData: holder,
      // cast: ajv types this name as if every holder were an array or a map
      parentDataProperty: 'value' as never,
      // cast: a `$data` pointer counts from the data, which may be no object
      rootData: data as never,
      dynamicAnchors: {},
    })
    if (valid instanceof Promise) return valid.then(() => holder)
    validator.errors = run.errors ?? null
    return valid === true ? holder : false
  }
  return validator
}

/** Whether a schema has `$async: true`. It returns a promise of the data (specification 1.8). */
function isAsync(validate: ValidateFunction): boolean {
  return '$async' in validate && validate.$async === true
}

/** Makes the promise of a validator return what is wrong with the data. An exception of a keyword
 *  is a fault of the server, but a failed validation in a dialect that passes foreign errors on. */
function convertRejections(validate: ValidatorFunction, { errors }: Dialect): ValidatorFunction {
  const convert = (error: unknown): object => {
    if (!errors.wrapsForeign && error instanceof Error) return { error }
    if (isValidationError(error)) return { error: error.errors }
    throw new errorCodes.ESP_ERR_VALIDATOR_FAILED('an $async schema', String(error), error)
  }
  return (data) => {
    const answer = validate(data)
    return answer instanceof Promise ? answer.catch(convert) : answer
  }
}

/** Whether an error is a `ValidationError` of ajv. A keyword of the application may throw that of
 *  another copy of ajv, so its members tell, and not its class. */
function isValidationError(error: unknown): error is ValidationError {
  return error instanceof Error && 'ajv' in error && 'errors' in error
}
