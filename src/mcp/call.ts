import type { IncomingMessage } from 'node:http'
import { isJson, mediaTypeOf } from '../http/media-type.ts'
import type { HeaderValues } from '../http/route-call.ts'
import { isSuccess, phraseOf } from '../http/status.ts'
import type { ValidationIssue } from '../schema/compiler-types.ts'
import { keysOf } from '../schema/json-pointer.ts'
import type { Host } from '../server/host.ts'
import { injectRequest } from '../server/transport/inject.ts'
import type { InjectedAnswer } from '../server/transport/injected-call.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import type { Part, Tool } from './tool.ts'

/** Who calls a tool. */
export interface Caller {
  readonly headers: Readonly<Record<string, unknown>>
  readonly address: string
  readonly signal: AbortSignal
}

/** The result of a tool (MCP, Server features, Tools). */
export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: JsonObject
  readonly isError?: boolean
}

/** The issues of the calls whose validation has failed. */
const failures = new WeakMap<IncomingMessage, readonly ValidationIssue[]>()

/** An onError hook of routes that are tools: it keeps the issues for the call. */
export async function keepIssues(
  { raw }: { readonly raw: IncomingMessage },
  _reply: unknown,
  error: unknown,
): Promise<void> {
  const issues =
    isObject(error) || error instanceof Error ? Reflect.get(error, 'issues') : undefined
  if (Array.isArray(issues)) failures.set(raw, issues as readonly ValidationIssue[])
}

/** Headers that belong to the message of the caller, and not to the caller: those of its content,
 *  of the connection (RFC 9110, 7.6.1), of MCP, and conditions of a reply. */
const ofMessage =
  /^(:|content-|accept($|-encoding|-charset|-version)|if-|mcp-|connection$|keep-alive$|proxy-|te$|trailer$|transfer-encoding$|upgrade|expect$|range$|last-event-id$)/

/** Calls a route through its whole life. What it answers is text for a model.
 *  @throws the reason of an aborted signal */
export async function callTool(
  host: Host,
  tool: Tool,
  given: JsonObject,
  caller: Caller,
): Promise<ToolResult> {
  const { registration, facts, places } = tool
  const { method, url, declaration } = registration
  const unknown = Object.keys(given).filter((name) => !places.has(name))
  if (unknown.length > 0) {
    const known = [...places.keys()].join(', ') || 'none'
    return failed(`${facts.name} has no argument ${unknown.join(', ')}. Its arguments: ${known}`)
  }
  const ended = new AbortController()
  let isAnswered = false
  let raw: IncomingMessage | undefined
  try {
    const answer = (await injectRequest(
      (request, response) => {
        raw = request
        isAnswered = host.routes.answerBy(declaration, request, response)
        if (!isAnswered) response.writeHead(404).end()
      },
      `${method} ${url}`,
      { ...partsOf(tool, given), headers: headersOf(tool, caller) },
      { remoteAddress: caller.address, signal: AbortSignal.any([caller.signal, ended.signal]) },
      // cast: it has a route key
    )) as InjectedAnswer
    if (!isAnswered) return failed(`These arguments lead to no ${method} ${url}`)
    const issues = raw && failures.get(raw)
    if (issues !== undefined && answer.statusCode === 400) return failed(explain(tool, issues))
    return answer.ok ? toResult(tool, answer) : failed(explainError(answer))
  } catch (error) {
    caller.signal.throwIfAborted()
    const message = error instanceof Error ? error.message : ''
    const [, problem] = /^inject\(.*?'\) (.*)/s.exec(message) ?? []
    return failed(problem === undefined ? '500 Internal Server Error' : `The call ${problem}`)
  } finally {
    // What is left of a stream is not read.
    ended.abort()
  }
}

const failed = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true })

