import { isDeepStrictEqual } from 'node:util'
import type { Ajv, Code, CodeKeywordDefinition, KeywordCxt, ValidateFunction } from 'ajv'
import late from '../packages/late.cjs'
import { bigIntKeyword, describeBigInt, fitsBigInt, readBigInt } from '../schema/big-int.ts'
import { withExactNumbers } from '../schema/exact-json.ts'
import { isObject, isPlainObject, type JsonObject } from '../types/objects.ts'
import { recall, remember } from './answers.ts'
import { isEqual } from './equal.ts'
import { takeSnapshot } from './snapshot.ts'
import { findTwins } from './twins.ts'

/** Whether a value is valid without coercion. It gets defaults then; otherwise it is not
 *  changed. */
export type StrictTest = (data: unknown, place?: Place) => boolean

/** The position of a value, as ajv passes it on. */
type Place = Parameters<ValidateFunction>[1]

/** The functions that compiled code calls. Code that was compiled ahead of time knows them by their
 *  names here. */
export const runtime: Runtime = {
  takeSnapshot,
  findTwins,
  recall,
  remember,
  textReader,
  onlyFor,
  choosing,
  undoing,
  withExactNumbers,
  isEqual,
  fitsBigInt,
  readBigInt,
  isDate: (value) => value instanceof Date,
  isNoDate: (value) => !(value instanceof Date),
  isFile: (value) => value instanceof File,
  isData: (value) => isPlainObject(value) || (isObject(value) && Object.keys(value).length > 0),
  hasFields: (value) => isPlainObject(value) && !('toJSON' in value),
  isSameJson: (value, text) =>
    isDeepStrictEqual(JSON.parse(JSON.stringify([value])), JSON.parse(`[${String(text)}]`)),
}

interface Runtime {
  readonly takeSnapshot: typeof takeSnapshot
  readonly findTwins: typeof findTwins
  readonly recall: typeof recall
  readonly remember: typeof remember
  readonly textReader: typeof textReader
  readonly onlyFor: typeof onlyFor
  readonly choosing: typeof choosing
  readonly undoing: typeof undoing
  readonly withExactNumbers: typeof withExactNumbers
  readonly isEqual: typeof isEqual
  readonly fitsBigInt: Test
  readonly readBigInt: typeof readBigInt
  readonly isDate: Test
  readonly isNoDate: Test
  readonly isFile: Test
  readonly isData: Test
  readonly hasFields: Test
  readonly isSameJson: Test
}

/** Tests for objects with these values of a property. */
interface Choices {
  readonly property: string
  readonly values: readonly unknown[]
  readonly tests: readonly StrictTest[]
}

type Test = (value: unknown, given: unknown) => boolean
type RuntimeName = keyof Runtime

/** A value for compiled code. Without its code it cannot be compiled ahead of time. */
export interface Coded<Value = unknown> {
  readonly ref: Value
  readonly code?: Code
}

/** @throws Error where the ajv does not keep code */
export function codeOf({ code }: Coded): string {
  if (code === undefined) throw new Error('its ajv keeps no code')
  return String(code)
}

/** A function of the runtime for compiled code.
 *  @param ajv the copy of ajv that compiles */
export function runtimeFunction(name: RuntimeName, ajv: AjvCopy = late.ajv()): Coded {
  const { _, Name } = ajv
  return { ref: runtime[name], code: _`runtime.${new Name(name)}` }
}

/** A function that a function of the runtime makes. */
export function madeBy<Value>(
  name: RuntimeName,
  ref: Value,
  ...args: (Code | undefined)[]
): Coded<Value> {
  const { _, Name } = late.ajv()
  const [first, second] = args
  if (args.includes(undefined) || first === undefined) return { ref }
  const list = second === undefined ? first : _`${first}, ${second}`
  return { ref, code: _`runtime.${new Name(name)}(${list})` }
}

