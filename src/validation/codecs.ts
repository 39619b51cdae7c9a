import type { Ajv, Options } from 'ajv'
import unevaluated from 'ajv/dist/vocabularies/unevaluated/index.js'
import { bundlePart, bundleSchema, isJsonValue } from '../schema/bundle.ts'
import type { HttpPart, ValidationRecord } from '../schema/compiler-types.ts'
import { compileCodec } from '../schema/transform/codec.ts'
import { type Codec, Refusal, type Trail } from '../schema/transform/structure.ts'
import { holds } from '../schema/transform/transforms.ts'
import type { Matcher, Matchers } from '../schema/transform/union.ts'
import { plain, wholeSchema } from '../schema/transform/whole.ts'
import { isPlainObject, type JsonObject, toPointer } from '../schema/values.ts'
import { type AjvOptions, createAjv } from './ajv.ts'
import type { ExternalSchemas } from './ajv-compiler.ts'
import type { Verdict } from './run-validator.ts'

/** Decodes a valid value, or says what is wrong with it. */
export type Decoder = (value: unknown) => Verdict

/** Encodes a payload. @throws EncodingFailure */
export type Encoder = (payload: unknown) => unknown

/** What a payload could not be encoded for, and where in it. */
export class EncodingFailure {
  readonly cause: unknown
  readonly path: string
  constructor(cause: unknown, path: string) {
    this.cause = cause
    this.path = path
  }
}

/** Makes what the transforms in a schema do; undefined where there are none. */
export interface Codecs {
  decoder(schema: unknown, part: HttpPart): Decoder | undefined
  encoder(schema: unknown): Encoder | undefined
}

/** Makes codecs, one for each set of shared schemas. They are never shared between schemas: two that
 *  are equal as JSON may decode differently. */
export function createCodecsFactory(options: AjvOptions = {}): (shared: ExternalSchemas) => Codecs {
  const matchers = createMatchers(options)
  return (shared) => {
    let isShared: boolean | undefined
    const mayTransform = (schema: unknown): schema is JsonObject => {
      if (!isPlainObject(schema)) return false
      if (holds(schema, 'transform')) return true
      isShared ??= Object.values(shared).some((each) => holds(each, 'transform'))
      return isShared && holds(schema, 'reference')
    }
    return {
      decoder(schema, part) {
        if (!mayTransform(schema)) return undefined
        const bundle = bundlePart(schema, shared, part)
        const codec = compileCodec(bundle.schema, 'decode', matchers)
        return codec && toDecoder(codec)
      },
      encoder(schema) {
        if (!mayTransform(schema)) return undefined
        const codec = compileCodec(bundleSchema(schema, shared).schema, 'encode', matchers)
        return codec && toEncoder(codec)
      },
    }
  }
}

function toDecoder(codec: Codec): Decoder {
  return (value) => {
    const trail: Trail = []
    try {
      return { value: codec(value, trail) }
    } catch (error) {
      const isRefused = error instanceof Refusal
      const text = isRefused || error instanceof Error ? error.message : ''
      const message = text === '' ? 'cannot be decoded' : text
      const keyword = isRefused ? 'refine' : 'transform'
      const record = { keyword, instancePath: toPointer(trail), message }
      return { error: [record satisfies ValidationRecord] }
    }
  }
}

function toEncoder(codec: Codec): Encoder {
  return (payload) => {
    const trail: Trail = []
    try {
      return codec(payload, trail)
    } catch (error) {
      throw new EncodingFailure(error, toPointer(trail))
    }
  }
}

/** The matchers of unions: ajv with the user's keywords and formats, which changes nothing of the value
 *  itself and is not strict, since the schema was compiled strictly already. */
function createMatchers(options: AjvOptions): Matchers {
  const create = (make: () => Ajv): Matchers['exact'] => {
    let ajv: Ajv | undefined
    const compiled = new Map<string, Matcher>()
    return (schema) => {
      ajv ??= make()
      // Schemas of equal text may still differ in a function.
      if (!isJsonValue(schema)) return ajv.compile(schema) as Matcher
      const text = JSON.stringify(schema)
      const matcher = compiled.get(text) ?? (ajv.compile(schema) as Matcher)
      compiled.set(text, matcher)
      return matcher
    }
  }
  const exact = create(() => datingAjv(options, asItIs))
  const loose = create(() =>
    createAjv(options, { ...quiet, useDefaults: true, removeAdditional: true }),
  )
  const whole = create(() => closingAjv(options))
  return {
    exact,
    written: (schema) => exact(takeDates(schema)),
    loose(schema) {
      const matches = loose(schema)
      return (value) => isJsonThat(matches, value)
    },
    whole: (schema) => whole(takeDates(wholeSchema(schema))),
  }
}

/** An ajv with the keyword of `takeDates`. */
function datingAjv(options: AjvOptions, own: Options): Ajv {
  const ajv = createAjv(options, own)
  ajv.addKeyword(date)
  return ajv
}

/** One with the keywords of `wholeSchema` too, which a plugin of the user's may have added. */
function closingAjv(options: AjvOptions): Ajv {
  const ajv = datingAjv(options, { ...asItIs, unevaluated: true })
  ajv.addKeyword(plain)
  if (ajv.getKeyword('unevaluatedProperties') === false) ajv.addVocabulary(unevaluated.default)
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

const asItIs: Options = { ...quiet, useDefaults: false, removeAdditional: false }

function isJsonThat(matches: Matcher, value: unknown): boolean {
  try {
    // JSON.stringify is typed as if it always returned text.
    const text = JSON.stringify(value) as string | undefined
    return text !== undefined && matches(JSON.parse(text))
  } catch {
    return false
  }
}

/** A schema that has dates in the place of their text, as serializers write them. It is for an ajv that knows `date`. */
function takeDates(schema: object | boolean): object | boolean {
  return isPlainObject(schema) ? take(schema) : schema
}

/** The keyword for objects that are dates. */
const date = {
  keyword: 'espalier-date',
  type: 'object',
  schema: false,
  validate: (value: object): boolean => value instanceof Date,
} as const

function take(schema: JsonObject): JsonObject {
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, takeAny(value)]),
  )
  const types = [schema['type']].flat()
  const isText = types.includes('string') && !types.includes('object')
  if (!isText || !formats.includes(schema['format'])) return copy
  return { ...copy, type: [...types, 'object'], [date.keyword]: true }
}

function takeAny(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(takeAny)
  return isPlainObject(value) ? take(value) : value
}

const formats: readonly unknown[] = ['date-time', 'date', 'time']
