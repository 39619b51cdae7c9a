import type { Ajv, KeywordCxt, Options } from 'ajv'
import { errorCodes } from '../errors/codes.ts'
import { type Bundle, bundlePart, bundleSchema, isJsonValue } from '../schema/bundle.ts'
import type {
  HttpPart,
  Serializer,
  ValidationRecord,
  ValidatorFunction,
} from '../schema/compiler-types.ts'
import { exactJson } from '../http/exact-json.ts'
import { compileCodec } from '../schema/transform/codec.ts'
import {
  type Codec,
  type Matcher,
  type Matchers,
  RefinementFailure,
  type Trail,
} from '../schema/transform/structure.ts'
import { holds } from '../schema/transform/transforms.ts'
import { closeSchema, dataObjectKeyword } from '../schema/transform/closed-schema.ts'
import type { Compilation, Recipe } from '../schema/compilation.ts'
import { type Output, setOutput } from '../schema/text-output.ts'
import { describe } from '../errors/describe.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { lazy } from '../schema/lazy.ts'
import { toPointer } from '../schema/json-pointer.ts'
import type { AjvOptions } from './ajv.ts'
import type { ExternalSchemas } from './ajv-compiler.ts'
import { withAnswers } from './answers.ts'
import { createAjv, extendKeywords } from './making.ts'
import { runtimeFunction, testKeyword } from './runtime.ts'
import { runValidator, type ValidationOutcome } from './run-validator.ts'
import late from '../packages/late.cjs'

/** Adds the transforms of a schema to its validator or serializer, which is returned as it is where
 *  the schema has none. */
export interface Codecs {
  /** Decodes values that are valid. A value that cannot be decoded is not valid. */
  withDecoder(validate: ValidatorFunction, schema: unknown, part: HttpPart): ValidatorFunction
  /** Encodes payloads before they are serialized. The payload itself is not changed.
   *  @param where the name of the response entry in messages
   *  @throws ESP_ERR_REP_ENCODING in the serializer, for a payload that cannot be encoded */
  withEncoder(serialize: Serializer, schema: unknown, where: string): Serializer
  /** The bundle of a schema that has a `t.BigInt`. Undefined for any other. */
  bundleOfBigInts(schema: unknown): JsonObject | undefined
}

/** Makes codecs, one for each set of shared schemas. Schemas never share a codec: two that are
 *  equal as JSON may decode differently. */
export function createCodecsFactory(
  options: AjvOptions,
  compilation: Compilation,
): (shared: ExternalSchemas) => Codecs {
  const matchers = createMatchers(options, compilation)
  return (shared) => {
    let isShared: boolean | undefined
    const mayTransform = (schema: unknown): schema is JsonObject => {
      if (!isPlainObject(schema)) return false
      if (holds(schema, 'transform')) return true
      isShared ??= Object.values(shared).some((each) => holds(each, 'transform'))
      return isShared && holds(schema, 'reference')
    }
    return {
      withDecoder(validate, schema, part) {
        if (!mayTransform(schema)) return validate
        const codec = compileCodec(bundlePart(schema, shared, part).schema, 'decode', matchers)
        return codec === undefined ? validate : decodeAfter(validate, codec)
      },
      withEncoder(serialize, schema, where) {
        if (!mayTransform(schema)) return serialize
        const codec = compileCodec(bundleSchema(schema, shared).schema, 'encode', matchers)
        if (codec === undefined) return serialize
        const output: Output = (payload) => encode(codec, payload, where)
        return setOutput((payload) => serialize(output(payload)), output)
      },
      bundleOfBigInts(schema) {
        if (!mayTransform(schema)) return undefined
        const bundle = bundleSchema(schema, shared).schema
        return holds(bundle, 'bigint') ? bundle : undefined
      },
    }
  }
}

function decodeAfter(validate: ValidatorFunction, codec: Codec): ValidatorFunction {
  return (data) => {
    const finish = (result: ValidationOutcome = { value: data }): ValidationOutcome =>
      'error' in result ? result : decode(codec, result.value)
    const result = runValidator(validate, data)
    return result instanceof Promise ? result.then(finish) : finish(result)
  }
}

function decode(codec: Codec, value: unknown): ValidationOutcome {
  const trail: Trail = []
  try {
    return { value: withAnswers(true, () => codec(value, trail)) }
  } catch (error) {
    const isRefused = error instanceof RefinementFailure
    const text = isRefused || error instanceof Error ? error.message : ''
    const message = text === '' ? 'cannot be decoded' : text
    const keyword = isRefused ? 'refine' : 'transform'
    const record = { keyword, instancePath: toPointer(trail), message }
    return { error: [record satisfies ValidationRecord] }
  }
}

function encode(codec: Codec, payload: unknown, where: string): unknown {
  const trail: Trail = []
  try {
    return withAnswers(false, () => codec(payload, trail))
  } catch (error) {
    const reason = error instanceof Error ? error.message : describe(error)
    const place = trail.length === 0 ? '' : ` at ${toPointer(trail)}`
    throw new errorCodes.ESP_ERR_REP_ENCODING(place, where, reason, error)
  }
}

