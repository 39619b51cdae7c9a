import { Ajv, type Options, type Plugin, type ValidateFunction } from 'ajv'
import formatsPlugin from 'ajv-formats'
import uriResolver from 'fast-uri'
import { errorCodes } from '../errors/codes.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { mediaTypeOf } from '../http/media-type.ts'
import { type Bundle, bundlePart } from '../schema/bundle.ts'
import { dropPrototypes, nameByPatterns, namesInherited } from '../schema/prototype-names.ts'
import {
  isStandardSchema,
  type StandardResult,
  type StandardSchema,
  toRecords,
} from '../schema/standard-schema.ts'
import { atOnce, isPlainObject, isThenable, type JsonObject } from '../schema/values.ts'
import { isolateAlternatives } from './coercion/alternatives.ts'
import { markAsOfText, takeValuesOfText, untypedValuesIn } from './coercion/values-of-text.ts'
import { explainIgnored } from './defaults/ignored.ts'
import { keepDefaults, leaveKeptDefaults } from './defaults/keep.ts'
import type { Fit } from './standing/fit.ts'
import type { Keeper } from './standing/keeper.ts'
import { mayCoerceNull, schemaOfNull } from './standing/null-body.ts'
import type { HttpPart, ValidatorCompiler, ValidatorFunction } from '../schema/compiler-types.ts'

/** The validator options of the server factory (specification 2.4). */
export interface AjvOptions {
  /** Options for ajv, laid over the baseline. `jsonPointers` is accepted and dropped: ajv 8 always
   *  has it. */
  readonly customOptions?: Options & { readonly jsonPointers?: boolean }
  /** ajv plugins, each alone or as `[plugin, options]`. */
  readonly plugins?: readonly (AjvPlugin | readonly [AjvPlugin, unknown])[]
  /** Is given each ajv that is made, behind its plugins. */
  readonly onCreate?: (ajv: Ajv) => void
  /** Has the parts of requests validated by JSON Type Definition (RFC 8927) rather than JSON Schema: as they are
   *  written (`jsonShorthand` is false then), without shared schemas, coercion and defaults. Types are
   *  said by `t.Unsafe<T>(schema)`. */
  readonly mode?: 'JTD'
}

/** The same, in a dialect. */
export interface AjvSettings extends AjvOptions {
  /** That of the dialect's validation. @default true */
  readonly keepsFitting?: boolean
}

/** What a validator compiler is made with. */
export interface AjvTools {
  /** Gives the ajv that compiles. */
  readonly ajv: () => Ajv
  /** Has bodies left as they are where they fit so; elsewhere all is text. It has taught that ajv. */
  readonly keeper: Keeper | undefined
  /** Gives an ajv that coerces nothing, which is asked of a body that is null, as one is that was not sent, and of
   *  defaults beside text. */
  readonly exact: (() => Ajv) | undefined
  readonly dialect: Dialect
}

/** A plugin of ajv 8, such as ajv-errors or ajv-merge-patch. */
export type AjvPlugin = Plugin<never> | { readonly default: Plugin<never> }

/** The options that ajv starts from (specification 2.4). */
export const ajvBaseline: Options = {
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: true,
  uriResolver,
  addUsedSchema: false,
  allErrors: false,
}

/** The shared schemas that a compiler sees, by `$id`. */
export type ExternalSchemas = Readonly<Record<string, JsonObject>>

/** Makes validator compilers, one for each set of shared schemas. All of them compile with one ajv,
 *  and a schema that was compiled for one route serves every other route that has the same.
 *  @param prepare changes a schema before it is compiled, or throws for one that is not to be */
