import { errorCodes } from '../errors/codes.ts'
import { suggestion } from '../errors/near-miss.ts'
import { once } from '../packages/once.ts'
import { isBelow } from '../openapi/document.ts'
import type { ServerContext } from '../server/context-objects.ts'
import type { Host } from '../server/host.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import { type Caller, callTool, failed, type ToolResult } from './call.ts'
import type { McpOptions } from './options.ts'
import { findTools, searchTools } from './search.ts'
import { readTool, type Tool, type ToolFacts, toolKey } from './tool.ts'

/** The tools of one scope. */
export class Endpoint {
  readonly options: McpOptions
  /** Its path, with the prefix of its scope. */
  readonly path: string
  readonly #host: Host
  readonly #context: ServerContext
  #tools: ReadonlyMap<string, Tool> | undefined

  constructor(host: Host, context: ServerContext, options: McpOptions) {
    this.options = options
    this.path = context.prefix + (options.path ?? '/mcp')
    this.#host = host
    this.#context = context
  }

  /** The tools by name, once all routes are compiled. @throws ESP_ERR_MCP_TOOL */
  get tools(): ReadonlyMap<string, Tool> {
    this.#tools ??= this.#read()
    return this.#tools
  }

  list(): readonly ToolFacts[] {
    return this.tools.size > (this.options.searchAbove ?? 40) ? searchTools : this.#facts()
  }

  /** Calls a tool. Undefined if there is none of the name.
   *  @throws the reason of an aborted signal */
  async call(name: string, given: JsonObject, caller: Caller): Promise<ToolResult | undefined> {
    const tool = this.tools.get(name)
    if (tool !== undefined) return callTool(this.#host, tool, given, caller)
    const listed = this.list()
    if (listed !== searchTools || !listed.some((each) => each.name === name)) return undefined
    if (name === 'find_tools') return toResult({ tools: findTools(this.#facts(), given) })
    const { name: wanted, arguments: inner = {} } = given
    const found = this.tools.get(String(wanted))
    if (found === undefined) return failed(unknownTool(wanted, this.tools.keys()))
    if (name === 'describe_tool') return toResult({ ...found.facts })
    if (!isObject(inner)) return failed('arguments: must be object')
    return callTool(this.#host, found, inner, caller)
  }

  #facts(): ToolFacts[] {
    return [...this.tools.values()].map(({ facts }) => facts)
  }

  #read(): ReadonlyMap<string, Tool> {
    const tools = new Map<string, Tool>()
    const holders = new Map(searchTools.map((each) => [each.name, 'mcp itself']))
    const shown = this.#host.routes
      .registrations()
      .filter(({ declaration: { config }, context }) => {
        return toolKey in config && isBelow(context, this.#context)
      })
    const urls = new Map(shown.map((each) => [`${each.method} ${each.url}`, each.declaration]))
    for (const registration of shown) {
      const { method, url, context, declaration } = registration
      const route = `${method} ${url}`
      // `/` below a prefix has two URLs, with and without a slash at the end.
      if (url.endsWith('/') && urls.get(route.slice(0, -1)) === declaration) continue
      const tool = readTool(this.#host, registration, this.options)
      const { name } = tool.facts
      const holder = holders.get(name)
      if (holder !== undefined) {
        const problem = `its name '${name}' is that of ${holder} too. Give one another: tool: { name }`
        throw new errorCodes.ESP_ERR_MCP_TOOL(route, context.path, problem)
      }
      holders.set(name, route)
      tools.set(name, tool)
    }
    return tools
  }
}

export const unknownTool = (name: unknown, known: Iterable<string>): string =>
  `Unknown tool: ${String(name)}. ${suggestion(name, known)}`

function toResult(value: JsonObject): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value }
}

/** An endpoint, and what serves it on stdin and a file descriptor. */
interface Served {
  readonly endpoint: Endpoint
  readonly serveStdio: (output: number, headers: Caller['headers']) => Promise<void>
}

/** The endpoints of each server, in the order of registration. */
export const endpoints: WeakMap<Host, Served[]> = once('mcpEndpoints', () => new WeakMap())
