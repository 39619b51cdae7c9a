// Compares what a document says with what the application does. See `Examiner` for the claims.
import { inspect } from 'node:util'
import type { ValidateFunction } from 'ajv'
import type { Response } from 'light-my-request'
import { documentOf, type Operation } from '../../src/openapi/index.ts'
import type { Json } from '../soundness/sketch.ts'
import { bodyLimit, makeApplication, type TruthApplication } from './application.ts'
import { describeCase, makeTruthCase, type TextPart, type TruthCase } from './cases.ts'
import { canBeCoerced } from './coercion.ts'
import { DocumentReader, type Node } from './document.ts'
import type { Pairs } from './serialize.ts'
import { writeForm, writeText, type Sending, type Verdict } from './text.ts'

/** A disagreement of a document and its application. */
export interface Finding {
  readonly seed: number
  readonly message: string
}

/** How often something was asked; nothing is proved by what was never asked. */
export interface Figures {
  cases: number
  /** Requests that the document accepts. */
  accepted: number
  /** Requests that the document refuses, also after the documented conversions. */
  refused: number
  /** Requests that are only valid by a documented conversion, or that OpenAPI has no text for. */
  unclaimed: number
  replies: number
  /** Payloads that the framework refuses to serialize. */
  unsent: number
  /** Cases that the boot refuses, since an alternative of a response would never be written. */
  unwritten: number
}

export interface Result {
  readonly findings: readonly Finding[]
  readonly figures: Figures
}

const noFigures = (): Figures => ({
  cases: 0,
  accepted: 0,
  refused: 0,
  unclaimed: 0,
  replies: 0,
  unsent: 0,
  unwritten: 0,
})

/** Checks the cases of some seeds, in one application. */
export async function checkSeeds(seeds: readonly number[]): Promise<Result> {
  const result = { findings: [] as Finding[], figures: noFigures() }
  await check(seeds.map(makeTruthCase), result.findings, result.figures)
  return result
}

/** Checks cases together, or else apart, to find those that do not boot. */
async function check(
  cases: readonly TruthCase[],
  findings: Finding[],
  figures: Figures,
): Promise<void> {
  const application = makeApplication(cases)
  let reader: DocumentReader
  try {
    const info = { title: 'Truth', version: '1' }
    reader = new DocumentReader(await documentOf(application.app, { info }))
  } catch (error) {
    await application.app.close()
    if (cases.length > 1) {
      const half = Math.ceil(cases.length / 2)
      await check(cases.slice(0, half), findings, figures)
      await check(cases.slice(half), findings, figures)
    } else if (error instanceof Error && refused.test(error.message)) {
      figures.unwritten++
    } else {
      const { seed = -1 } = cases[0] ?? {}
      findings.push({
        seed,
        message: `${describeCase(seed)}\n  has no document: ${inspect(error)}`,
      })
    }
    return
  }
  figures.cases += cases.length
  for (const [index, each] of cases.entries()) {
    const report = (message: string) => findings.push({ seed: each.seed, message })
    await new Examiner(application, reader, figures, { made: each, index, report }).run()
  }
  await application.app.close()
}

/** What the boot refuses with reason: strict mode closes the objects of defaults too. */
const refused = /is never written|is refused by its own schema/

interface Subject {
  readonly made: TruthCase
  readonly index: number
  readonly report: (message: string) => void
}

type PlaceName = 'headers' | 'params' | 'query'

interface Request {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Record<string, string>
  readonly payload?: string
}

/** The claims:
 *  - what the document accepts reaches the handler,
 *  - what it refuses is answered with 400, unless a documented conversion makes it valid,
 *  - each reply is as the document says of its status and its media type. */
class Examiner {
  readonly #application: TruthApplication
  readonly #reader: DocumentReader
  readonly #figures: Figures
  readonly #subject: Subject
  readonly #prefix: string

  constructor(
    application: TruthApplication,
    reader: DocumentReader,
    figures: Figures,
    subject: Subject,
  ) {
    this.#application = application
    this.#reader = reader
    this.#figures = figures
    this.#subject = subject
    this.#prefix = `/c${subject.index}`
  }

  async run(): Promise<void> {
    const { made } = this.#subject
    await this.#checkBodies('body', made.bodies)
    await this.#checkBodies('extra', made.extraBody.values)
    for (const name of ['query', 'headers', 'params'] as const) {
      await this.#checkText(name, made[name])
    }
    await this.#checkText('query', made.extraQuery, 'extra')
    await this.#checkForms()
    await this.#checkReplies()
  }

  async #checkForms(): Promise<void> {
    const url = `${this.#prefix}/form`
    const operation = this.#reader.operation(url, 'post')
    const type = 'application/x-www-form-urlencoded'
    // A form is offered only for bodies that it can carry.
    if (operation.value.requestBody?.content[type] === undefined) return
    const path = [...operation.path, 'requestBody', 'content', type]
    for (const sending of sendingsOf(this.#subject.made.query)) {
      const { pairs, verdict } = writeForm(this.#reader, path, sending)
      if (pairs.length === 0) continue
      const payload = urlEncoded(pairs)
      const request = { method: 'POST', url, headers: { 'content-type': type }, payload } as const
      await this.#ask(
        operation,
        request,
        this.#claimOf(this.#subject.made.query, pairs, verdict),
        path,
      )
    }
  }

