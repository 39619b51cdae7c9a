import type { ValidationRecord } from '../schema/compiler-types.ts'
import { keysOf, toPointer, valueAt } from '../schema/json-pointer.ts'
import { isObject } from '../types/objects.ts'
import { literalsOf } from './literals.ts'
import { askedBy, isTooDeep, placeOf, type SchemaPlaces } from './schema-places.ts'

/** The records of a value, with its unions settled. If the value chooses one alternative, by a
 *  literal or by its kind, the records of that alternative stay; else one record stays, which says
 *  that no alternative fits.
 *
 *  ajv gives the records of all alternatives, each behind those before, and one of the union last.
 *  @param places knows the bundle that was compiled
 *  @param most how many unions are settled at most */
export function chooseBranches(
  records: readonly ValidationRecord[],
  places: SchemaPlaces,
  data: unknown,
  most: number,
): ValidationRecord[] {
  const kept: (ValidationRecord | undefined)[] = [...records]
  let count = 0
  for (let at = kept.length - 1; at >= 0 && count < most; at--) {
    const record = kept[at]
    if (record?.keyword !== 'anyOf' && record?.keyword !== 'oneOf') continue
    count += 1
    settle(new Union(record, places, data), kept, at)
  }
  return kept.filter((record) => record !== undefined)
}

/** @param at the index of the record of the union */
function settle(union: Union, kept: (ValidationRecord | undefined)[], at: number): void {
  const members = new Map<number, ValidationRecord>()
  for (let index = at - 1; index >= 0; index--) {
    const record = kept[index]
    if (record === undefined) continue
    if (!isWithin(record, union.instancePath)) break
    if (union.has(record)) members.set(index, record)
  }
  const found = [...members.values()].reverse()
  const chosen = union.choose(found)
  let isTold = false
  for (const [index, record] of members) {
    if (chosen !== undefined && union.covers(chosen, record)) isTold = true
    else kept[index] = undefined
  }
  if (isTold) kept[at] = undefined
  else if (chosen === undefined) kept[at] = union.summary(found)
}

/** The keywords that say which values a union takes. */
const kindly: readonly unknown[] = ['type', 'const', 'enum']

function isWithin({ instancePath = '' }: ValidationRecord, path: string): boolean {
  return instancePath === path || instancePath.startsWith(`${path}/`)
}

/** A union that a value does not fit. */
class Union {
  readonly instancePath: string
  readonly #record: ValidationRecord
  readonly #schemaPath: string
  readonly #places: SchemaPlaces
  readonly #alternatives: readonly unknown[]
  readonly #value: unknown

  constructor(record: ValidationRecord, places: SchemaPlaces, data: unknown) {
    const { instancePath = '', schemaPath = '', keyword = '' } = record
    this.instancePath = instancePath
    this.#record = record
    this.#schemaPath = schemaPath
    this.#places = places
    const alternatives = placeOf(places.of(instancePath), record)?.schema[keyword]
    this.#alternatives = Array.isArray(alternatives) ? alternatives : []
    this.#value = valueAt(data, keysOf(instancePath))
  }

  /** Whether a record is one of an alternative. */
  has(record: ValidationRecord): boolean {
    const isBelow = record.schemaPath?.startsWith(`${this.#schemaPath}/`) === true
    const isHidden = isBelow || isTooDeep(this.#pointerTo(record))
    return isHidden || this.#alternatives.some((_, index) => this.covers(index, record))
  }

  /** Whether an alternative says what a record does. Two alternatives may refer to one definition,
   *  which gives the same record for both. */
  covers(index: number, record: ValidationRecord): boolean {
    const path = `${this.#schemaPath}/${index}`
    const schema = this.#alternatives[index]
    const { schemaPath = '' } = record
    if (schemaPath.startsWith(`${path}/`)) return true
    if (schemaPath.startsWith(`${this.#schemaPath}/`) || !isObject(schema)) return false
    return (
      placeOf(this.#places.below({ schema, path }, this.#pointerTo(record)), record) !== undefined
    )
  }

  /** The pointer that leads from the value to that of a record. */
  #pointerTo({ instancePath = '' }: ValidationRecord): string {
    return instancePath.slice(this.instancePath.length)
  }

  /** The one alternative that the value is meant for, by its index: that with the value's literal,
   *  else the only one that takes values of its kind. */
  choose(members: readonly ValidationRecord[]): number | undefined {
    // The value fits several alternatives of a `oneOf`.
    if (Array.isArray(this.#record.params?.['passingSchemas'])) return undefined
    const literals = this.#literals
    if (literals !== undefined && isObject(this.#value)) {
      const index = literals.values.findIndex(
        (each) => each === valueAt(this.#value, [literals.property]),
      )
      return index === -1 ? undefined : index
    }
    const refusals = members.filter((each) => each.keyword === 'type' && this.#isOfWhole(each))
    const open = [...this.#alternatives.keys()].filter(
      (index) => !refusals.some((each) => this.covers(index, each)),
    )
    return open.length === 1 ? open[0] : undefined
  }

  /** The record for the whole union: it says which literals there are, or which values it takes. */
  summary(members: readonly ValidationRecord[]): ValidationRecord {
    const literals = this.#literals
    if (literals !== undefined && isObject(this.#value)) {
      const { property, values } = literals
      const isMissing = valueAt(this.#value, [property]) === undefined
      return {
        keyword: 'enum',
        instancePath: this.instancePath + toPointer([property]),
        params: { allowedValues: values },
        message: isMissing
          ? `must have required property '${property}'`
          : 'must be equal to one of the allowed values',
      }
    }
    const taken = members
      .filter((each) => kindly.includes(each.keyword) && this.#isOfWhole(each))
      .flatMap(({ params = {} }) => askedBy(params))
    const [only, ...others] = new Set(taken)
    const type = others.length === 0 ? only : [only, ...others]
    return { ...this.#record, params: { ...this.#record.params, type } }
  }

  get #literals() {
    return literalsOf(this.#alternatives, this.#places.root)
  }

  #isOfWhole({ instancePath = '' }: ValidationRecord): boolean {
    return instancePath === this.instancePath
  }
}
