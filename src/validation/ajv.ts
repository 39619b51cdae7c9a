import type { Ajv, KeywordCxt, Options, Plugin } from 'ajv'
import { sensitiveKeyword, sensitiveValues } from '../schema/sensitive.ts'
import { reachOf } from '../schema/transform/transforms.ts'
import { describe } from '../errors/describe.ts'
import { refusePromise } from '../errors/refuse-promise.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import {
  coerceBigInts,
  coerceExactly,
  coerceValuesOfText,
  isolateAlternatives,
  refuseEmptyLists,
  refuseInfinity,
} from './coercion.ts'
import { compareFields } from './equal-fields.ts'
import { limitErrors } from './error-limit.ts'
import { addFormats, removeFormatLimits, setFormatLimits } from './format-limits.ts'
import { bigInt, testKeyword } from './runtime.ts'
import { findTwinsFast } from './unique-items.ts'
import late from '../packages/late.cjs'

/** The validator options of the server factory. */
export interface AjvOptions {
  /** Options for ajv, which override the defaults. `jsonPointers` is accepted and ignored, since
   *  ajv 8 always has it. */
  readonly customOptions?: Options & { readonly jsonPointers?: boolean }
  /** Plugins of ajv, each alone or as `[plugin, options]`. */
  readonly plugins?: readonly (AjvPlugin | readonly [AjvPlugin, unknown])[]
  /** Is called with each ajv that is made, after its plugins were applied. */
  readonly onCreate?: (ajv: Ajv) => void
  /** Validates the parts of requests by JSON Type Definition (RFC 8927) instead of JSON Schema.
   *  Schemas are taken as they are written (`jsonShorthand` is false then). Shared schemas,
   *  coercion and defaults do not exist there. Types are declared by `t.Unsafe<T>(schema)`. */
  readonly mode?: 'JTD'
}

/** The options of ajv together with what the dialect decides. */
export interface AjvSettings extends AjvOptions {
  /** Whether a value that is valid without coercion stays as it is. @default true */
  readonly strictFirst?: boolean
  /** Whether text is coerced only where it is written as in JSON. @default false */
  readonly coercesExactly?: boolean
}

/** A plugin of ajv 8, such as ajv-errors or ajv-merge-patch. */
export type AjvPlugin = Plugin<never> | { readonly default: Plugin<never> }

/** The options of ajv that apply where an application sets no others (specification 2.4). */
export const ajvDefaults: Options = {
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: true,
  addUsedSchema: false,
  allErrors: false,
}

/** The keyword of `t.File`. Its value has the limits, which the reader of forms checks. */
export const fileKeyword = 'file'

/** Makes an ajv with the options and plugins of an application.
 *  @param over options that override those of the application */
export function createAjv(settings: AjvSettings, over: Options = {}): Ajv {
  const { customOptions = {}, strictFirst = true, coercesExactly = false } = settings
  const { jsonPointers: _always, ...custom } = customOptions
  const { Ajv } = late.ajv()
  // ajv spends most of its time on making its code shorter. V8 does that work anyway.
  const code = { optimize: false, ...custom.code }
  const uriResolver = late.fastUri()
  const ajv = new Ajv({ ...ajvDefaults, ...custom, ...over, code, uriResolver })
  findTwinsFast(ajv)
  compareFields(ajv)
  limitErrors(ajv)
  refuseEmptyLists(ajv)
  ajv.addKeyword(bigInt)
  if (ajv.opts.coerceTypes) {
    coerceBigInts(ajv)
    if (coercesExactly) coerceExactly(ajv)
    else if (strictFirst) refuseInfinity(ajv)
    isolateAlternatives(ajv, strictFirst)
    coerceValuesOfText(ajv, coercesExactly)
  }
  ajv.addKeyword(
    testKeyword(fileKeyword, 'isFile', {
      schemaType: 'object',
      error: { message: 'must be a file' },
    }),
  )
  // The keyword refuses nothing, and an application may have one of that name.
  if (ajv.getKeyword(sensitiveKeyword) === false)
    ajv.addKeyword({ keyword: sensitiveKeyword, code: assertSensitive })
  // The formats come first: a plugin may replace one of them.
  addFormats(ajv)
  extendAjv(ajv, settings)
  return ajv
}

/** Refuses another value of the keyword. A `metaSchema` would be compiled for each ajv. */
function assertSensitive({ schema }: KeywordCxt): void {
  if (sensitiveValues.includes(schema)) return
  throw new Error(`the keyword '${sensitiveKeyword}' is ${describe(schema)}, and takes a boolean`)
}

/** Applies the plugins of an application to an ajv, and then `onCreate`. */
export function extendAjv(ajv: Ajv, { plugins = [], onCreate }: AjvOptions): void {
  if (plugins.length > 0) refuseForeignCode(ajv)
  for (const entry of plugins) {
    const [plugin, options] = Array.isArray(entry) ? entry : [entry, undefined]
    applyPlugin(ajv, plugin as AjvPlugin, options)
  }
  refusePromise('onCreate', onCreate?.(ajv))
}

/** What ajv makes of code that another copy of ajv has made: it takes that for data. */
const foreignCode = /\{"(?:str|_items)":/

/** Makes an ajv refuse the code of a plugin that has loaded another copy of ajv. The keywords of
 *  such a plugin would test nothing. */
function refuseForeignCode(ajv: Ajv): void {
  const { code } = ajv.opts
  const { process } = code
  code.process = (source, schema) => {
    if (foreignCode.test(source)) {
      const remedy = 'Install ajv so that both have one copy: `npm ls ajv` shows the copies'
      throw new Error(`a plugin of ajv has loaded another copy of ajv than the server. ${remedy}`)
    }
    return process === undefined ? source : process(source, schema)
  }
}

function applyPlugin(ajv: Ajv, plugin: AjvPlugin, options: unknown): void {
  // The ajv-formats of an application, which has `get`, adds keywords that exist already.
  const isFormats = 'get' in plugin
  if (isFormats) removeFormatLimits(ajv)
  const apply = typeof plugin === 'function' ? plugin : plugin.default
  // cast: only the plugin knows what options it takes
  refusePromise('A plugin of ajv', apply(ajv, options as never))
  if (isFormats) setFormatLimits(ajv)
}

let ownKeywords: Readonly<Record<string, unknown>> | undefined

/** Whether a keyword is one of ajv or ajv-formats, not one of an application. */
export function isOwnKeyword(keyword: string): boolean {
  ownKeywords ??= createAjv({}).RULES.keywords
  return Object.hasOwn(ownKeywords, keyword)
}

/** A copy of a schema with those definitions of its bundle that it refers to, so that it can be
 *  compiled alone. */
export function withDefinitions(schema: JsonObject, { definitions }: JsonObject): JsonObject {
  if (!isPlainObject(definitions)) return schema
  const names = [...reachOf(schema, definitions)]
  if (names.length === 0) return schema
  return {
    ...schema,
    definitions: Object.fromEntries(names.map((name) => [name, definitions[name]])),
  }
}
