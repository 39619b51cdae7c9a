// Sends the values of cases to servers, and compares what comes of them with the oracle.
import formbody from '@fastify/formbody'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect, isDeepStrictEqual } from 'node:util'
import { client } from '../../src/client/index.ts'
import { compileModule, textOfModule } from '../../src/server/compiled-module.ts'
import { nodeOf } from '../../src/server/node.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'
import { Exotic, type StrictCase } from './cases.ts'
import { give, type Given } from './forms.ts'
import { isObject, Oracle, plain, set } from './oracle.ts'
import { exotic } from './values.ts'

export interface Finding {
  readonly made: StrictCase
  readonly message: string
}

/** How often something was asked; nothing is proved by what was never asked. */
export const noFigures = () => ({
  cases: 0,
  schemas: 0,
  accepted: 0,
  refused: 0,
  sent: 0,
  unsent: 0,
  compared: 0,
  unbooted: 0,
})
export type Figures = ReturnType<typeof noFigures>

/** How a request is made. */
const doors = ['inject', 'http', 'client', 'compiled'] as const
type Door = (typeof doors)[number]

/** What a request comes to: what the handler has read, or the body of a reply, unless it is refused. */
type Outcome = { readonly status: number; readonly value?: unknown }

interface Application {
  readonly app: UntypedServer
  origin: string
  read: unknown
  payload: unknown
}

/** Checks cases together, or else apart, to find those that do not boot. */
export async function check(
  cases: readonly StrictCase[],
  figures: Figures,
  door?: Door,
): Promise<Finding[]> {
  const given = cases.map((each, index) => give(each, `root${index}`))
  const strict = build(cases, given, { strict: true })
  const usual = build(cases, given, { strict: cases.some(({ isAlone }) => isAlone) })
  const all = [strict, usual]
  try {
    try {
      for (const { app } of all) await app.ready()
      // Whatever waits for its first use is compiled now.
      if (door === undefined || door === 'compiled')
        all.push(await buildCompiled(strict, cases, given))
    } catch (error) {
      if (cases.length > 1) {
        const half = Math.ceil(cases.length / 2)
        return [
          ...(await check(cases.slice(0, half), figures, door)),
          ...(await check(cases.slice(half), figures, door)),
        ]
      }
      const { message } = error as Error
      const [made] = cases
      if (made !== undefined && made.isAlone !== true && message.includes('/loose'))
        return await check([{ ...made, isAlone: true }], figures, door)
      figures.unbooted++
      return made === undefined || isExpected(message)
        ? []
        : [{ made, message: `does not boot: ${inspect(error)}` }]
    }
    const findings: Finding[] = []
    figures.schemas += cases.length
    for (const [index, made] of cases.entries()) {
      const oracle = new Oracle(given[index]?.schema ?? {}, made.shared)
      for (const [at, value] of made.values.entries()) {
        const chosen = door ?? doors[(index + at) % 6] ?? 'inject'
        figures.cases++
        const message = await examine({
          applications: all,
          made,
          index,
          oracle,
          judge: given[index]?.judge,
          door: chosen,
          value,
          figures,
        })
        if (message !== undefined)
          findings.push({ made: { ...made, values: [value] }, message: `${chosen}: ${message}` })
      }
    }
    return findings
  } finally {
    for (const { app } of all) await app.close()
  }
}

/** What the boot refuses with reason. */
const isExpected = (message: string): boolean =>
  /is refused by its own schema|default is ignored|where ajv fills in none|is never written|no object can have both|is not a valid|same key|must NOT have duplicate/.test(
    message,
  )

function build(
  cases: readonly StrictCase[],
  given: readonly Given[],
  options: object,
): Application {
  const app = untyped({ logger: false, ...options })
  const made: Application = { app, origin: '', read: undefined, payload: undefined }
  app.register(formbody as never)
  for (const [index, each] of cases.entries()) {
    app.register((child) => declare(child, each, given[index] as Given, made), {
      prefix: `/c${index}`,
    })
  }
  return made
}

function declare(
  child: UntypedServer,
  { shared, part, schema, isAlone }: StrictCase,
  { entry, added }: Given,
  made: Application,
): void {
  for (const [id, each] of Object.entries(shared)) child.addSchema({ ...each, $id: id })
  if (added !== undefined) child.addSchema(added)
  const key = part === 'query' ? 'querystring' : part
  // A route of the default mode stands beside each strict one.
  for (const [name, strict] of [
    ['own', undefined],
    ['loose', false],
  ] as const) {
    if (name === 'loose' && isAlone) continue
    const isBody = part === 'body' || part === 'form'
    const path =
      part === 'params'
        ? Object.keys({ ...(schema as any).properties, ...fieldsOf(schema) })
            .map((each) => `/:${each}`)
            .join('')
        : ''
    child.route({
      method: isBody ? 'POST' : 'GET',
      url: `/${name}${path}`,
      strict,
      schema: part === 'reply' ? { response: { 200: entry } } : { [isBody ? 'body' : key]: entry },
      handler: (request: any) => {
        if (part === 'reply') return made.payload
        made.read = request[isBody ? 'body' : part]
        return { ok: true }
      },
    })
  }
}

