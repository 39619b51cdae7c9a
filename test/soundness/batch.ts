// One batch: cases are made, a server is asked, and what it did is claimed of the types, in one call of the compiler.
import { inspect } from 'node:util'
import { makeCase, type Case, type Written } from './cases.ts'
import { openDoor, type Door, type Entry } from './door.ts'
import { fits, fitsStrictly } from './literal.ts'
import { isOutside, type View } from './outside.ts'
import { queryText } from './queries.ts'
import { Program, type Broken } from './program.ts'
import type { Json } from './sketch.ts'

/** How often something was asked; nothing is proved by what was never asked. */
export interface Figures {
  cases: number
  accepted: number
  refused: number
  sent: number
  unsent: number
  claims: number
  outside: number
  /** Schemas that the boot refuses, since an alternative of a response never would be written. */
  unwritten: number
}

export interface Result {
  readonly broken: readonly Broken[]
  readonly figures: Figures
}

interface Subject {
  readonly made: Case
  readonly written: Written
  readonly index: number
  /** The name of the schema's type. */
  readonly type: string
}

/** Checks the cases of some seeds. */
export async function checkSchemas(seeds: readonly number[]): Promise<Result> {
  const made = seeds.map(makeCase)
  const bench = new Bench()
  const declared = made.flatMap((each) => bench.declare(each))
  const asked = made.flatMap((each) => bench.declareQuery(each))
  const { subjects, queries, door } = await open(bench, declared, asked)
  for (const subject of subjects) await bench.ask(subject, door)
  for (const subject of queries) await bench.askQuery(subject, door)
  await door.close()
  return bench.conclude(made.length)
}

const toEntry = ({ made, written }: Subject): Entry => ({
  schema: written.schema,
  shared: made.shared,
})

/** Boots servers for all subjects, or else for those that let them boot; the others are reported. */
async function open(
  bench: Bench,
  subjects: readonly Subject[],
  queries: readonly Subject[],
): Promise<Opened> {
  const all = { subjects, queries }
  try {
    return {
      ...all,
      door: await openDoor({ bodies: subjects.map(toEntry), queries: queries.map(toEntry) }),
    }
  } catch (error) {
    const good: Subject[] = []
    for (const subject of subjects) {
      try {
        await (await openDoor({ bodies: [toEntry(subject)], queries: [] })).close()
        good.push({ ...subject, index: good.length })
      } catch (own) {
        if (isUnwritten(own)) bench.figures.unwritten++
        else bench.report(subject, `does not boot: ${inspect(own)}`)
      }
    }
    if (good.length === subjects.length) throw error
    return open(bench, good, queries)
  }
}

const isUnwritten = (error: unknown): boolean =>
  error instanceof Error && /is never written/.test(error.message)

interface Opened {
  readonly subjects: readonly Subject[]
  readonly queries: readonly Subject[]
  readonly door: Door
}

class Bench {
  readonly #program = new Program()
  readonly #broken: Broken[] = []
  readonly #starts: [line: number, seed: number][] = []
  readonly figures: Figures = {
    cases: 0,
    accepted: 0,
    refused: 0,
    sent: 0,
    unsent: 0,
    claims: 0,
    outside: 0,
    unwritten: 0,
  }
  #count = 0
  #queries = 0

  /** Declares the schemas of a case. */
  declare(made: Case): Subject[] {
    const name = `s${made.seed}`
    const own = made.shared.map(({ id, text }) => declaration(`${name}_${id}`, text))
    const schemas = `{ ${made.shared.map(({ id }) => `${id}: ${name}_${id}`).join('; ')} }`
    return made.written.map((written, at) => {
      const type = `${name}_${written.form}`
      const lines = [...(at === 0 ? own : []), declaration(type, written.text)]
      for (const view of ['Input', 'Output', 'Payload', 'Received']) {
        lines.push(`type ${view}_${type} = ${view}<${type}, ${schemas}>`)
      }
      this.#starts.push([this.#program.declare(lines.join('\n')), made.seed])
      return { made, written, index: this.#count++, type }
    })
  }

  /** Declares the schemas of a case's query string. */
  declareQuery(made: Case): Subject[] {
    return made.query.written.map((written) => {
      const type = `q${made.seed}_${written.form}`
      const route = `RouteEntry<'GET /', { querystring: ${type} }, unknown>`
      const line = this.#program.declare(
        [
          declaration(type, written.text),
          `type Input_${type} = NonNullable<InputOf<HasCtx<RootCtx, ${route}>, 'GET /'>['query']>`,
          `type Output_${type} = Output<${type}>`,
        ].join('\n'),
      )
      this.#starts.push([line, made.seed])
      return { made: { ...made, shared: [] }, written, index: this.#queries++, type }
    })
  }

  /** What is written into a URL may be sent so; what was accepted of any text is of the type. */
  async askQuery(subject: Subject, door: Door): Promise<void> {
    const { meant, raw } = subject.made.query
    for (const query of meant) {
      this.#claim(
        subject,
        fits(query, `Input_${subject.type}`),
        true,
        `${show(query)} can be sent in a query`,
      )
    }
    for (const text of [...meant.map(queryText), ...raw]) {
      const answer = await door.readQuery(subject.index, text)
      this.figures[answer ? 'accepted' : 'refused']++
      if (!answer) continue
      this.#claim(subject, fits(answer.value, `Output_${subject.type}`), true, `read of ?${text}`)
    }
  }