/** Makes the matchers of unions. */
function createMatchers(options: AjvOptions, compilation: Compilation): Matchers {
  const ajvs = matcherAjvs(options)
  const matcher = (kind: MatcherKind): Matchers['exact'] => {
    const recipe: Recipe<Matcher, Matcher> = {
      kind,
      compile: ({ schema }) => ajvs[kind]().compile(schema) as Matcher,
      load: (compiled) => compiled as Matcher,
      finish: (matches) => matches,
      later: (make) => (value) => make()(value),
      mayWait: false,
    }
    return (schema) => compilation.use(recipe, asBundle(schema))
  }
  const [exact, loose, closed] = [matcher('exact'), matcher('loose'), matcher('closed')]
  return {
    exact,
    written: (schema) => exact(isPlainObject(schema) ? allowDates(schema) : schema),
    loose(schema) {
      const matches = loose(schema)
      return (value) => matchesAsJson(matches, value)
    },
    closed: (schema) => closed(allowDates(closeSchema(schema))),
  }
}

export type MatcherKind = 'exact' | 'loose' | 'closed'

/** The ajv of each matcher, which is created for the first schema. They have the keywords and
 *  formats of the application, and are not strict, since schemas were compiled strictly already. */
export function matcherAjvs(options: AjvOptions): Readonly<Record<MatcherKind, () => Ajv>> {
  return {
    exact: lazy(() => rememberAnswers(createAjv(options, unchanged)).addKeyword(date)),
    loose: lazy(() => createAjv(options, { ...quiet, useDefaults: true, removeAdditional: true })),
    closed: lazy(() => createClosingAjv(options)),
  }
}

/** Makes an ajv look up whether a value fits a definition, where that is known. */
function rememberAnswers(ajv: Ajv): Ajv {
  const { _ } = late.ajv()
  extendKeywords(ajv, ['$ref'], (context: KeywordCxt) => {
    const { gen, data, schemaCode } = context
    const [recall, remember] = (['recall', 'remember'] as const).map((name) =>
      gen.scopeValue('func', { ...runtimeFunction(name) }),
    )
    const conclude = context.result.bind(context)
    context.result = (condition, succeed, fail) => {
      const known = gen.const('known', _`${recall}(${data}, ${schemaCode})`)
      const valid = gen.const(
        'fits',
        _`${known} ?? ${remember}(${data}, ${schemaCode}, ${condition})`,
      )
      // The errors of a known answer are not known. Nobody reads them.
      const refuse = (): unknown => gen.if(_`${known} === false`, () => context.error(), fail)
      conclude(valid, succeed, refuse)
    }
  })
  return ajv
}

/** Schemas with equal text may still differ in a function, so they have no text then. */
function asBundle(schema: object | boolean): Bundle {
  const text = isJsonValue(schema) ? JSON.stringify(schema) : undefined
  return { schema: schema as JsonObject, text, merges: false, origins: new Map() }
}

/** An ajv with the keywords of `closeSchema`. A plugin of the application may have added
 *  `unevaluatedProperties` already. */
function createClosingAjv(options: AjvOptions): Ajv {
  const ajv = createAjv(options, { ...unchanged, unevaluated: true })
  ajv.addKeyword(date).addKeyword(testKeyword(dataObjectKeyword, 'isData', { type: 'object' }))
  if (ajv.getKeyword('unevaluatedProperties') === false)
    ajv.addVocabulary(late.ajvUnevaluated().default)
  return ajv
}

const quiet: Options = {
  coerceTypes: false,
  allErrors: false,
  strict: false,
  validateSchema: false,
  logger: false,
  messages: false,
}

/** The options of an ajv that changes no value. */
const unchanged: Options = { ...quiet, useDefaults: false, removeAdditional: false }

/** Only where JSON refuses a bigint, whole numbers are read as one. */
function matchesAsJson(matches: Matcher, value: unknown): boolean {
  for (const json of [JSON, exactJson]) {
    try {
      // The type of JSON.stringify does not say that it may return undefined.
      const text = json.stringify(value) as string | undefined
      return text !== undefined && matches(json.parse(text))
    } catch {
      // What contains itself, or throws, has no JSON.
    }
  }
  return false
}

/** The ajv keyword for objects that are dates. */
const date = testKeyword('espalier-date', 'isDate', { type: 'object' })

const dateFormats: readonly unknown[] = ['date-time', 'date', 'time']

/** A copy of a schema that also takes a Date where it takes the text of one, as serializers do. */
function allowDates(schema: JsonObject): JsonObject {
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(change)
    return isPlainObject(value) ? allowDates(value) : value
  }
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, change(value)]),
  )
  const types = [schema['type']].flat()
  const isText = types.includes('string') && !types.includes('object')
  if (!isText || !dateFormats.includes(schema['format'])) return copy
  return { ...copy, type: [...types, 'object'], [date.keyword]: true }
}
