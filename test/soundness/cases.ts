// A case: a random schema, written in all its forms, with the schemas that it refers to and with values.
import fc from 'fast-check'
import { edge, instances, type Making } from './instances.ts'
import { meantQueries, query, rawQueries } from './queries.ts'
import { objectWith, schema, type Place } from './schemas.ts'
import { referencesTo, shared } from './shared.ts'
import {
  some,
  type Field,
  type Form,
  type Json,
  type JsonMap,
  type ObjectSketch,
  type SharedSketch,
  type Sketch,
} from './sketch.ts'
import { evaluate, isExpressible, write, writeRoot } from './source.ts'

export interface Written {
  readonly form: Form
  /** The schema as source text, and what that text stands for. */
  readonly text: string
  readonly schema: object
}

export interface WrittenShared {
  readonly id: string
  readonly text: string
  readonly schema: object
}

export interface Case {
  readonly seed: number
  readonly sketch: Sketch
  readonly written: readonly Written[]
  readonly shared: readonly WrittenShared[]
  readonly bodies: readonly Json[]
  readonly payloads: readonly unknown[]
  readonly query: Query
}

/** The schema of a query string, with what is sent for it. */
export interface Query {
  readonly written: readonly Written[]
  readonly meant: readonly JsonMap[]
  readonly raw: readonly string[]
}

/** The case of a seed. */
export function makeCase(seed: number): Case {
  for (let run = 0; ; run++) {
    const [found] = fc.sample(sketches, { seed: seed * 64 + run, numRuns: 1 })
    const made = found && writeCase(seed, found)
    if (made !== undefined) return made
  }
}

interface Sketched {
  readonly sketch: Sketch
  readonly others: readonly SharedSketch[]
  readonly bodies: readonly unknown[]
  readonly payloads: readonly unknown[]
  readonly query: SketchedQuery
}

interface SketchedQuery {
  readonly sketch: ObjectSketch
  readonly meant: readonly JsonMap[]
  readonly raw: readonly string[]
}

const queries: fc.Arbitrary<SketchedQuery> = query().chain((sketch) =>
  fc.record({
    sketch: fc.constant(sketch),
    meant: fc.array(meantQueries(sketch), { minLength: 2, maxLength: 2 }),
    raw: fc.array(rawQueries(sketch), { minLength: 2, maxLength: 2 }),
  }),
)

const others: fc.Arbitrary<readonly SharedSketch[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  {
    weight: 3,
    arbitrary: shared('one', []).chain((one) =>
      fc.oneof(
        fc.constant([one]),
        shared('two', referencesTo(one)).map((two) => [one, two]),
      ),
    ),
  },
)

const sketches: fc.Arbitrary<Sketched> = others.chain((all) =>
  root(all.flatMap(referencesTo)).chain((sketch) => {
    const making = (reply: boolean): Making => ({ root: sketch, reply, depth: 1 })
    const values = (reply: boolean) =>
      fc.array(instances(sketch, making(reply)), { minLength: 6, maxLength: 6 })
    return fc.record({
      sketch: fc.constant(sketch),
      others: fc.constant(all),
      bodies: fc.tuple(values(false), edge).map(([each, more]) => [...each, more]),
      payloads: values(true).map((each) => each.slice(0, 4)),
      query: queries,
    })
  }),
)

/** The schema of a body: mostly of an object, since bodies are; some refer to themselves. */
function root(refs: readonly Sketch[]): fc.Arbitrary<Sketch> {
  const place: Place = { depth: 3, refs, isAlternative: false, names: ['a', 'b', 'c', 'd'] }
  const looped = fc.tuple(objectWith(place), fc.boolean()).map(([sketch, isList]): Sketch => {
    if (sketch.kind !== 'object' || !sketch.typed) return sketch
    const self: Sketch = { kind: 'self' }
    const next: Field = {
      name: 'e',
      required: isList,
      schema: isList ? { kind: 'array', items: self, rules: {} } : self,
    }
    return { ...(sketch satisfies ObjectSketch), fields: [...sketch.fields, next] }
  })
  return fc.oneof(
    { weight: 4, arbitrary: objectWith(place) },
    { weight: 4, arbitrary: schema(place) },
    { weight: 1, arbitrary: looped },
  )
}

function writeCase(
  seed: number,
  { sketch, others: all, bodies, payloads, query: asked }: Sketched,
): Case | undefined {
  // `{}` by itself is the short form of no properties.
  if (sketch.kind === 'any') return undefined
  const shared = all.map(writeShared)
  const written = writeForms(sketch)
  if (written.length === 0 || shared.some((each) => each === undefined)) return undefined
  return {
    seed,
    sketch,
    written,
    shared: shared.filter((each) => each !== undefined),
    bodies: bodies as Json[],
    payloads,
    query: { ...asked, written: writeForms(asked.sketch) },
  }
}

/** Writes a schema in all forms that it can be written in. */
function writeForms(sketch: Sketch): Written[] {
  const forms = (['t', 'plain', 'short'] as const).filter((form) => isExpressible(sketch, form))
  return forms.map((form) => {
    const text = writeRoot(sketch, form, {})
    return { form, text, schema: evaluate(text) }
  })
}

function writeShared({ id, form, sketch, definitions }: SharedSketch): WrittenShared | undefined {
  const chosen = [form, 't' as const, 'plain' as const].find((each) => isExpressible(sketch, each))
  if (chosen === undefined) return undefined
  const parts = Object.entries(definitions).map(([name, part]) => {
    const partForm = isExpressible(part, chosen) ? chosen : 'plain'
    return `${name}: ${write(part, partForm)}`
  })
  const text = write(sketch, chosen, {
    $id: `'${id}'`,
    definitions: `{ ${parts.join(', ')} }`,
  })
  // A bare reference takes no keywords beside it.
  return some(sketch, ({ kind }) => kind === 'self')
    ? undefined
    : { id, text, schema: evaluate(text) }
}
