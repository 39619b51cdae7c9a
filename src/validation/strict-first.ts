import type { Ajv, Code, KeywordCxt, Name, Options } from 'ajv'
import { subschemasOf, type Bundle } from '../schema/bundle.ts'
import { reachOf } from '../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { ajvDefaults, createAjv, isOwnKeyword, withDefinitions, type AjvSettings } from './ajv.ts'
import { extendKeywords } from './coercion.ts'
import { type Literals, literalsOf } from './literals.ts'
import {
  type Coded,
  codedValidator,
  madeBy,
  runtime,
  runtimeFunction,
  type StrictTest,
} from './runtime.ts'
import late from '../packages/late.cjs'

/** What the values of a part are read from: headers or other text, a form, whose leaves are text,
 *  or JSON. */
export type Source = (typeof sources)[number]

export const sources = ['headers', 'text', 'form', 'json'] as const

/** The options of an ajv that changes a value by defaults alone. It does not check schemas: another
 *  ajv has compiled them strictly, and some are parts of those. */
const withoutCoercion: Options = {
  coerceTypes: false,
  removeAdditional: false,
  strictSchema: false,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  validateSchema: false,
  logger: false,
}

/** The options of an ajv for alternatives that another ajv has compiled strictly. */
const lenient: Options = { strict: false, validateSchema: false, logger: false }

/** Creates a StrictFirst. Undefined where ajv changes no value, and in a dialect where ajv may
 *  change values that are valid. */
export function createStrictFirst(settings: AjvSettings): StrictFirst | undefined {
  const { coerceTypes, removeAdditional } = { ...ajvDefaults, ...settings.customOptions }
  const isOff = !settings.strictFirst || !(coerceTypes || removeAdditional)
  return isOff ? undefined : new StrictFirst(settings, removeAdditional === 'all')
}

/** Leaves values as they are that are valid without coercion.
 *
 *  ajv takes the first alternative of a union to which it can coerce a value: null becomes the 0 of
 *  an integer. What it has changed for an alternative that fails stays changed. So the code of a
 *  union first tests the value by a validator of that union alone, which coerces nothing. The whole
 *  part is tested so where that is impossible, and where `not`, `if` or `contains` test values. */
export class StrictFirst {
  readonly #settings: AjvSettings
  readonly #removesAll: boolean
  #ajv: Ajv | undefined
  /** The ajv of single alternatives, which coerces. */
  #coercing: Ajv | undefined
  /** The schemas of bundles for JSON. */
  readonly #json = new WeakSet()
  /** The schemas of bundles for text, with the defaults that stay. */
  readonly #defaults = new WeakMap<object, readonly unknown[]>()
  readonly #testedAsWhole = new WeakSet()
  readonly #tests = new Map<string, Coded<StrictTest> | undefined>()

  /** @param removesAll whether ajv removes all fields that a schema does not name, as the
   *  application wants it. Values of JSON do not stay as they are then. */
  constructor(settings: AjvSettings, removesAll: boolean) {
    this.#settings = settings
    this.#removesAll = removesAll
  }

