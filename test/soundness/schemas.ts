// Random schemas of the subset that is supported.
//
// Left out is what ajv itself leaves in a state that no schema describes: it coerces and removes in place, also for
// alternatives that fail in the end, and for each of several schemas that hold together. So
// - schemas that hold together (`allOf`, keywords beside each other) have no field in common,
// - they and alternatives are never closed, since what one removes another may have asked for,
// - the alternatives of `oneOf` are told apart by their first field.
// Defaults stand on fields alone, outside of alternatives: ajv refuses others at boot.
import fc from 'fast-check'
import { canBeDefault } from './fitting.ts'
import { valid } from './instances.ts'
import { some } from './sketch.ts'
import type { Field, Json, ObjectSketch, Rules, Sketch, TypeName } from './sketch.ts'

/** Where a schema stands. */
export interface Place {
  readonly depth: number
  /** What can be referred to. */
  readonly refs: readonly Sketch[]
  /** Whether ajv would refuse a default here, and what would be removed is needed. */
  readonly isAlternative: boolean
  readonly names: readonly string[]
}

export const fieldNames = ['a', 'b', 'c', 'd'] as const

const rulesOf: Readonly<Record<'integer' | 'number' | 'string', readonly Rules[]>> = {
  integer: [{}, {}, { minimum: 0 }, { maximum: 5 }, { multipleOf: 2 }],
  number: [{}, {}, { minimum: 0.5 }, { exclusiveMaximum: 5 }],
  string: [
    ...[{}, {}, { minLength: 1 }, { maxLength: 3 }, { pattern: '^[a-z]*$' }],
    ...[{ format: 'date-time' }, { format: 'date' }, { format: 'time' }, { format: 'email' }],
  ],
}

const numeric = (kind: 'integer' | 'number' | 'string'): fc.Arbitrary<Sketch> =>
  fc.constantFrom(...rulesOf[kind]).map((rules) => ({ kind, rules }))

const simple = fc.constantFrom<Sketch>({ kind: 'null' }, { kind: 'boolean' }, { kind: 'any' })

const literal: fc.Arbitrary<Sketch> = fc.oneof(
  fc
    .constantFrom<Json>('x', '1', 'true', 1, 0, true)
    .map((value): Sketch => ({ kind: 'const', value })),
  fc
    .constantFrom<Json>(null, { a: 1 }, [1, 'x'])
    .map((value): Sketch => ({ kind: 'const', value })),
  fc
    .subarray<Json>(['x', 'y', '1', 1, 2], { minLength: 1 })
    .map((values): Sketch => ({ kind: 'enum', values })),
  fc
    .subarray<Json>(['x', null, true, 2], { minLength: 1 })
    .map((values): Sketch => ({ kind: 'enum', values })),
)

const types = fc
  .shuffledSubarray<TypeName>(['string', 'integer', 'number', 'boolean', 'null'], {
    minLength: 1,
    maxLength: 3,
  })
  .map((names): Sketch => ({ kind: 'types', names }))

/** A schema without others inside. */
export const leaf: fc.Arbitrary<Sketch> = fc.oneof(
  { weight: 3, arbitrary: numeric('integer') },
  { weight: 1, arbitrary: numeric('number') },
  { weight: 4, arbitrary: numeric('string') },
  { weight: 2, arbitrary: simple },
  { weight: 2, arbitrary: literal },
  { weight: 1, arbitrary: types },
)

const canBeNull = (sketch: Sketch) =>
  [
    ...['boolean', 'integer', 'number', 'string', 'array', 'object', 'tuple'],
    ...['const', 'enum'],
  ].includes(sketch.kind) && !('typed' in sketch && !sketch.typed)

/** Some schema, and some of them nullable. */
export function schema(place: Place): fc.Arbitrary<Sketch> {
  const any =
    place.depth <= 0
      ? leaf
      : fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 4, arbitrary: holder(place) })
  const referring =
    place.refs.length > 0
      ? fc.oneof(
          { weight: 5, arbitrary: any },
          { weight: 1, arbitrary: fc.constantFrom(...place.refs) },
        )
      : any
  return fc
    .tuple(referring, fc.nat(7))
    .map(([sketch, dice]) =>
      dice === 0 && canBeNull(sketch) ? { ...sketch, nullable: true } : sketch,
    )
}

const below = (place: Place): Place => ({ ...place, depth: place.depth - 1, names: fieldNames })

