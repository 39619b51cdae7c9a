import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../types/objects.ts'
import { became, type Effect, finding, type Finding, shown } from './change.ts'
import { itemIn, propertyIn, type ReadSchema } from './read-schema.ts'
import { itemsOf } from './references.ts'

interface Tools {
  /** The kinds of values that fit both. Keywords for other kinds change nothing. */
  readonly kinds: readonly string[]
  /** Compares schemas inside. */
  compare(before: unknown, after: unknown): readonly Finding[]
}

type Compare = (before: JsonObject, after: JsonObject, tools: Tools) => readonly Finding[]

/** Compares the keywords of two schemas, those for kinds of values that fit both. */
export function compareKeywords(
  before: ReadSchema,
  after: ReadSchema,
  tools: Tools,
): readonly Finding[] {
  return rules.flatMap(([kinds, compare]) => {
    const matters = kinds.length === 0 || kinds.some((kind) => tools.kinds.includes(kind))
    return matters ? compare(before.keywords, after.keywords, tools) : []
  })
}

/** A limit, by a keyword and perhaps by one for a limit that is itself outside.
 *  @param sign 1 if a larger number leaves out more */
const limit =
  (key: string, sign: 1 | -1, exclusive = ''): Compare =>
  (before, after, { kinds }) => {
    const isWhole = !kinds.includes('fraction')
    const read = (from: JsonObject): Limit | undefined => {
      const found = limitOf(from, key, exclusive, sign)
      return found !== undefined && isWhole ? wholeLimit(found) : found
    }
    const [old, now] = [read(before), read(after)]
    if (old === now || (old?.[0] === now?.[0] && old?.[1] === now?.[1])) return []
    const isTighter =
      now !== undefined &&
      (old === undefined || now[0] > old[0] || (now[0] === old[0] && now[1] && !old[1]))
    const text = (found: typeof old): string | undefined =>
      found && `${sign * found[0]}${found[1] ? ' (exclusive)' : ''}`
    return [finding(isTighter ? 'narrowed' : 'widened', became(key, text(old), text(now)))]
  }

/** A limit as a number that is larger where it is tighter, and whether it is itself outside. */
type Limit = readonly [limit: number, isOutside: boolean]

/** The limit of whole numbers: more than 0 is at least 1. */
function wholeLimit([limit, isOutside]: Limit): Limit {
  return [isOutside ? Math.floor(limit) + 1 : Math.ceil(limit), false]
}

function limitOf(
  keywords: JsonObject,
  key: string,
  exclusive: string,
  sign: 1 | -1,
): Limit | undefined {
  const [inner, outer] = [keywords[key], keywords[exclusive]]
  const inside = typeof inner === 'number' ? sign * inner : undefined
  const outside = typeof outer === 'number' ? sign * outer : undefined
  if (outside !== undefined && (inside === undefined || outside >= inside)) return [outside, true]
  // `minLength: 0` and its like say nothing.
  const saysNothing = inside === undefined || (inside === 0 && /^min[A-Z]/.test(key))
  return saysNothing ? undefined : [inside, false]
}

/** A keyword whose values cannot be told to be narrower or wider. */
const opaque =
  (key: string, order: readonly string[] = []): Compare =>
  (before, after) => {
    const [old, now] = [before[key], after[key]]
    if (isDeepStrictEqual(old, now)) return []
    const [first, second] = [order.indexOf(String(old)), order.indexOf(String(now))]
    let effect: Effect = 'changed'
    if (old === undefined || (first > second && second >= 0)) effect = 'narrowed'
    else if (now === undefined || (first >= 0 && second > first)) effect = 'widened'
    return [finding(effect, became(key, shown(old), shown(now)))]
  }

const multiple: Compare = ({ multipleOf: old }, { multipleOf: now }) => {
  if (isDeepStrictEqual(old, now)) return []
  const text = became('multipleOf', shown(old), shown(now))
  const divides = (one: unknown, other: unknown): boolean =>
    one === undefined || (other !== undefined && Number(other) % Number(one) === 0)
  if (divides(old, now)) return [finding('narrowed', text)]
  return [finding(divides(now, old) ? 'widened' : 'changed', text)]
}

const unique: Compare = (before, after) => {
  const [old, now] = [before['uniqueItems'] === true, after['uniqueItems'] === true]
  if (old === now) return []
  return [finding(now ? 'narrowed' : 'widened', `uniqueItems became ${now}`)]
}