  /** The ajv that does not coerce. */
  get ajv(): Ajv {
    return (this.#ajv ??= createAjv(this.#settings, withoutCoercion))
  }

  /** Makes an ajv test unions strictly first, in the bundles that are added. */
  extend(ajv: Ajv): Ajv {
    extendKeywords(ajv, ['anyOf', 'oneOf'], (context) => this.#extendUnion(context))
    return ajv
  }

  /** Adds a bundle that is about to be compiled, unless ajv changes nothing in it without need. */
  add(bundle: Bundle, source: Source): void {
    // ajv-merge-patch edits the schema each time that it is compiled.
    if (bundle.merges) return
    if (source === 'json') this.#addJson(bundle)
    else {
      const defaults = defaultsOf(bundle)
      if (defaults.length > 0) this.#defaults.set(bundle.schema, defaults)
    }
  }

  #addJson(bundle: Bundle): void {
    if (bundle.text === undefined || this.#removesAll) return
    const schemas = subschemasOf(bundle).map(({ schema }) => schema)
    const tests = schemas.some((each) => ['not', 'if', 'contains'].some((name) => name in each))
    if (tests) this.#testedAsWhole.add(bundle.schema)
    if (tests || schemas.some(({ anyOf, oneOf }) => isMixed(anyOf) || isMixed(oneOf))) {
      this.#json.add(bundle.schema)
    }
  }

  /** The test of a whole part, once its bundle is compiled. Undefined where none is needed. */
  testOfWhole({ schema }: Bundle): Coded<StrictTest> | undefined {
    return this.#testedAsWhole.has(schema) ? this.#testOf(schema) : undefined
  }

  #extendUnion(context: KeywordCxt): void {
    const { it, keyword, parentSchema } = context
    const { schema: root } = it.schemaEnv.root
    const alternatives: unknown = parentSchema[keyword]
    if (!isPlainObject(root) || !isMixed(alternatives)) return
    if (this.#json.has(root)) this.#extendForJson(context, alternatives, root)
    const defaults = this.#defaults.get(root)
    if (defaults === undefined) return
    const test = compileTest(this.ajv, withDefinitions({ [keyword]: alternatives }, root))
    if (test === undefined) return
    const { stringify } = late.ajv()
    const tests = runtime.onlyFor(defaults, test.ref)
    testFirst(context, madeBy('onlyFor', tests, stringify(defaults), test.code))
  }

  /** The test of a union that contains itself covers its other alternatives only. Otherwise each
   *  level of a value would test all levels below it, and copy them, again. */
  #extendForJson(context: KeywordCxt, alternatives: readonly unknown[], root: JsonObject): void {
    const { keyword } = context
    const finite = alternatives.filter((each) => !isRecursive(each, root))
    const isPartial = finite.length < alternatives.length
    const mayTest = finite.length > 0 && (keyword === 'anyOf' || !isPartial)
    const test =
      (isPartial ? undefined : this.#choice(alternatives, root)) ??
      (mayTest && this.#testOf(withDefinitions({ [keyword]: finite }, root)))
    if (!test || isPartial) this.#testedAsWhole.add(root)
    if (!test) return
    const isValid = testFirst(context, test)
    if (!isPartial) undoFailed(context, isValid)
  }

  /** The test of a union whose alternatives a literal tells apart: that of the one alternative by
   *  which the value can be valid. It also coerces the value. If it fails, nothing has changed, and
   *  ajv tries all alternatives for their errors. */
  #choice(alternatives: readonly unknown[], root: JsonObject): Coded<StrictTest> | undefined {
    const literals = literalsOf(alternatives, root)
    if (literals === undefined) return undefined
    const singles = alternatives.map((each) => withDefinitions({ anyOf: [each] }, root))
    if (!singles.every((each) => this.#testOf(each))) return undefined
    const ajv = (this.#coercing ??= this.extend(createAjv(this.#settings, lenient)))
    const tests = singles.map((each) => {
      this.#json.add(each)
      return codedValidator(ajv, ajv.compile(each))
    })
    const choices = { ...literals, tests: tests.map(({ ref }) => ref) }
    return madeBy('choosing', runtime.choosing(choices), codeOfChoices(literals, tests))
  }

  #testOf(schema: JsonObject): Coded<StrictTest> | undefined {
    const text = JSON.stringify(schema)
    if (!this.#tests.has(text)) this.#tests.set(text, compileTest(this.ajv, schema))
    return this.#tests.get(text)
  }
}

function codeOfChoices(literals: Literals, tests: readonly Coded[]): Code | undefined {
  if (tests.some(({ code }) => code === undefined)) return undefined
  const { _Code } = late.ajvCode()
  const codes = tests.map(({ code }) => String(code)).join()
  return new _Code(`{ ...${JSON.stringify(literals)}, tests: [${codes}] }`)
}

/** Undefined for a schema that cannot be compiled alone, because it refers to what stands around
 *  it, and for one that validates by a promise. */
function compileTest(ajv: Ajv, schema: JsonObject): Coded<StrictTest> | undefined {
  try {
    const validate = ajv.compile(schema)
    if ('$async' in validate) return undefined
    const test = codedValidator(ajv, validate)
    if (!mayChangeValues(schema)) return test
    return madeBy('undoing', runtime.undoing(validate), test.code)
  } catch {
    return undefined
  }
}

/** Whether validating may change a value: by defaults, or by a keyword of the application. */
function mayChangeValues(schema: JsonObject): boolean {
  const all = subschemasOf({ schema, text: undefined, merges: false, origins: new Map() })
  return all.some(({ schema: each }) =>
    Object.keys(each).some((keyword) => keyword === 'default' || !isOwnKeyword(keyword)),
  )
}

/** Extends the code of a union: no alternative is tried where the value passes a test.
 *  @returns the variable that says whether it does */
function testFirst(context: KeywordCxt, test: Coded<StrictTest>): Name {
  const { gen, data, it } = context
  const { _, Name } = late.ajv()
  const rootData = new Name('rootData')
  const { parentData, parentDataProperty } = it
  const call = gen.scopeValue('func', { ...test })
  const holder = _`parentData: ${parentData}, parentDataProperty: ${parentDataProperty}`
  const place = _`{ instancePath: "", ${holder}, rootData: ${rootData} }`
  const isValid = gen.const('isValid', _`${call}(${data}, ${place})`)
  const apply = context.subschema.bind(context)
  const conclude = context.result.bind(context)
  context.subschema = (schema, valid) => {
    gen.if(_`!${isValid}`)
    const applied = apply(schema, valid)
    gen.endIf()
    return applied
  }
  context.result = (condition, succeed, fail) => {
    conclude(_`${isValid} || ${condition}`, succeed, fail)
  }
  return isValid
}

/** Extends the code of a union: an alternative that fails changes nothing inside of the value.
 *  @param isValid the variable that says whether no alternative is tried */
function undoFailed(context: KeywordCxt, isValid: Name): void {
  const { gen, data, keyword } = context
  const { _ } = late.ajv()
  const snapshot = _`${gen.scopeValue('func', { ...runtimeFunction('takeSnapshot') })}(${data})`
  const undo = gen.let('undo', _`${isValid} || ${snapshot}`)
  const apply = context.subschema.bind(context)
  context.subschema = (schema, valid) => {
    const applied = apply(schema, valid)
    const restore = (): unknown => gen.code(_`${undo}()`)
    const keep = (): unknown => keyword === 'oneOf' && gen.assign(undo, snapshot)
    gen.if(_`!${isValid}`, () => gen.if(valid, keep, restore))
    return applied
  }
}

const scalars: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null']

/** Whether a value may be valid by one alternative as it is and yet be changed for another. There
 *  is nothing to change where all have the same type and that is neither object nor array. */
function isMixed(alternatives: unknown): alternatives is readonly unknown[] {
  if (!Array.isArray(alternatives)) return false
  const types = alternatives.map((schema: unknown) =>
    isPlainObject(schema) && schema['nullable'] !== true ? schema['type'] : undefined,
  )
  return new Set(types).size > 1 || !scalars.includes(types[0])
}

/** Whether a schema refers to a definition that leads back to itself. */
function isRecursive(schema: unknown, { definitions }: JsonObject): boolean {
  if (!isPlainObject(definitions)) return false
  const names = [...reachOf(schema, definitions)]
  return names.some((name) => reachOf(definitions[name], definitions).has(name))
}

/** The defaults of a bundle whose values come as text, and all values inside of them, without those
 *  that a client may have sent. A client sends text, which a union has to coerce; a default is a
 *  value already, and null would become the 0 of an integer. */
function defaultsOf(bundle: Bundle): readonly unknown[] {
  const filled = subschemasOf(bundle).filter(({ isMember, testedBy }) => isMember && !testedBy)
  const valuesIn = (value: unknown): unknown[] =>
    isHolder(value) ? [value, ...Object.values(value).flatMap(valuesIn)] : [value]
  return filled.flatMap(({ schema }) => valuesIn(schema['default'])).filter(isMoreThanText)
}

/** Whether a value is no text, and has a leaf that is none. */
function isMoreThanText(value: unknown): boolean {
  if (isHolder(value)) return Object.values(value).some(isMoreThanText)
  return value !== undefined && typeof value !== 'string'
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