function holder(place: Place): fc.Arbitrary<Sketch> {
  const inner = below(place)
  return fc.oneof(
    { weight: 5, arbitrary: objectWith(place) },
    { weight: 2, arbitrary: list(inner) },
    { weight: 1, arbitrary: tuple(inner) },
    { weight: 1, arbitrary: schema(inner).map((value): Sketch => ({ kind: 'record', value })) },
    { weight: 2, arbitrary: union(inner) },
    { weight: 1, arbitrary: discriminated(inner) },
    { weight: 1, arbitrary: all(inner) },
    { weight: 1, arbitrary: besideUnion(inner) },
    { weight: 1, arbitrary: branch(inner) },
    { weight: 1, arbitrary: not(inner) },
    { weight: 1, arbitrary: transform(inner) },
  )
}

const list = (place: Place): fc.Arbitrary<Sketch> =>
  fc
    .tuple(schema(place), fc.constantFrom<Rules>({}, {}, { minItems: 1 }, { maxItems: 2 }))
    .map(([items, rules]) => ({ kind: 'array', items, rules }))

function tuple(place: Place): fc.Arbitrary<Sketch> {
  const rest = fc.oneof<fc.Arbitrary<boolean | Sketch>[]>(
    fc.constant(false),
    fc.constant(false),
    fc.constant(true),
    schema(place),
  )
  return fc
    .tuple(fc.array(schema(place), { minLength: 1, maxLength: 3 }), fc.nat(3), rest)
    .map(([items, dice, more]) => ({ kind: 'tuple', items, whole: dice > 0, rest: more }))
}

/** A field, of which some have a default. */
function field(name: string, place: Place): fc.Arbitrary<Field> {
  const making = { root: { kind: 'any' }, reply: false, depth: 0 } as const
  return schema(place).chain((sketch) => {
    const canDefault = !place.isAlternative && hasValue(sketch)
    const value = canDefault ? valid(sketch, making) : fc.constant(undefined)
    return fc.tuple(value, fc.nat(3), fc.boolean()).map(([made, dice, required]) => {
      const given = made as Json | undefined
      const has = dice === 0 && given !== undefined && canBeDefault(given, sketch)
      return { name, required, schema: has ? { ...sketch, default: given } : sketch }
    })
  })
}

const hasValue = ({ kind }: Sketch) =>
  ['boolean', 'integer', 'number', 'string', 'enum', 'const', 'types', 'array', 'object'].includes(
    kind,
  )

const fields = (place: Place, names: readonly string[]): fc.Arbitrary<Field[]> =>
  fc
    .subarray([...names], { minLength: 1 })
    .chain((chosen) => fc.tuple(...chosen.map((name) => field(name, below(place)))))

/** An object without further keywords. */
export const object = (place: Place, typed = true): fc.Arbitrary<ObjectSketch> =>
  fields(place, place.names).map((each) => ({ kind: 'object', fields: each, typed }))

/** An object that may say something of fields that are not named. */
export function objectWith(place: Place): fc.Arbitrary<Sketch> {
  const inner = below(place)
  const others = fc.oneof<{ weight: number; arbitrary: fc.Arbitrary<ObjectSketch['others']> }[]>(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.constant(place.isAlternative ? undefined : false) },
    { weight: 1, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: schema({ ...inner, isAlternative: place.isAlternative }) },
  )
  const patterns = fc.option(
    schema(inner).map((each) => ({ '^x-': each })),
    { freq: 7, nil: undefined },
  )
  const typed = fc.nat(12).map((dice) => dice > 0)
  return fc.tuple(object(place), others, patterns, typed).map(([base, rest, matched, isTyped]) => ({
    ...base,
    typed: isTyped,
    ...(rest !== undefined && isTyped && { others: rest }),
    ...(matched !== undefined && isTyped && { patterns: matched }),
  }))
}

function union(place: Place): fc.Arbitrary<Sketch> {
  const member = schema({ ...place, isAlternative: true })
  return fc
    .array(member, { minLength: 2, maxLength: 3 })
    .map((of) => ({ kind: 'union', keyword: 'anyOf', of }))
}

/** Alternatives of which one alone can hold. */
function discriminated(place: Place): fc.Arbitrary<Sketch> {
  const inner = { ...place, isAlternative: true, refs: [] }
  const keyword = fc.constantFrom<'anyOf' | 'oneOf'>('anyOf', 'oneOf')
  return fc
    .tuple(keyword, fc.array(object(inner), { minLength: 2, maxLength: 3 }))
    .map(([key, members]) => ({
      kind: 'union',
      keyword: key,
      of: members.map((member, index) => {
        const value: Sketch = { kind: 'const', value: `k${index}` }
        return {
          ...member,
          fields: [{ name: 'kind', schema: value, required: true }, ...member.fields],
        }
      }),
    }))
}