export function createAjvCompilerFactory(
  { ajv, keeper, exact, dialect }: AjvTools,
  prepare: (bundle: Bundle) => void,
): (externalSchemas: ExternalSchemas) => ValidatorCompiler {
  const compiled = new Map<string, ValidatorFunction>()
  const { keepsFitting } = dialect.validation
  return (externalSchemas) =>
    ({ schema, httpPart, contentType }) => {
      if (isStandardSchema(schema)) return toStandardValidator(schema, httpPart)
      const makeBundle = () => bundlePart(schema as JsonObject, externalSchemas, httpPart)
      const bundle = makeBundle()
      const isBody = httpPart === 'body'
      const source = keepsFitting ? sourceOf(httpPart, contentType) : 'json'
      const keeps = source === 'json' && keeper?.takes(bundle) === true
      const ofNull = isBody && mayCoerceNull(bundle.schema) ? exact : undefined
      const key = bundle.text && `${source} ${bundle.text}`
      const made = key === undefined ? undefined : compiled.get(key)
      if (made !== undefined) return made
      const isBare = namesInherited(bundle)
      prepare(bundle)
      if (isBare) nameByPatterns(bundle, ['__proto__'])
      if (source === 'text') markAsOfText(untypedValuesIn(bundle))
      if (source !== 'json' && exact !== undefined) keepDefaults(bundle, exact)
      const validate = compileWith(ajv(), bundle)
      // ajv-merge-patch edits what it is given.
      const again = bundle.merges ? makeBundle() : bundle
      const isAsync = isAsyncFunction(validate)
      const whole = toValidator(validate, bundle.schema, ofNull && compileForNull(ofNull(), again))
      const coerce = isAsync ? settled(whole, dialect) : whole
      const fit = keeps ? keeper.fitOfWhole(bundle) : undefined
      const fitting = fit === undefined ? coerce : withFit(fit, coerce)
      const validator = isBare ? ofOwn(fitting) : fitting
      if (key !== undefined) compiled.set(key, validator)
      return validator
    }
}

/** What the values of a part are read of: of text alone, of a form, whose leaves are text, or of what may say all that JSON does. */
function sourceOf(part: HttpPart, contentType: string | undefined): 'text' | 'form' | 'json' {
  if (part !== 'body') return 'text'
  return isForm(contentType) ? 'form' : 'json'
}

/** Whether what is read of a media type is text at its leaves, as in a query. */
function isForm(contentType: string | undefined): boolean {
  const type = contentType === undefined ? undefined : mediaTypeOf(contentType)
  return type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data'
}

/** A validator that is asked only of what does not fit as it stands. */
function withFit(fit: Fit, validate: ValidatorFunction): ValidatorFunction {
  const validator: ValidatorFunction = (data) => {
    if (fit(data)) return true
    const answer = validate(data)
    validator.errors = validate.errors ?? null
    return answer
  }
  return validator
}

/** Asks what a value has itself, and nothing that it inherits. */
function ofOwn(validate: ValidatorFunction): ValidatorFunction {
  const validator: ValidatorFunction = (data) => {
    dropPrototypes(data)
    const answer = validate(data)
    validator.errors = validate.errors ?? null
    return answer
  }
  return validator
}

function compileWith(ajv: Ajv, bundle: Bundle): ValidateFunction {
  try {
    return ajv.compile(bundle.schema)
  } catch (error) {
    throw explainIgnored(error, bundle)
  }
}

/** Errors of a verbose ajv have their schema with them. */
function compileForNull(exact: Ajv, bundle: Bundle): ValidateFunction {
  const schema = exact.opts.verbose ? bundle.schema : schemaOfNull(bundle.schema)
  return compileWith(exact, { ...bundle, schema })
}

/** A Standard Schema validates itself. What it refuses is an issue; what it throws is a fault, and not
 *  one of the client's. What it makes of headers is laid over those that came: the ones that it does not name are for others, as
 *  with a JSON Schema. */
function toStandardValidator(schema: StandardSchema, part: HttpPart): ValidatorFunction {
  const take = part === 'headers' ? layOver : (value: unknown): unknown => value
  const verdict = (result: StandardResult, data: unknown): object =>
    result.issues === undefined
      ? { value: take(result.value, data) }
      : { error: toRecords(result.issues) }
  const fail = (error: unknown): never => {
    throw new errorCodes.ESP_ERR_VALIDATOR_FAILED('a Standard Schema', String(error), error)
  }
  return (data) => {
    try {
      const result = schema['~standard'].validate(data)
      return isThenable(result)
        ? Promise.resolve(result)
            .then((settled) => verdict(settled, data))
            .catch(fail)
        : verdict(result, data)
    } catch (error) {
      return fail(error)
    }
  }
}

function layOver(value: unknown, data: unknown): unknown {
  return isPlainObject(value) && isPlainObject(data) ? { ...data, ...value } : value
}