const fieldsOf = (schema: any): object =>
  Object.assign({}, ...(schema.allOf ?? []).map((each: any) => each.properties))

async function buildCompiled(
  { app }: Application,
  cases: readonly StrictCase[],
  given: readonly Given[],
): Promise<Application> {
  const { options, compilers } = nodeOf(app as never).host
  const { functions, others, left } = compileModule(options, compilers)
  if (left.length > 0) throw new Error(`not compiled ahead of time: ${inspect(left)}`)
  const folder = mkdtempSync(join(tmpdir(), 'espalier-strict-'))
  try {
    const file = join(folder, 'compiled.mjs')
    writeFileSync(file, textOfModule({ functions, others, left }))
    const { default: compiled } = await import(pathToFileURL(file).href)
    const made = build(cases, given, { strict: true, compiled })
    await made.app.ready()
    return made
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Question {
  readonly applications: readonly Application[]
  readonly made: StrictCase
  readonly index: number
  readonly oracle: Oracle
  readonly judge: Given['judge']
  readonly door: Door
  readonly value: unknown
  readonly figures: Figures
}

/** A disagreement, if there is one. */
async function examine(question: Question): Promise<string | undefined> {
  const { applications, made, index, oracle, judge, door, value, figures } = question
  const [strict, usual, compiled] = applications
  if (strict === undefined || usual === undefined) throw new Error('there is no server')
  const asked = door === 'compiled' ? (compiled ?? strict) : strict
  const outcome = await ask(asked, made, `/c${index}/own`, value, door)
  const expected =
    judge === undefined ? expect(made, oracle, value) : [expectJudged(made, judge, value)]
  if (made.part === 'reply') figures[outcome.status === 200 ? 'sent' : 'unsent']++
  else figures[outcome.status === 200 ? 'accepted' : 'refused']++
  if (!expected.some((each) => agrees(each, outcome))) {
    return `expected ${expected.map(show).join(' or ')}\n  but came ${show(outcome)}`
  }
  if (door !== 'inject' || made.isAlone) return undefined
  figures.compared++
  const [beside, alone] = [
    await ask(strict, made, `/c${index}/loose`, value, 'inject'),
    await ask(usual, made, `/c${index}/loose`, value, 'inject'),
  ]
  if (agrees(alone, beside)) return undefined
  return `the default mode alone gives ${show(alone)}\n  but beside a strict route ${show(beside)}`
}

const show = (value: unknown): string => inspect(value, { depth: 12, breakLength: 160 })

const agrees = (expected: Outcome, { status, value }: Outcome): boolean =>
  status === expected.status && isDeepStrictEqual(plain(value), plain(expected.value))

/** The outcomes that strict mode may have. */
function expect(made: StrictCase, oracle: Oracle, value: unknown): Outcome[] {
  const { part } = made
  if (part === 'reply') return expectReply(oracle, value)
  if (part !== 'body') {
    const texts = value as Record<string, string | string[]>
    const found = oracle.decodeFields(
      part === 'headers' ? withOthers(texts) : texts,
      part === 'headers',
    )
    return [
      found === undefined
        ? { status: 400 }
        : { status: 200, value: part === 'headers' ? withoutOthers(found.value) : found.value },
    ]
  }
  const sent = JSON.parse(JSON.stringify(value))
  const filled = oracle.withDefaults(sent)
  return [
    isPoisoned(sent) || !oracle.accepts(filled) ? { status: 400 } : { status: 200, value: filled },
  ]
}

/** What a Standard Schema leads to: what it takes is passed on as it is. */
function expectJudged(
  { part }: StrictCase,
  judge: (value: unknown) => boolean,
  value: unknown,
): Outcome {
  const isReply = part === 'reply'
  const sent = isReply ? value : JSON.parse(JSON.stringify(value))
  if ((!isReply && isPoisoned(sent)) || !judge(sent)) return { status: isReply ? 500 : 400 }
  return { status: 200, value: sent }
}

function expectReply(oracle: Oracle, payload: unknown): Outcome[] {
  const sentinel = 'no JSON'
  const value = resolveExotic(payload, (index) => exotic[index]?.[1] ?? sentinel)
  const found = oracle.project(value)
  const failed = { status: 500 }
  if (found === undefined) return [failed]
  const text = JSON.stringify(found.value)
  if (text.includes(sentinel)) return [failed]
  const sent = { status: 200, value: JSON.parse(text) }
  return JSON.stringify(value).includes(sentinel) ? [sent, failed] : [sent]
}

/** The names that every request may have as headers. */
const others = [
  'host',
  'user-agent',
  'connection',
  'accept',
  'accept-language',
  'sec-fetch-mode',
  'accept-encoding',
  'content-length',
  'content-type',
]
const withOthers = (texts: object) => texts as Record<string, string>
const withoutOthers = (headers: object): object =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !others.includes(name)))

