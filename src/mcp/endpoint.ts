import type { Writable } from 'node:stream'
import { errorCodes } from '../errors/codes.ts'
import { suggestion } from '../errors/near-miss.ts'
import { once } from '../packages/once.ts'
import type { RouteRegistration } from '../route/declaration.ts'
import type { ServerContext } from '../server/context-objects.ts'
import type { Host } from '../server/host.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import { type Caller, callTool, type ToolResult } from './call.ts'
import type { McpOptions } from './options.ts'
import { findTools, searchTools } from './search.ts'
import { readTool, type Tool, type ToolFacts, toolKey } from './tool.ts'

/** The tools of one scope. */
export class Endpoint {
  readonly host: Host
  readonly options: McpOptions
  /** Its path, with the prefix of its scope. */
  readonly path: string
  readonly #context: ServerContext
  #tools: ReadonlyMap<string, Tool> | undefined

  constructor(host: Host, context: ServerContext, options: McpOptions) {
    this.host = host
    this.options = options
    this.path = context.prefix + (options.path ?? '/mcp')
    this.#context = context
  }

  /** The tools by name, once all routes are compiled. @throws ESP_ERR_MCP_TOOL */
  get tools(): ReadonlyMap<string, Tool> {
    this.#tools ??= this.#read()
    return this.#tools
  }

  get #isSearched(): boolean {
    return this.tools.size > (this.options.searchAbove ?? 40)
  }

  list(): readonly ToolFacts[] {
    return this.#isSearched ? searchTools : [...this.tools.values()].map(({ facts }) => facts)
  }

  /** Calls a tool. Undefined if there is none of the name.
   *  @throws the reason of an aborted signal */
  async call(name: string, given: JsonObject, caller: Caller): Promise<ToolResult | undefined> {
    const tool = this.tools.get(name)
    if (tool !== undefined) return callTool(this.host, tool, given, caller)
    if (!this.#isSearched) return undefined
    if (name === 'find_tools') return toResult({ tools: findTools(this.tools.values(), given) })
    const { name: wanted, arguments: inner = {} } = given
    const found = this.tools.get(String(wanted))
    if (!searchTools.some((each) => each.name === name)) return undefined
    if (found === undefined) {
      const known = suggestion(String(wanted), this.tools.keys(), '. Call find_tools')
      return {
        ...toResult({ error: `There is no tool ${String(wanted)}. ${known}` }),
        isError: true,
      }
    }
    if (name === 'describe_tool') return toResult({ ...found.facts })
    return callTool(this.host, found, isObject(inner) ? inner : {}, caller)
  }

  #read(): ReadonlyMap<string, Tool> {
    const tools = new Map<string, Tool>()
    const shown = this.host.routes.registrations().filter(({ declaration, context }) => {
      return Reflect.has(declaration.config, toolKey) && isBelow(context, this.#context)
    })
    const urls = new Set(shown.map(({ method, url }) => `${method} ${url}`))
    for (const registration of shown) {
      const { method, url } = registration
      // `/` below a prefix has two URLs, with and without a slash at the end.
      if (url.endsWith('/') && urls.has(`${method} ${url.slice(0, -1)}`)) continue
      const tool = readTool(this.host, registration, this.options)
      const { name } = tool.facts
      const holder = tools.get(name)?.registration
      const isReserved = searchTools.some((each) => each.name === name)
      const owner = holder === undefined ? 'mcp itself' : `${holder.method} ${holder.url}`
      if (holder !== undefined || isReserved) {
        const problem = `its name '${name}' is that of ${owner} too. Give one of them another, by tool: { name }`
        throw new errorCodes.ESP_ERR_MCP_TOOL(
          `${method} ${url}`,
          registration.context.path,
          problem,
        )
      }
      tools.set(name, tool)
    }
    return tools
  }
}

function toResult(value: JsonObject): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value }
}

function isBelow(context: RouteRegistration['context'], above: ServerContext): boolean {
  return context === above || (context.parent !== undefined && isBelow(context.parent, above))
}

/** What serves an endpoint on streams, in place of HTTP. */
export type ServeStdio = (
  endpoint: Endpoint,
  output: Writable,
  headers: Caller['headers'],
) => Promise<void>

interface Served {
  readonly endpoint: Endpoint
  readonly serveStdio: ServeStdio
}

/** The endpoints of each server, in the order of registration. */
export const endpoints: WeakMap<Host, Served[]> = once('mcpEndpoints', () => new WeakMap())