/** A validator for compiled code. Its code is known where the ajv keeps that (`code.source`). */
export function codedValidator(ajv: Ajv, ref: ValidateFunction): Coded<ValidateFunction> {
  if (ajv.opts.code.source !== true) return { ref }
  const { _Code } = late.ajvCode()
  const text = late.ajvStandalone().default(ajv, ref)
  const own = ajv.opts.code.process?.(text) ?? text
  return { ref, code: new _Code(`((module) => {${own}\nreturn module.exports})({})`) }
}

export type TestKeyword = CodeKeywordDefinition & { readonly keyword: string }

/** An ajv keyword that tests values by a function of the runtime. */
export function testKeyword(
  keyword: string,
  test: RuntimeName,
  definition: Pick<CodeKeywordDefinition, 'type' | 'schemaType' | 'error'>,
): TestKeyword {
  return {
    ...definition,
    keyword,
    code(context: KeywordCxt) {
      const { gen, data, schemaCode, it } = context
      // npm may install another copy of ajv for the serializer. Each copy takes only its own code.
      const own = copyOf(it.self)
      const call = gen.scopeValue('func', { ...runtimeFunction(test, own) })
      context.fail(own._`!${call}(${data}, ${schemaCode})`)
    },
  }
}

/** What makes code for one copy of ajv. */
export type AjvCopy = Pick<typeof import('ajv'), '_' | 'Name'>

/** The ajv keyword of `t.BigInt`. */
export const bigInt: TestKeyword = testKeyword(bigIntKeyword, 'fitsBigInt', {
  schemaType: 'object',
  error: {
    // cast: ajv has checked the type of the schema
    message: ({ schema }) => describeBigInt(schema as JsonObject),
    params: ({ it }) => copyOf(it.self)._`{type: "integer"}`,
  },
})

/** The module that an ajv comes from. It has the functions that make code for this copy of ajv. */
export function copyOf(ajv: KeywordCxt['it']['self']): AjvCopy {
  // cast: the module of ajv is its class, with all exports as properties
  return ajv.constructor as typeof Ajv & AjvCopy
}

/** A number and an integer as JSON writes them (RFC 8259, 6). */
export const numberText: RegExp = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
export const integerText: RegExp = /^-?(?:0|[1-9]\d*)$/

/** Makes a function that returns the value that a text stands for, and anything else unchanged. A
 *  number may be written in any way: `1.0` is 1. Text that stands for no value stays.
 *  @param isExact whether a number is written as in JSON */
function textReader(values: readonly unknown[], isExact = false): (data: unknown) => unknown {
  const byText = new Map(values.flatMap((value) => textsOf(value).map((text) => [text, value])))
  const own = new Set(values)
  return (data) => {
    if (typeof data !== 'string' || own.has(data)) return data
    const isNumber = isExact ? numberText.test(data) : data.trim() !== ''
    const text = !isNumber || byText.has(data) ? data : String(Number(data))
    return byText.has(text) ? byText.get(text) : data
  }
}

/** The text that ajv coerces to a value, in a list; none for text and objects. */
export function textsOf(value: unknown): readonly string[] {
  if (value === null) return ['']
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []
}

/** Makes a test of defaults alone, among values that came as text. */
function onlyFor(defaults: readonly unknown[], test: StrictTest): StrictTest {
  return (data, place) =>
    typeof data !== 'string' &&
    defaults.some((each) => isDeepStrictEqual(each, data)) &&
    test(data, place)
}

/** Makes a test of objects: the one for the value of a property. */
function choosing({ property, values, tests }: Choices): StrictTest {
  const byValue = new Map(values.map((value, index) => [value, tests[index]]))
  return (data, place) => isObject(data) && byValue.get(data[property])?.(data, place) === true
}

/** Makes a test that changes no value that it refuses. */
function undoing(validate: StrictTest): StrictTest {
  return (data, place) => {
    const restore = takeSnapshot(data)
    const isValid = validate(data, place)
    if (!isValid) restore()
    return isValid
  }
}