  async ask(subject: Subject, door: Door): Promise<void> {
    for (const body of subject.made.bodies) {
      this.#claimRead(subject, body, await door.read(subject.index, body))
      this.#claimExact(subject, body, await door.read(subject.index, body, true))
    }
    for (const payload of subject.made.payloads) await this.#claimSent(subject, payload, door)
  }

  /** What was accepted is of the type; what is no value of the type is refused by it. */
  #claimRead(subject: Subject, body: Json, answer: { value: unknown } | undefined): void {
    this.figures[answer ? 'accepted' : 'refused']++
    if (answer) {
      this.#claim(
        subject,
        fits(answer.value, `Output_${subject.type}`),
        true,
        `read of ${show(body)}`,
      )
      if (isOutside(subject.made.sketch, answer.value as Json, view(subject, 'out'))) {
        this.report(
          subject,
          `${show(body)} was read as ${show(answer.value)}, which is outside of the type`,
        )
      }
    }
    if (isOutside(subject.made.sketch, body, view(subject, 'out'))) {
      this.figures.outside++
      this.#claim(
        subject,
        fitsStrictly(body, `Output_${subject.type}`),
        false,
        `${show(body)} is not to be read`,
      )
    }
  }

  /** What is valid as it is may be sent; what is no value of the type is not valid. */
  #claimExact(subject: Subject, body: Json, answer: { value: unknown } | undefined): void {
    if (answer)
      this.#claim(subject, fits(body, `Input_${subject.type}`), true, `${show(body)} can be sent`)
    if (!isOutside(subject.made.sketch, body, view(subject, 'in'))) return
    this.#claim(
      subject,
      fitsStrictly(body, `Input_${subject.type}`),
      false,
      `${show(body)} is not to be sent`,
    )
    if (answer) this.report(subject, `${show(body)} was accepted, which is outside of the type`)
  }

  /** What left is of the type that a client receives, if the payload was one. */
  async #claimSent(subject: Subject, payload: unknown, door: Door): Promise<void> {
    // Text is sent as it is, and null is nothing.
    if (typeof payload === 'string' || payload === null) return
    const answer = await door.send(subject.index, payload)
    this.figures[answer ? 'sent' : 'unsent']++
    if (!answer) return
    const premise = fitsStrictly(payload, `Payload_${subject.type}`)
    if (answer === 'no JSON') {
      this.#claim(subject, premise, false, `no JSON left of ${show(payload)}`)
      return
    }
    const conclusion = fits(answer.value, `Received_${subject.type}`)
    // Any object is one whose fields may all be left out, whatever its `toJSON` gives.
    const given = new Set([premise, fitsStrictly(jsonOf(payload), `Payload_${subject.type}`)])
    const test = [...given].reduceRight((then, each) => `Implies<${each}, ${then}>`, conclusion)
    this.#claim(subject, test, true, `received of ${show(payload)}`)
  }

  #claim({ made, written }: Subject, test: string, holds: boolean, about: string): void {
    this.#program.claim({
      test,
      holds,
      about: `${about} by ${written.text}${sharedText(made)}`,
      seed: made.seed,
    })
  }

  report({ made, written }: Subject, message: string): void {
    this.#broken.push({ seed: made.seed, about: `${written.text}${sharedText(made)}`, message })
  }

  conclude(cases: number): Result {
    const seedAt = (line: number) => this.#starts.findLast(([start]) => start <= line)?.[1] ?? -1
    const broken = [...this.#broken, ...this.#program.check(seedAt)]
    return { broken, figures: { ...this.figures, cases, claims: this.#program.size } }
  }
}

const view = ({ made, written }: Subject, side: View['side']): View => ({
  side,
  form: written.form,
  root: made.sketch,
})

const sharedText = ({ shared }: Case) => shared.map(({ text }) => `, with ${text}`).join('')

const declaration = (name: string, text: string) =>
  `const ${name} = ${constant(text)}; type ${name} = typeof ${name}; void ${name}`

/** Plain JSON Schema is given as a constant, as a route's argument is inferred. */
const constant = (text: string) => (text.startsWith('{') ? `${text} as const` : text)

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

/** A value with what each `toJSON` in it gives; that of a date is its text. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if ('toJSON' in value && typeof value.toJSON === 'function') return jsonOf(value.toJSON())
  if (Array.isArray(value)) return value.map(jsonOf)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, jsonOf(each)]))
}
