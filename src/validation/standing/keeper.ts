import type { Ajv, KeywordCxt } from 'ajv'
import { subschemasOf, type Bundle } from '../../schema/bundle.ts'
import { reachOf } from '../../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../../schema/values.ts'
import { extendKeywords } from '../extend-keywords.ts'
import { askFirst, compileFit, undoFailed, type Fit } from './fit.ts'

/** Keeps values as they are that fit their schemas so, in the bundles that it has taken.
 *
 *  ajv takes the first alternative of a union that it can make a value fit: null becomes the 0 of an integer. And what it has changed for
 *  one that fails stays changed. So a union is asked first whether the value fits as it stands, by a validator of the union alone.
 *  Where there is none, and where other keywords ask, the whole is asked. */
export class Keeper {
  readonly #exact: () => Ajv
  readonly #taken = new WeakSet()
  readonly #whole = new WeakSet()
  readonly #fits = new Map<string, Fit | undefined>()

  /** @param exact gives an ajv with the options `asItStands` */
  constructor(exact: () => Ajv) {
    this.#exact = exact
  }

  /** Has an ajv ask the unions of the bundles that are taken. */
  teach(ajv: Ajv): Ajv {
    extendKeywords(ajv, ['anyOf', 'oneOf'], (context) => this.#extend(context))
    return ajv
  }

  /** Takes a bundle that is about to be compiled, unless nothing in it is changed without need. */
  takes(bundle: Bundle): boolean {
    // ajv-merge-patch edits what it is given, each time that it is compiled.
    if (bundle.text === undefined || bundle.merges) return false
    const schemas = subschemasOf(bundle).map(({ schema }) => schema)
    const asks = schemas.some((each) => askers.some((keyword) => each[keyword] !== undefined))
    const chooses = schemas.some(({ anyOf, oneOf }) => isMixed(anyOf) || isMixed(oneOf))
    if (!asks && !chooses) return false
    this.#taken.add(bundle.schema)
    if (asks) this.#whole.add(bundle.schema)
    return true
  }

  /** What is to be asked of the whole of a bundle, once that is compiled. */
  fitOfWhole({ schema }: Bundle): Fit | undefined {
    return this.#whole.has(schema) ? this.#fitOf(schema) : undefined
  }

  /** A union that is endless is asked for those of its alternatives that are not: on each level of a value all that is
   *  below it would be asked, and remembered, again. */
  #extend(context: KeywordCxt): void {
    const { it, keyword, parentSchema } = context
    const { schema: root } = it.schemaEnv.root
    const alternatives: unknown = parentSchema[keyword]
    if (!isPlainObject(root) || !this.#taken.has(root) || !isMixed(alternatives)) return
    const ended = alternatives.filter((each) => standAlone(each, root) !== undefined)
    const isEndless = ended.length < alternatives.length
    const mayAsk = ended.length > 0 && (keyword === 'anyOf' || !isEndless)
    const alone = mayAsk ? standAlone({ [keyword]: ended }, root) : undefined
    const fit = alone && this.#fitOf(alone)
    if (fit === undefined || isEndless) this.#whole.add(root)
    if (fit === undefined) return
    const fits = askFirst(context, fit)
    if (!isEndless) undoFailed(context, fits)
  }

  #fitOf(schema: JsonObject): Fit | undefined {
    const text = JSON.stringify(schema)
    if (!this.#fits.has(text)) this.#fits.set(text, compileFit(this.#exact(), schema))
    return this.#fits.get(text)
  }
}

/** Keywords besides unions that only ask whether a schema holds. */
const askers = ['not', 'if', 'contains']

const scalars: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null']

/** Whether a value may fit one alternative as it stands and yet be changed for another. Where all are of
 *  one type that is no object and no list, as literals may be, there is nothing to change. */
export function isMixed(alternatives: unknown): alternatives is readonly unknown[] {
  if (!Array.isArray(alternatives)) return false
  const types = alternatives.map(typeOf)
  return new Set(types).size > 1 || !scalars.includes(types[0])
}

/** The one type of a schema; undefined where it may have more. */
function typeOf(schema: unknown): unknown {
  return isPlainObject(schema) && schema['nullable'] !== true ? schema['type'] : undefined
}

/** A schema with the definitions that it leads to. Undefined where it is endless: where one of these leads back to itself. */
function standAlone(schema: unknown, { definitions }: JsonObject): JsonObject | undefined {
  const own = isPlainObject(schema) ? schema : {}
  if (!isPlainObject(definitions)) return own
  const names = [...reachOf(own, definitions)]
  if (names.some((name) => reachOf(definitions[name], definitions).has(name))) return undefined
  return { ...own, definitions: Object.fromEntries(names.map((name) => [name, definitions[name]])) }
}