  /** Text is decoded by the first alternative that fits. In strict mode fields of the others are more than it names. */
  #claimOf({ schema }: TextPart, pairs: Pairs, verdict: Verdict): Verdict {
    const isUnion = 'anyOf' in Object(schema)
    const isLarge = pairs.some(([, text]) => hasLargeNumber(Number(text)))
    const claimsLess = this.#subject.made.isStrict && (isUnion || isLarge)
    return claimsLess && verdict === 'accepts' ? 'no claim' : verdict
  }

  async #checkBodies(name: string, bodies: readonly Json[]): Promise<void> {
    const url = `${this.#prefix}/${name}`
    const operation = this.#reader.operation(url, 'post')
    const { requestBody } = operation.value
    for (const type of Object.keys(requestBody?.content ?? {})) {
      const path = [...operation.path, 'requestBody', 'content', type, 'schema']
      for (const body of bodies) {
        const isText = type !== 'application/json'
        if (isText && typeof body !== 'string') continue
        const payload = isText && typeof body === 'string' ? body : JSON.stringify(body)
        const request = { method: 'POST', url, headers: { 'content-type': type }, payload } as const
        await this.#ask(operation, request, this.#judge(path, body), path)
      }
    }
    const path = [...operation.path, 'requestBody', 'required']
    const isRequired = requestBody?.required === true
    await this.#ask(operation, { method: 'POST', url }, isRequired ? 'refuses' : 'accepts', path)
    await this.#checkOwnAnswers(operation, url)
  }

  async #checkOwnAnswers(operation: Node<Operation>, url: string): Promise<void> {
    const answers = [
      [400, 'application/json', '{'],
      [413, 'application/json', JSON.stringify('x'.repeat(bodyLimit))],
      [415, 'application/x-unknown', 'x'],
    ] as const
    for (const [status, type, payload] of answers) {
      const request = { method: 'POST', url, headers: { 'content-type': type }, payload } as const
      const reply = await this.#send(request)
      if (reply.statusCode !== status) this.#report(`not ${status}`, operation.path, request, reply)
      this.#checkReply(operation, request, reply)
    }
  }

  #judge(path: readonly string[], value: Json): Verdict {
    const { isStrict } = this.#subject.made
    // Strict mode refuses integers that JavaScript rounds, which documents do not say.
    if (this.#reader.validator(path)(value))
      return isStrict && hasLargeNumber(value) ? 'no claim' : 'accepts'
    if (isStrict) return 'refuses'
    return canBeCoerced(this.#reader.convertedValidator(path), value) ? 'no claim' : 'refuses'
  }

  async #checkText(place: PlaceName, part: TextPart, name: string = place): Promise<void> {
    const names = [...new Set(part.names)]
    const template = place === 'params' ? names.map((each) => `/{${each}}`).join('') : ''
    const operation = this.#reader.operation(`${this.#prefix}/${name}${template}`, 'get')
    for (const sending of sendingsOf(part, place === 'params' ? names : [])) {
      const { pairs, verdict } = writeText(this.#reader, operation, sending)
      const request = this.#requestOf(place, operation.path[1] ?? '', pairs)
      if (request === undefined) continue
      const claim = this.#claimOf(part, pairs, verdict)
      await this.#ask(operation, request, claim, [...operation.path, 'parameters'])
    }
  }

  /** Undefined where a text has no place: a path and headers have each name once. */
  #requestOf(place: PlaceName, template: string, pairs: Pairs): Request | undefined {
    if (place === 'query') return { method: 'GET', url: `${template}?${urlEncoded(pairs)}` }
    const map = Object.fromEntries(pairs)
    if (Object.keys(map).length < pairs.length) return undefined
    if (place === 'headers') return { method: 'GET', url: template, headers: map }
    const url = template.replaceAll(/\{([^}]*)\}/g, (_all, key: string) =>
      encodeURIComponent(map[key] ?? ''),
    )
    return url.includes('//') || url.endsWith('/') ? undefined : { method: 'GET', url }
  }

  async #checkReplies(): Promise<void> {
    const url = `${this.#prefix}/reply`
    const operation = this.#reader.operation(url, 'get')
    for (const payload of this.#subject.made.payloads) {
      this.#application.payload = payload
      const request = { method: 'GET', url } as const
      const reply = await this.#send(request)
      const path = [...operation.path, 'responses', responseKey(this.#subject.made.reply.key)]
      if (!this.#isDocumented(path, payload)) this.#figures.unclaimed++
      else if (reply.statusCode === 500) this.#figures.unsent++
      else this.#checkReply(operation, request, reply, payload)
    }
  }

  /** Whether the document says that a payload may be sent. What breaks a rule is not refused by serializers. */
  #isDocumented(path: readonly string[], payload: unknown): boolean {
    const content = this.#reader.keys([...path, 'content'])
    if (content === undefined) return payload === null
    // In a union under `patternProperties` a serializer does not ask an object for its own JSON.
    if (hasOwnJson(payload)) return false
    // A date by `format: 'time'` has no offset, which the format asks for.
    if (hasDate(payload) && this.#reader.show(path).includes('"format":"time"')) return false
    const value = onWire(payload, this.#subject.made.hasTransform)
    return content.some((type) =>
      this.#reader.validator([...path, 'content', type, 'schema'])(value),
    )
  }

  async #ask(
    operation: Node<Operation>,
    request: Request,
    verdict: Verdict,
    path: readonly string[],
  ): Promise<void> {
    const reply = await this.#send(request)
    this.#checkReply(operation, request, reply)
    const status = reply.statusCode
    if (verdict === 'no claim') this.#figures.unclaimed++
    else this.#figures[verdict === 'accepts' ? 'accepted' : 'refused']++
    if (verdict === 'accepts' && status !== 200) {
      this.#report('accepted by the document, refused by the application', path, request, reply)
    }
    if (verdict === 'refuses' && status !== 400) {
      this.#report('refused by the document, accepted by the application', path, request, reply)
    }
  }

  async #send(request: Request): Promise<Response> {
    return this.#application.app.inject(request)
  }

  #checkReply(
    { value, path }: Node<Operation>,
    request: Request,
    reply: Response,
    payload?: unknown,
  ): void {
    this.#figures.replies++
    const { responses } = value
    const status = String(reply.statusCode)
    const key = [status, `${status.charAt(0)}XX`, 'default'].find((each) => each in responses)
    const report = (what: string, at: readonly string[]) =>
      this.#report(what, [...path, 'responses', ...at], request, reply, payload)
    if (key === undefined) {
      report('a status that is not documented', [])
      return
    }
    const content = responses[key]?.content
    const given = reply.headers['content-type']
    if (content === undefined) {
      // A handler may say null where a schema of null alone stands for no payload.
      if (reply.payload !== '' && reply.payload !== 'null')
        report('a payload that is not documented', [key])
      return
    }
    const type = String(given).split(';')[0] ?? ''
    const known = [type, '*/*'].find((each) => each in content)
    if (known === undefined) {
      report(`a media type that is not documented`, [key])
      return
    }
    if (content[known]?.schema === undefined) return
    const at = [key, 'content', known, 'schema']
    const received: unknown = type.endsWith('json') ? parse(reply.payload) : reply.payload
    const validate = this.#reader.validator([...path, 'responses', ...at])
    if (!validate(received)) report(`a payload that is not valid: ${explain(validate)}`, at)
  }

  #report(
    what: string,
    path: readonly string[],
    request: Request,
    reply: Response,
    payload?: unknown,
  ): void {
    const { made, report } = this.#subject
    const sent = payload === undefined ? '' : `\n  payload ${inspect(payload, { depth: 9 })}`
    report(
      [
        `${what}: ${describeCase(made.seed)}`,
        `  document ${path.join(' > ')}:\n    ${this.#reader.show(path)}`,
        `  request ${JSON.stringify(request)}${sent}`,
        `  reply ${reply.statusCode} ${String(reply.headers['content-type'])} ${reply.payload}`,
      ].join('\n'),
    )
  }
}