const values: Compare = ({ enum: before }, { enum: after }) => {
  const [old, now] = [before, after].map((list) =>
    Array.isArray(list) ? list.map((value) => String(shown(value))) : undefined,
  )
  if (old === undefined || now === undefined) {
    if (old === now) return []
    const text = `${old === undefined ? 'any value' : old.join(', ')} became `
    if (now !== undefined) return [finding('narrowed', `${text}${now.join(', ')} only`)]
    return [finding('widened', `${text}any value`)]
  }
  const lost = old.filter((value) => !now.includes(value))
  const more = now.filter((value) => !old.includes(value))
  return [
    ...lost.map((value) => finding('narrowed', `enum lost ${value}`)),
    ...more.map((value) => finding('widened', `enum has the new value ${value}`)),
  ]
}

const namesOf = ({ required }: JsonObject): string[] => itemsOf(required).map(String)
const propertiesOf = ({ properties }: JsonObject): JsonObject =>
  isObject(properties) ? properties : {}

const properties: Compare = (before, after, tools) => {
  const [old, now] = [propertiesOf(before), propertiesOf(after)]
  const [must, mustNow] = [namesOf(before), namesOf(after)]
  const names = new Set([...Object.keys(old), ...Object.keys(now), ...must, ...mustNow])
  return [...names].flatMap((name) => {
    const at = `.${name}`
    const [isRequired, wasRequired] = [mustNow.includes(name), must.includes(name)]
    const [isThere, wasThere] = [Object.hasOwn(now, name), Object.hasOwn(old, name)]
    if (wasThere && !isThere) return [finding('changed', 'was removed', at)]
    const word = isRequired ? 'required' : 'optional'
    if (isThere && !wasThere) {
      const effect = isRequired === wasRequired ? 'noted' : isRequired ? 'narrowed' : 'widened'
      // What clients may know as an entry of a map becomes a property.
      const rest = propertyIn(before, name)
      const entries = isObject(rest) ? within(at, tools.compare(rest, now[name])) : []
      return [finding(effect, `was added, ${word}`, at), ...entries]
    }
    const need = finding(isRequired ? 'narrowed' : 'widened', `became ${word}`, at)
    const inner = within(at, tools.compare(old[name], now[name]))
    return isRequired === wasRequired ? inner : [need, ...inner]
  })
}

const within = (at: string, found: readonly Finding[]): Finding[] =>
  found.map((each) => ({ ...each, at: at + each.at }))

/** A keyword that is a schema, or missing, which is the same as true. */
const inner =
  (key: string, at: string): Compare =>
  (before, after, tools) =>
    within(at, tools.compare(before[key], after[key]))

/** Whether properties without a name may be there. To allow them is like adding properties. */
const others =
  (key: string): Compare =>
  (before, after, tools) => {
    const [old, now] = [before[key], after[key]]
    if (old === false && now !== false) return [finding('noted', `${key} are allowed`)]
    if (now === false && old !== false) return [finding('narrowed', `${key} are refused`)]
    return within('.*', tools.compare(old, now))
  }

const opposite: Readonly<Partial<Record<Effect, Effect>>> = {
  narrowed: 'widened',
  widened: 'narrowed',
}

const not: Compare = (before, after, tools) => {
  const [old, now] = [before['not'], after['not']]
  if (old === undefined && now === undefined) return []
  if (old === undefined) return [finding('narrowed', 'not was added')]
  if (now === undefined) return [finding('widened', 'not was removed')]
  const found = tools.compare(old, now)
  return found.map((each) => ({
    ...each,
    effect: opposite[each.effect] ?? 'changed',
    text: `what it must not be: ${each.text}`,
  }))
}

/** Schemas by name. One that is missing is true. */
const named =
  (key: string): Compare =>
  (before, after, tools) => {
    const [old, now] = [before[key], after[key]].map((all) => (isObject(all) ? all : {}))
    return [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].flatMap((name) =>
      within(`.${name}`, tools.compare(old?.[name], now?.[name])),
    )
  }