function partsOf({ places, needsBody, bodyType }: Tool, given: JsonObject): Record<Part, unknown> {
  const fields: Record<Part, [string, unknown][]> = { params: [], query: [], body: [] }
  const whole: Partial<Record<Part, unknown>> = {}
  for (const [name, { part, field }] of places) {
    if (!Object.hasOwn(given, name)) continue
    if (field === undefined) whole[part] = given[name]
    else fields[part].push([field, given[name]])
  }
  const { params, query, body } = fields
  const isWhole = [...places.values()].some(({ part, field }) => part === 'body' && !field)
  const hasBody = bodyType !== undefined && !isWhole && (needsBody || body.length > 0)
  return {
    params: Object.fromEntries(params),
    query: whole.query ?? Object.fromEntries(query),
    body: hasBody ? Object.fromEntries(body) : whole.body,
  }
}

function headersOf({ registration, bodyType }: Tool, { headers }: Caller): HeaderValues {
  const own = Object.entries(headers).filter(([name]) => !ofMessage.test(name))
  const { version } = registration.declaration.constraints
  const values = own.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  return {
    ...(Object.fromEntries(values) as HeaderValues),
    accept: 'application/json, text/plain;q=0.9, */*;q=0.1',
    ...(bodyType !== undefined && bodyType !== '*/*' && { 'content-type': bodyType }),
    ...(typeof version === 'string' && { 'accept-version': version }),
  }
}

function typeOf({ headers }: InjectedAnswer): string {
  return mediaTypeOf(String(headers['content-type'] ?? '')) ?? ''
}

function toResult({ wraps, facts }: Tool, answer: InjectedAnswer): ToolResult {
  const type = typeOf(answer)
  const isItems = /^(text\/event-stream|application\/(jsonl|x-ndjson|json-seq))$/.test(type)
  if (isItems || !(type === '' || isJson(type) || type.startsWith('text/'))) {
    return failed(`The reply is of type ${type}, which this tool cannot show`)
  }
  const { payload: text, statusCode } = answer
  if (text === '') return { content: [{ type: 'text', text: statusText(statusCode) }] }
  const content: ToolResult['content'] = [{ type: 'text', text }]
  const value: unknown = isJson(type) ? JSON.parse(text) : undefined
  if (wraps) return { content, structuredContent: { result: value } }
  const isShown = isObject(value) && (facts.outputSchema === undefined || answer.declared)
  return isShown ? { content, structuredContent: value } : { content }
}

const statusText = (status: number): string => `${status} ${phraseOf(status)}`

/** An error that the route declares, as it is. Of any other only what it says for people. */
function explainError(answer: InjectedAnswer): string {
  const { statusCode, headers, declared } = answer
  const type = typeOf(answer)
  const head = statusText(statusCode)
  const later = headers['retry-after'] ?? headers.location
  const hint = later === undefined ? '' : ` (${headers.location ? 'to' : 'retry after'} ${later})`
  if (declared && (isJson(type) || type.startsWith('text/'))) {
    return `${head}${hint}: ${answer.payload}`
  }
  const body: unknown = isJson(type) ? parsed(answer.payload) : undefined
  const { detail, message = detail } = isObject(body) ? body : {}
  return `${head}${hint}${typeof message === 'string' ? `: ${message}` : ''}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is wrong, by the names of arguments. */
function explain({ places }: Tool, issues: readonly ValidationIssue[]): string {
  const partOf = (part: string): string => (part === 'querystring' ? 'query' : part)
  const lines = issues.map(({ part, pointer, code, expected, received, message }) => {
    const [first = '', ...rest] = keysOf(pointer)
    const entries = [...places].filter(([, place]) => place.part === partOf(part))
    const field = entries.find(([, place]) => place.field === first)?.[0]
    const whole = entries.find(([, place]) => place.field === undefined)?.[0]
    const name = field ?? whole ?? (first === '' ? part : `${part} ${first}`)
    const path = [name, ...(field === undefined && whole !== undefined ? [first] : []), ...rest]
    const wanted = expected === undefined ? '' : `; expected: ${JSON.stringify(expected)}`
    const what = code === 'required' ? 'is missing' : `${message} (got ${received})`
    return `- ${path.filter(Boolean).join('/')}: ${what}${wanted}`
  })
  return ['The call was refused. Correct these arguments:', ...lines].join('\n')
}