/** Makes an ajv with the user's options and plugins. @param over options that come before the user's */
export function createAjv(options: AjvSettings, over: Options = {}): Ajv {
  const { customOptions = {}, keepsFitting = true } = options
  const { jsonPointers: _always, ...custom } = customOptions
  const ajv = new Ajv({ ...ajvBaseline, ...custom, ...over, uriResolver })
  if (ajv.opts.coerceTypes && keepsFitting) refuseInfinity(ajv)
  if (ajv.opts.coerceTypes) {
    isolateAlternatives(ajv, keepsFitting)
    takeValuesOfText(ajv)
    leaveKeptDefaults(ajv)
  }
  // The formats come first: a plugin may replace one of them.
  formatsPlugin.default(ajv)
  extendAjv(ajv, options)
  return ajv
}

/** Gives an ajv what the user adds to it. */
export function extendAjv(ajv: Ajv, { plugins = [], onCreate }: AjvOptions): void {
  for (const entry of plugins) {
    const [plugin, pluginOptions] = Array.isArray(entry) ? entry : [entry, undefined]
    applyPlugin(ajv, plugin as AjvPlugin, pluginOptions)
  }
  atOnce('onCreate', onCreate?.(ajv))
}

function applyPlugin(ajv: Ajv, plugin: AjvPlugin, options: unknown): void {
  if ('get' in plugin) removeLimits(ajv)
  const apply = typeof plugin === 'function' ? plugin : plugin.default
  // cast: only the plugin knows what options it takes
  atOnce('A plugin of ajv', apply(ajv, options as never))
}

/** A user's own ajv-formats, which has `get`, brings the keywords that are there already. */
function removeLimits(ajv: Ajv): void {
  for (const limit of ['Maximum', 'Minimum', 'ExclusiveMaximum', 'ExclusiveMinimum']) {
    ajv.removeKeyword(`format${limit}`)
  }
}

/** ajv writes a coerced value or a default into the object that holds it. The root of a part has
 *  no holder: unless only an object can be valid there, it is given one, and its value is taken.
 *  @param ofNull is asked of null in the place of the other */
function toValidator(
  validate: ValidateFunction,
  schema: JsonObject,
  ofNull = validate,
): ValidatorFunction {
  const isObjectOnly = schema['type'] === 'object' && schema['nullable'] !== true
  if (isObjectOnly && !isAsyncFunction(validate)) return validate
  const validator: ValidatorFunction = (data) => {
    const holder = { value: data }
    const ask = data === null ? ofNull : validate
    const valid: unknown = ask(data, {
      instancePath: '',
      parentData: holder,
      // cast: ajv types this name as if every holder were an array or a map
      parentDataProperty: 'value' as never,
      // cast: a `$data` pointer counts from the data, which may be no object
      rootData: data as never,
      dynamicAnchors: {},
    })
    if (valid instanceof Promise) return valid.then(() => holder)
    validator.errors = ask.errors ?? null
    return valid === true ? holder : false
  }
  return validator
}

/** Schemas with `$async: true` answer by a promise of the data (specification 1.8). */
function isAsyncFunction(validate: ValidateFunction): boolean {
  return '$async' in validate && validate.$async === true
}

/** Whatever a keyword throws is a failed validation where foreign errors are passed on. */
function settled(validate: ValidatorFunction, { errors }: Dialect): ValidatorFunction {
  const refused = (error: unknown): object => {
    if (!errors.wrapsForeign && error instanceof Error) return { error }
    if (error instanceof Ajv.ValidationError) return { error: error.errors }
    throw new errorCodes.ESP_ERR_VALIDATOR_FAILED('an $async schema', String(error), error)
  }
  return (data) => {
    const answer = validate(data)
    return answer instanceof Promise ? answer.catch(refused) : answer
  }
}

/** How ajv asks whether a text is a number. No text of a schema can look so in its code: quotes are
 *  escaped there. */
const isNumeric = / ={2,3} "string" && (data\d*) && (?=\1 == \+\1)/g

/** Has an ajv coerce no text to a number that JSON does not have: `Infinity`, `-1e999`. ajv takes no
 *  such number where it comes as a number (`strictNumbers`), but coerces texts without that check. */
function refuseInfinity(ajv: Ajv): void {
  const { code } = ajv.opts
  const { process } = code
  code.process = (source, schema) => {
    const own = source.replace(isNumeric, '$&isFinite($1) && ')
    return process === undefined ? own : process(own, schema)
  }
}