/** What is sent for a part. @param must the names that have to be there */
function sendingsOf({ values, raw }: TextPart, must: readonly string[] = []): Sending[] {
  const text = Object.fromEntries(must.map((name) => [name, 'x']))
  const texts = Object.fromEntries(must.map((name) => [name, ['x']]))
  return [
    ...values.map((each) => ({ values: { ...text, ...each } })),
    ...raw.map((each) => ({ texts: { ...texts, ...each } })),
  ]
}

const urlEncoded = (pairs: Pairs): string =>
  pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')

const responseKey = (key: string) => (key === 'default' ? key : key.toUpperCase())

/** A payload as JSON: dates as text, and what a transform has decoded as it was. */
function onWire(payload: unknown, hasTransform: boolean): unknown {
  const encode = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(encode)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const [first] = entries
    if (entries.length === 1 && first?.[0] === 'decoded') return encode(first[1])
    return Object.fromEntries(entries.map(([name, each]) => [name, encode(each)]))
  }
  const value = parse(JSON.stringify(payload) ?? '')
  return hasTransform ? encode(value) : value
}

/** Whether an object in a payload has a `toJSON`. */
function hasOwnJson(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null || payload instanceof Date) return false
  return 'toJSON' in payload || Object.values(payload).some(hasOwnJson)
}

function hasDate(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null) return false
  return payload instanceof Date || Object.values(payload).some(hasDate)
}

const explain = ({ errors }: ValidateFunction): string =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ')

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function hasLargeNumber(value: Json): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLargeNumber)
}