/** Whether a body is refused before it is validated. */
function isPoisoned(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isPoisoned)
  if (!isObject(value)) return false
  if (Object.hasOwn(value, '__proto__')) return true
  const { constructor: own } = value
  if (Object.hasOwn(value, 'constructor') && isObject(own) && Object.hasOwn(own, 'prototype'))
    return true
  return Object.values(value).some(isPoisoned)
}

function resolveExotic(value: unknown, make: (index: number) => unknown): unknown {
  if (value instanceof Exotic) return make(value.index)
  if (Array.isArray(value)) return value.map((each) => resolveExotic(each, make))
  if (!isObject(value)) return value
  const copy = {}
  for (const [name, each] of Object.entries(value)) set(copy, name, resolveExotic(each, make))
  return copy
}

async function ask(
  application: Application,
  made: StrictCase,
  path: string,
  value: unknown,
  door: Door,
): Promise<Outcome> {
  const { part } = made
  application.read = undefined
  application.payload = resolveExotic(value, (index) => exotic[index]?.[0]())
  const answer = await send(application, requestOf(made, path, value), door)
  const { status, body } = answer
  if (status !== 200) return { status }
  if (part === 'reply') {
    const { payload } = application
    return {
      status,
      value: typeof payload === 'string' ? body : body === '' ? null : JSON.parse(body),
    }
  }
  const { read } = application
  return { status, value: part === 'headers' ? withoutOthers(read as object) : read }
}

interface Sending {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Record<string, string>
  readonly payload?: string
  readonly key: string
  readonly input: object
}

function requestOf({ part, schema }: StrictCase, url: string, value: unknown): Sending {
  const none = { method: 'GET', url, headers: {}, key: `GET ${url}`, input: {} } as const
  const given = value as Record<string, string | string[]>
  switch (part) {
    case 'reply':
      return none
    case 'body': {
      const headers = { 'content-type': 'application/json' }
      return {
        method: 'POST',
        url,
        headers,
        payload: JSON.stringify(value),
        key: `POST ${url}`,
        input: { body: value, headers },
      }
    }
    case 'headers':
      return { ...none, headers: given as Record<string, string>, input: { headers: given } }
    case 'params': {
      const names = Object.keys({ ...(schema as any).properties, ...fieldsOf(schema) })
      const path = names.map((name) => `/${encodeURIComponent(String(given[name]))}`).join('')
      return {
        ...none,
        url: url + path,
        key: `GET ${url}${names.map((name) => `/:${name}`).join('')}`,
        input: { params: given },
      }
    }
    default: {
      const pairs = Object.entries(given).flatMap(([name, texts]) =>
        [texts].flat().map((text) => [name, text] as [string, string]),
      )
      const text = String(new URLSearchParams(pairs))
      if (part === 'query') return { ...none, url: `${url}?${text}`, input: { query: given } }
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return {
        method: 'POST',
        url,
        headers,
        payload: text,
        key: `POST ${url}`,
        input: { body: new URLSearchParams(pairs) },
      }
    }
  }
}

async function send(
  application: Application,
  request: Sending,
  door: Door,
): Promise<{ status: number; body: string }> {
  const { app } = application
  const { method, url, headers, payload, key, input } = request
  if (door === 'inject' || door === 'compiled') {
    const { statusCode: status, body } = await app.inject({
      method,
      url,
      headers,
      ...(payload !== undefined && { payload }),
    })
    return { status, body }
  }
  application.origin ||= await app.listen({ port: 0 })
  if (door === 'http') {
    const response = await fetch(application.origin + url, {
      method,
      headers,
      ...(payload !== undefined && { body: payload }),
    })
    return { status: response.status, body: await response.text() }
  }
  const call: any = client(application.origin, { undeclared: 'return' })
  const response = await call(key, input)
  return { status: response.statusCode, body: await response.text() }
}
