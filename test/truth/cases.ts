// A case: the random schemas of one scope's routes, with what is sent to them and what they send.
import fc from 'fast-check'
import { makeCase, type Case } from '../soundness/cases.ts'
import { canBeDefault } from '../soundness/fitting.ts'
import { extraBody, extraQuery, type Extra } from './extras.ts'
import { hasTransform, instances, valid, type Making } from '../soundness/instances.ts'
import { meantQueries, query } from '../soundness/queries.ts'
import {
  some,
  type Field,
  type Json,
  type JsonMap,
  type ObjectSketch,
  type Sketch,
} from '../soundness/sketch.ts'
import { evaluate, isExpressible, write } from '../soundness/source.ts'

export interface TruthCase {
  readonly seed: number
  /** Whether the routes are strict. */
  readonly isStrict: boolean
  /** Schemas that the routes' schemas refer to. */
  readonly shared: readonly object[]
  readonly body: object
  /** Whether the schema of the body stands under its media types. */
  readonly hasContent: boolean
  readonly bodies: readonly Json[]
  readonly payloads: readonly unknown[]
  /** Whether payloads have decoded values. */
  readonly hasTransform: boolean
  /** The key that the reply's schema stands under, and whether it stands there under media types. */
  readonly reply: { readonly key: string; readonly hasContent: boolean }
  readonly query: TextPart
  readonly headers: TextPart
  readonly params: TextPart
  readonly extraBody: Extra
  readonly extraQuery: TextPart
  /** The entry for what the framework itself answers. */
  readonly failure: { readonly key: string; readonly schema: object } | undefined
}

/** A part of a request that is text. */
export interface TextPart {
  readonly schema: object
  /** The names of all fields. */
  readonly names: readonly string[]
  readonly values: readonly JsonMap[]
  /** Texts by name. */
  readonly raw: readonly Readonly<Record<string, readonly string[]>>[]
}

/** The case of a seed. */
export function makeTruthCase(seed: number): TruthCase {
  const made = makeCase(seed)
  const written = made.written[seed % made.written.length]
  const [more] = fc.sample(additions, { seed, numRuns: 1 })
  if (written === undefined || more === undefined) throw new Error(`seed ${seed} has no case`)
  const { target, ...others } = more
  const shared = [...made.shared.map(({ schema }) => schema), sharedFlat(target)]
  const { schema: body } = written
  const { bodies, payloads, sketch } = made
  const isStrict = seed % 3 === 0
  return {
    seed,
    isStrict,
    shared,
    body,
    bodies,
    payloads,
    hasTransform: hasTransform(sketch),
    ...others,
  }
}

/** The text of a case's main schema, for whoever reads a finding. */
export function describeCase(seed: number): string {
  const { written, shared }: Case = makeCase(seed)
  const text = written[seed % written.length]?.text ?? ''
  return [text, ...shared.map((each) => each.text)].join(', with ')
}

const flatId = 'flat'

function sharedFlat(target: ObjectSketch): object {
  return evaluate(write(target, 'plain', { $id: `'${flatId}'` }))
}

/** What the parts of text refer to: a field of a shared schema. */
const refTo = (target: ObjectSketch, { name, schema }: Field): Sketch => ({
  kind: 'ref',
  reference: `${flatId}#/properties/${name}`,
  target: target.fields.find((field) => field.name === name)?.schema ?? schema,
})

/** Fields of which some have a default, and some refer to a shared schema. */
function varied(base: ObjectSketch, target: ObjectSketch): fc.Arbitrary<ObjectSketch> {
  const making: Making = { root: base, reply: false, depth: 0 }
  const fields = base.fields.map((field) =>
    fc.tuple(fc.nat(5), valid(field.schema, making)).map(([dice, value]): Field => {
      if (dice === 0) {
        const referred = target.fields.find(({ name }) => name === field.name)
        return referred ? { ...field, schema: refTo(target, referred) } : field
      }
      const { schema } = field
      const has = dice === 1 && schema.kind !== 'union' && canBeDefault(value as Json, schema)
      return has ? { ...field, schema: { ...schema, default: value as Json } } : field
    }),
  )
  return fc.tuple(...fields).map((each) => ({ ...base, fields: each }))
}

/** The schema of a query string, whose values all have a type: without one, text alone is what the schema lists. */
const typedQuery = (): fc.Arbitrary<ObjectSketch> =>
  query().map((sketch) => ({
    ...sketch,
    fields: sketch.fields.filter(({ schema }) => !some(schema, isUntyped)),
  }))

const isUntyped = (sketch: Sketch): boolean =>
  (sketch.kind === 'const' && typeof sketch.value !== 'string') ||
  (sketch.kind === 'enum' && sketch.values.some((value) => typeof value !== 'string'))

const edges = ['', '0', '1', '-2.5', '1e3', ' 1 ', '0x10', 'Infinity', 'true', 'false', 'null', 'x']

/** How the schema of a part is put together. */
type Shape = 'plain' | 'all' | 'any' | 'closed'