const halves = (place: Place, isAlternative = place.isAlternative): [Place, Place] => [
  { ...place, isAlternative, names: fieldNames.slice(0, 2) },
  { ...place, isAlternative, names: fieldNames.slice(2) },
]

const isOpenObject = (sketch: Sketch) =>
  sketch.kind === 'ref' &&
  !sketch.nullable &&
  sketch.target.kind === 'object' &&
  sketch.target.others === undefined &&
  sketch.target.patterns === undefined &&
  !sketch.target.nullable

/** An object that requires a field which others describe. */
const requiring = (name: string, typed: boolean): Sketch => ({
  kind: 'object',
  fields: [],
  requires: [name],
  typed,
})

/** Objects that hold together. Those that are shared have fields of other names. */
function all(place: Place): fc.Arbitrary<Sketch> {
  const [one, other] = halves(place)
  const shared = place.refs
    .filter((ref) => isOpenObject(ref) && ref.kind === 'ref' && ref.reference.endsWith('#'))
    .slice(0, 1)
  const third = shared.length > 0 ? fc.constantFrom(undefined, ...shared) : fc.constant(undefined)
  const last = fc.option(fc.tuple(fc.constantFrom(...fieldNames), fc.boolean()), { nil: undefined })
  return fc.tuple(object(one), object(other), third, last).map(([first, second, ref, name]) => ({
    kind: 'all',
    of: [...(ref ? [ref] : []), first, second, ...(name ? [requiring(...name)] : [])],
  }))
}

/** An object with alternatives, or with further objects, beside its fields. */
function besideUnion(place: Place): fc.Arbitrary<Sketch> {
  const [one] = halves(place)
  const [, other] = halves(place, true)
  const joined = fc.constantFrom('anyOf' as const, 'allOf' as const)
  const members = fc.array(
    fc.boolean().chain((typed) => object(other, typed)),
    { minLength: 2, maxLength: 2 },
  )
  return fc
    .tuple(object(one), members, joined)
    .map(([beside, of, keyword]): Sketch =>
      keyword === 'anyOf'
        ? { kind: 'union', keyword, of, beside }
        : { kind: 'all', of: of.slice(1), beside },
    )
}

/** Whether a schema may stand again as its own `then`. With an `if` in it the serializer joins what it says with itself, its
 *  `then` with its `else`; a transform is refused there, also by reference. */
const isRepeatable = (sketch: Sketch): boolean =>
  !some(
    sketch,
    (each) =>
      each.kind === 'branch' ||
      each.kind === 'transform' ||
      (each.kind === 'ref' && !isRepeatable(each.target)),
  )

/** `if` looks at the fields of an object, whose others `then` and `else` describe. */
function branch(place: Place): fc.Arbitrary<Sketch> {
  const [one, other] = halves(place)
  // A transform is refused there, also by reference.
  // The serializer does not ask whether a value is listed, and the other branch may let it be.
  const listless = object({ ...other, refs: [] }, false).filter(
    (sketch) => !some(sketch, ({ kind }) => kind === 'enum'),
  )
  const part = fc.option(listless, { freq: 4, nil: undefined })
  return fc
    .tuple(object(one), fc.constantFrom<Json>('x', 1, true), part, part)
    .map(([base, value, then, otherwise]) => {
      const name = base.fields[0]!.name
      const known: Field = { name, required: true, schema: { kind: 'const', value } }
      const condition: Sketch = { kind: 'object', typed: false, fields: [known] }
      // ajv refuses an `if` without both.
      const isIdle = then === undefined && otherwise === undefined
      return {
        kind: 'branch',
        base,
        condition,
        ...(then && { then }),
        ...(otherwise && { otherwise }),
        ...(isIdle && { then: isRepeatable(base) ? base : { kind: 'any' } }),
      }
    })
}

const not = (place: Place): fc.Arbitrary<Sketch> =>
  fc.tuple(leaf, leaf, object(place), fc.boolean()).map(([base, excluded, map, isMap]): Sketch => ({
    kind: 'not',
    base: isMap || base.kind === 'any' ? map : base,
    not: excluded.kind === 'any' ? { kind: 'null' } : excluded,
  }))

const transform = (place: Place): fc.Arbitrary<Sketch> =>
  schema({ ...place, refs: [], isAlternative: true }).map((inner) => ({ kind: 'transform', inner }))