/** Properties by patterns of their names. Without its pattern one is among the others. */
const patterns: Compare = (before, after, tools) => {
  const [old, now] = [before, after].map(({ patternProperties: all }) => (isObject(all) ? all : {}))
  const [rest, restNow] = [before['additionalProperties'], after['additionalProperties']]
  return [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].flatMap((name) => {
    const [was, is] = [old?.[name], now?.[name]]
    const at = `.${name}`
    if (was === undefined && rest === false) return [finding('noted', 'was added', at)]
    if (is === undefined && restNow === false) return [finding('narrowed', 'was removed', at)]
    const [all, allNow] = [was ?? rest, is ?? restNow]
    const isAmongOthers = all !== was || allNow !== is
    const others = isAmongOthers ? tools.compare(all, allNow) : []
    return within(at, [...tools.compare(was, is), ...others])
  })
}

/** The first items of an array. */
const first: Compare = (before, after, tools) => {
  const [old, now] = [itemsOf(before['prefixItems']), itemsOf(after['prefixItems'])]
  return Array.from({ length: Math.max(old.length, now.length) }, (_, index) =>
    within(`[${index}]`, tools.compare(itemIn(before, index), itemIn(after, index))),
  ).flat()
}

const conditions: Compare = (before, after, tools) => {
  const [old, now] = [listAt(before, 'if').filter(isObject), listAt(after, 'if').filter(isObject)]
  const [isAdded, isRemoved] = [old.length === 0, now.length === 0]
  if (isAdded && isRemoved) return []
  // What applied under a condition applies to nothing without it.
  if (isAdded) return [finding('narrowed', 'if was added')]
  if (isRemoved) return [finding('widened', 'if was removed')]
  if (old.length !== now.length) return [finding('changed', 'its conditions changed')]
  return old.flatMap((was, index) => {
    const is = now[index]
    const asked = tools.compare(was['if'], is?.['if'])
    // Under another condition other values have to fit.
    if (asked.length > 0) return asked.map((each) => ({ ...each, effect: 'changed' as const }))
    const parts = ['then', 'otherwise']
    return parts.flatMap((part) => tools.compare(was[part], is?.[part]))
  })
}

/** Schemas that are counted: any change of them may break both sides. */
const counted: Compare = (before, after, tools) => {
  const [old, now] = [listAt(before, 'contains'), listAt(after, 'contains')]
  if (old.length !== now.length) {
    return [finding('changed', `contains was ${old.length < now.length ? 'added' : 'removed'}`)]
  }
  const found = old.flatMap((schema, index) => tools.compare(schema, now[index]))
  return found.map((each) => ({ ...each, effect: 'changed' as const }))
}

const listAt = (keywords: JsonObject, key: string): unknown[] =>
  keywords[key] === undefined ? [] : [keywords[key]].flat()

/** To widen what is counted is to narrow how many there may be. */
const contains: Compare = (before, after, tools) => {
  const isCounted = [before, after].some((each) => each['maxContains'] !== undefined)
  const isOne = [before, after].every((each) => listAt(each, 'contains').length < 2)
  const compare = isOne && !isCounted ? inner('contains', '[]') : counted
  return compare(before, after, tools)
}

/** Formats of integers. All values of one fit the next. */
const integerFormats = ['int32', 'int64']

/** Each comparison with the kinds of values that it is for; none for all. */
const rules: readonly (readonly [kinds: readonly string[], compare: Compare])[] = [
  [[], values],
  [[], not],
  [[], conditions],
  ...['format', 'contentEncoding', 'contentMediaType', 'pattern'].map(
    (key) =>
      [
        ['string', 'integer', 'fraction'],
        opaque(key, key === 'format' ? integerFormats : []),
      ] as const,
  ),
  [['string'], inner('contentSchema', '')],
  [['string'], limit('minLength', 1)],
  [['string'], limit('maxLength', -1)],
  [['integer', 'fraction'], limit('minimum', 1, 'exclusiveMinimum')],
  [['integer', 'fraction'], limit('maximum', -1, 'exclusiveMaximum')],
  [['integer', 'fraction'], multiple],
  [['array'], limit('minItems', 1)],
  [['array'], limit('maxItems', -1)],
  [['array'], limit('minContains', 1)],
  [['array'], limit('maxContains', -1)],
  [['array'], unique],
  [['array'], first],
  [['array'], inner('items', '[]')],
  [['array'], contains],
  [['array'], inner('unevaluatedItems', '[]')],
  [['object'], properties],
  [['object'], others('additionalProperties')],
  [['object'], others('unevaluatedProperties')],
  [['object'], inner('propertyNames', '.*')],
  [['object'], patterns],
  [['object'], named('dependentSchemas')],
  [['object'], opaque('dependentRequired')],
  [['object'], limit('minProperties', 1)],
  [['object'], limit('maxProperties', -1)],
]