function part(target: ObjectSketch, shapes: readonly Shape[]): fc.Arbitrary<TextPart> {
  return fc
    .tuple(typedQuery(), typedQuery(), fc.constantFrom<Shape>(...shapes))
    .chain(([first, second, shape]) =>
      fc.tuple(varied(first, target), varied(second, target), fc.constant(shape)),
    )
    .chain(([first, second, shape]) => {
      const names = [first, second].flatMap(({ fields }) => fields.map(({ name }) => name))
      const texts = fc.array(fc.constantFrom(...edges, 'y', '2020-01-02', 'a,b'), {
        minLength: 1,
        maxLength: 2,
      })
      return fc.record({
        schema: fc.constant(joined(first, second, shape)),
        names: fc.constant(shape === 'plain' || shape === 'closed' ? fieldsOf(first) : names),
        values: fc
          .tuple(values(first), values(second))
          .map(([one, two]) => one.map((each, at) => ({ ...two[at], ...each }))),
        raw: fc.array(fc.dictionary(fc.constantFrom('a', ...names), texts), {
          minLength: 4,
          maxLength: 4,
        }),
      })
    })
}

const fieldsOf = ({ fields }: ObjectSketch): string[] => fields.map(({ name }) => name)

function joined(first: ObjectSketch, second: ObjectSketch, shape: Shape): object {
  const taken = new Set(fieldsOf(first))
  // An alternative that fails has converted the fields that it names.
  const rest = { ...second, fields: second.fields.filter(({ name }) => !taken.has(name)) }
  switch (shape) {
    case 'all':
      return evaluate(write({ kind: 'all', of: [first, rest] }, 'plain'))
    case 'any':
      return evaluate(
        write({ kind: 'union', keyword: 'anyOf', of: [first, rest].map(bare) }, 'plain'),
      )
    case 'closed':
      return evaluate(write({ ...first, others: false }, 'plain'))
    case 'plain':
      return evaluate(write(first, isExpressible(first, 't') ? 't' : 'plain'))
  }
}

/** Without defaults, which are refused in alternatives. */
function bare(sketch: ObjectSketch): ObjectSketch {
  const fields = sketch.fields.map((field) => {
    const { default: _default, ...schema } = field.schema
    return { ...field, schema }
  })
  return { ...sketch, fields }
}

const values = (sketch: ObjectSketch): fc.Arbitrary<JsonMap[]> =>
  fc.array(
    fc.oneof(
      meantQueries(sketch),
      instances(sketch, { root: sketch, reply: false, depth: 0 }).map((value) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? (value as JsonMap)
          : {},
      ),
    ),
    { minLength: 5, maxLength: 5 },
  )

/** What a field of an error may be declared as. There are no rules: serializers do not check them. */
const errorField: fc.Arbitrary<Sketch> = fc.constantFrom<Sketch>(
  { kind: 'string', rules: {} },
  { kind: 'string', rules: {} },
  { kind: 'integer', rules: {} },
  { kind: 'types', names: ['string', 'null'] },
  { kind: 'types', names: ['integer', 'boolean'] },
  { kind: 'const', value: 400 },
  { kind: 'const', value: 'ESP_ERR_VALIDATION' },
  { kind: 'boolean' },
  { kind: 'array', items: { kind: 'string', rules: {} }, rules: {} },
  { kind: 'object', fields: [], typed: true },
  { kind: 'any' },
  { kind: 'string', rules: {}, nullable: true },
)

const errorObject: fc.Arbitrary<ObjectSketch> = fc
  .subarray(['statusCode', 'code', 'error', 'message', 'a'], { minLength: 1 })
  .chain((names) =>
    fc.tuple(
      fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), errorField, fc.boolean()))),
      fc.constantFrom(undefined, undefined, false, true),
    ),
  )
  .map(([fields, others]) => ({
    kind: 'object',
    typed: true,
    fields: fields.map(([name, schema, required]) => ({ name, schema, required })),
    ...(others !== undefined && { others }),
  }))

const failure: fc.Arbitrary<TruthCase['failure']> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('4xx', 'default', '400', '415'),
        fc.oneof<fc.Arbitrary<Sketch>[]>(
          errorObject,
          errorObject,
          fc.tuple(errorObject, errorObject).map((of) => ({ kind: 'union', keyword: 'anyOf', of })),
          fc.constantFrom<Sketch>({ kind: 'null' }, { kind: 'boolean' }, { kind: 'any' }),
        ),
        fc.constantFrom(undefined, undefined, 'application/json', 'application/problem+json'),
      )
      .map(([key, sketch, type]) => {
        const schema = evaluate(write(sketch, 'plain'))
        return { key, schema: type === undefined ? schema : { content: { [type]: { schema } } } }
      }),
  },
)

const additions = typedQuery().chain((target) =>
  fc.record({
    target: fc.constant(target),
    hasContent: fc.nat(3).map((dice) => dice === 0),
    reply: fc.record({
      key: fc.constantFrom('200', '200', '2xx', 'default'),
      hasContent: fc.nat(3).map((dice) => dice === 0),
    }),
    query: part(target, ['plain', 'plain', 'all', 'any', 'closed']),
    headers: part(target, ['plain', 'plain', 'all', 'closed']),
    params: part(target, ['plain', 'all']),
    extraBody,
    extraQuery: extraQuery.map((each) => ({ ...each, names: [], raw: [] })),
    failure,
  }),
)
