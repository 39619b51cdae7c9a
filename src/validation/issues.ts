import type {
  HttpPart,
  ReceivedKind,
  ValidationIssue,
  ValidationRecord,
} from '../schema/compiler-types.ts'
import { keysOf, toPointer, valueAt } from '../schema/json-pointer.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import { chooseBranches } from './branches.ts'
import { mostErrors } from './error-limit.ts'
import { type IssueFacts, readLibraryIssue } from './library-issues.ts'
import { askedBy, placeOf, SchemaPlaces } from './schema-places.ts'

/** What issues are made of. */
interface IssueSource {
  readonly part: HttpPart
  /** The value that was validated. */
  readonly data: unknown
  /** The result of the validator. */
  readonly errors: NonNullable<unknown>
  /** The issues of a Standard Schema. */
  readonly given: unknown
  /** The schema by whose places the records of ajv are named, if there is one. */
  readonly schema: JsonObject | undefined
}

/** The issues of a failed validation. */
export function toIssues(source: IssueSource): readonly ValidationIssue[] {
  const { errors, given = errors } = source
  const list = listOf(given) ?? [given]
  const read = isOfLibrary(list[0]) ? readForeign(source, list) : readRecords(source, list)
  const facts = read.length > 0 ? read : readForeign(source, [undefined])
  return facts.slice(0, mostErrors).map((each) => toIssue(source, each))
}

/** The list of a failure. Libraries keep theirs in an error: zod and valibot under `issues`, joi
 *  under `details`. */
function listOf(given: unknown): readonly unknown[] | undefined {
  // A list may be an instance of a class of the library (arktype), whose `slice` is another.
  if (Array.isArray(given)) return Array.from<unknown>(given)
  const { issues, details = issues } = isObject(given) ? given : {}
  return Array.isArray(details) && details.length > 0 ? listOf(details) : undefined
}

/** Whether an entry names its place by a list of keys, if at all, and not by a JSON pointer. */
function isOfLibrary(entry: unknown): boolean {
  return !isObject(entry) || !('instancePath' in entry)
}

function readForeign({ data }: IssueSource, list: readonly unknown[]): IssueFacts[] {
  const kindAt = (keys: readonly string[]): ReceivedKind => kindOf(data, keys)
  return list.slice(0, mostErrors).flatMap((entry) => readLibraryIssue(entry, kindAt))
}

/** Keywords whose record only says that another one applies. */
const followers: readonly unknown[] = ['if', 'propertyNames']

function readRecords(source: IssueSource, list: readonly unknown[]): IssueFacts[] {
  // cast: the first has the place of a record of ajv, and what others lack is absent
  const records = list.filter(isObject) as readonly ValidationRecord[]
  const told = records.filter(({ keyword }) => !followers.includes(keyword))
  const places = new SchemaPlaces(source.schema ?? {})
  const chosen = chooseBranches(told, places, source.data, mostErrors)
  // Two alternatives may refer to one definition, which gives a record for each.
  const byPlace = new Map(chosen.map((each) => [placeNameOf(each), each]))
  return [...byPlace.values()].slice(0, mostErrors).map((each) => readRecord(each, places))
}

function placeNameOf(record: ValidationRecord): string {
  const { instancePath, schemaPath, params, propertyName, message } = record
  return JSON.stringify([instancePath, schemaPath, params, propertyName, message])
}

function readRecord(record: ValidationRecord, places: SchemaPlaces): IssueFacts {
  const { instancePath = '', keyword, params = {}, message = 'is not valid' } = record
  // ajv-errors keeps the records in whose place a message stands.
  const replaced: unknown = keyword === 'errorMessage' ? params['errors'] : undefined
  if (Array.isArray(replaced) && replaced.length === 1) {
    // cast: ajv-errors keeps records of ajv
    return { ...readRecord(replaced[0] as ValidationRecord, places), message }
  }
  const { missingProperty, additionalProperty, unevaluatedProperty } = params
  const field = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? record.propertyName
  return {
    keys: [...keysOf(instancePath), ...(typeof field === 'string' ? [field] : [])],
    code: keyword ?? 'invalid',
    expected: missingProperty === undefined ? askedBy(params) : typeOf(record, places),
    message,
  }
}

/** The type of a field that is missing, if the schema names it beside the keyword. */
function typeOf(record: ValidationRecord, places: SchemaPlaces): unknown {
  const { instancePath = '', params } = record
  const place = placeOf(places.of(instancePath), record)
  if (place === undefined) return undefined
  const fields = places.below(place, toPointer([String(params?.['missingProperty'])]))
  return fields.map(({ schema }) => schema['type']).find((type) => type !== undefined)
}

function toIssue({ part, data }: IssueSource, facts: IssueFacts): ValidationIssue {
  const { keys, code, expected, message } = facts
  const received = kindOf(data, keys)
  return {
    part,
    pointer: toPointer(keys),
    code: received === 'missing' ? 'required' : code,
    ...(expected !== undefined && { expected }),
    received,
    message,
  }
}

function kindOf(data: unknown, keys: readonly string[]): ReceivedKind {
  const value = valueAt(data, keys)
  if (value === undefined && keys.at(-1) === '0') {
    // An alternative has got the value as a list of one item, which the next one has undone.
    const single = kindOf(data, keys.slice(0, -1))
    return single === 'array' ? 'missing' : single
  }
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const kind = typeof value
  return kind === 'function' || kind === 'symbol' || kind === 'undefined' ? 'object' : kind
}
