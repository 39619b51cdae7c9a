import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DispatchFunc } from 'light-my-request'
import { suggestion } from '../errors/near-miss.ts'
import { isItemsType } from '../http/events.ts'
import { isJson, mediaTypeOf } from '../http/media-type.ts'
import { messageOf, type RouteInput } from '../http/route-call.ts'
import { phraseOf } from '../http/status.ts'
import type { RouteDeclaration } from '../route/declaration.ts'
import type { ValidationError, ValidationIssue } from '../schema/compiler-types.ts'
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

/** The issues of calls: none unless their validation has failed. */
const failures = new WeakMap<IncomingMessage, readonly ValidationIssue[]>()

/** An onError hook of routes that are tools: it keeps the issues for the call. */
export async function keepIssues(
  { raw }: { readonly raw: IncomingMessage },
  _reply: unknown,
  error: unknown,
): Promise<void> {
  // Other requests do not pay for issues, which are computed when they are read.
  if (!failures.has(raw)) return
  // cast: a failed validation has both
  const { issues, validationContext } = Object(error) as Partial<ValidationError>
  if (validationContext !== undefined && issues !== undefined) failures.set(raw, issues)
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
  { headers, address, signal }: Caller,
): Promise<ToolResult> {
  const { registration, places } = tool
  const { method, url, declaration } = registration
  const unknown = Object.keys(given).find((name) => !places.has(name))
  if (unknown !== undefined) {
    return failed(`There is no argument '${unknown}'. ${suggestion(unknown, places.keys())}`)
  }
  const ended = new AbortController()
  const own = { remoteAddress: address, signal: AbortSignal.any([ended.signal, signal]) }
  let called: IncomingMessage | undefined
  const dispatch: DispatchFunc = (request, response) => {
    failures.set(request, [])
    if (isAnswered(host, declaration, request, response)) called = request
    else response.writeHead(404).end()
  }
  try {
    const input = inputOf(tool, given, headers)
    // cast: it has a route key
    const answer = (await injectRequest(dispatch, `${method} ${url}`, input, own)) as InjectedAnswer
    if (called === undefined) return failed(`These arguments lead to no ${method} ${url}`)
    const issues = answer.statusCode === 400 ? (failures.get(called) ?? []) : []
    if (issues.length > 0) return failed(explain(tool, issues))
    return answer.ok ? toResult(tool, answer) : failed(explainError(answer))
  } catch (error) {
    signal.throwIfAborted()
    const [, problem] = /^inject\(.*?'\) (.*)/s.exec(messageOf(error)) ?? []
    return failed(problem === undefined ? statusText(500) : `The call ${problem}`)
  } finally {
    // What is left of a stream is not read.
    ended.abort()
  }
}

function isAnswered(
  { routes }: Host,
  declaration: RouteDeclaration,
  ...exchange: [request: IncomingMessage, response: ServerResponse]
): boolean {
  try {
    return routes.answerBy(declaration, ...exchange)
  } catch (error) {
    // Of a user function in front of the route.
    routes.fail(...exchange, error)
    return true
  }
}

export const failed = (text: string): ToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
})

function inputOf(tool: Tool, given: JsonObject, headers: Caller['headers']): RouteInput {
  const { places, needsBody, bodyType, registration } = tool
  const parts: Partial<Record<Part, unknown>> = needsBody ? { body: {} } : {}
  for (const [name, { part, field }] of places) {
    if (!Object.hasOwn(given, name)) continue
    const value = given[name]
    // Not by assignment, which a field `__proto__` would divert.
    const fields = [...Object.entries(Object(parts[part]) as object), [field, value]]
    parts[part] = field === undefined ? value : Object.fromEntries(fields)
  }
  const { version } = registration.declaration.constraints
  const kept = Object.entries(headers).filter(([name]) => !ofMessage.test(name))
  const added = {
    accept: 'application/json, text/plain;q=0.9, */*;q=0.1',
    ...(parts.body !== undefined && bodyType !== undefined && { 'content-type': bodyType }),
    ...(typeof version === 'string' && { 'accept-version': version }),
  }
  const texts = kept.map(([name, value]) => [name, [value].flat().join(', ')] as const)
  return { ...parts, headers: { ...Object.fromEntries(texts), ...added } }
}

function typeOf({ headers }: InjectedAnswer): string {
  return mediaTypeOf(String(headers['content-type'] ?? '')) ?? ''
}

const isText = (type: string): boolean =>
  type === '' || isJson(type) || (type.startsWith('text/') && !isItemsType(type))

function toResult({ wraps, facts }: Tool, answer: InjectedAnswer): ToolResult {
  const type = typeOf(answer)
  if (!isText(type)) return failed(`The reply is of type ${type}, which a tool cannot show`)
  const text = answer.payload || statusText(answer.statusCode)
  const content: ToolResult['content'] = [{ type: 'text', text }]
  if (!isJson(type) || (facts.outputSchema !== undefined && !answer.declared)) return { content }
  const value: unknown = JSON.parse(text)
  const structuredContent = wraps ? { result: value } : value
  return isObject(structuredContent) ? { content, structuredContent } : { content }
}

const statusText = (status: number): string => `${status} ${phraseOf(status)}`

/** An error that the route declares, as it is. Of any other only what it says for people. */
function explainError(answer: InjectedAnswer): string {
  const { statusCode, headers, declared } = answer
  const type = typeOf(answer)
  const later = headers['retry-after']
  const head = statusText(statusCode) + (later === undefined ? '' : `, retry after ${later}`)
  if (declared && isText(type)) return `${head}: ${answer.payload}`
  const { detail, message = detail } = Object(isJson(type) && answer.json()) as JsonObject
  return typeof message === 'string' ? `${head}: ${message}` : head
}

/** What is wrong, by the names of arguments. */
function explain({ places }: Tool, issues: readonly ValidationIssue[]): string {
  const lines = issues.map(({ part, pointer, code, expected, received, message }) => {
    const [first = '', ...rest] = keysOf(pointer)
    const own = [...places].filter(([, place]) => place.part === part.replace('string', ''))
    const [field] = own.find(([, place]) => place.field === first) ?? []
    const [whole = part] = own.find(([, place]) => place.field === undefined) ?? []
    const path = field === undefined ? [whole, first, ...rest] : [field, ...rest]
    const what = code === 'required' ? 'is missing' : `${message} (got ${received})`
    const wanted = expected === undefined ? '' : JSON.stringify(expected)
    const isTold = message.includes(wanted.replaceAll('"', ''))
    return `- ${path.filter(Boolean).join('/')}: ${what}${isTold ? '' : `; expected: ${wanted}`}`
  })
  return ['The call was refused. Correct these arguments:', ...lines].join('\n')
}
