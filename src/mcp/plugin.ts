import { once } from 'node:events'
import type { Writable } from 'node:stream'
import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import { errorCodes } from '../errors/codes.ts'
import { describe } from '../errors/describe.ts'
import { suggestion } from '../errors/near-miss.ts'
import type { Request as ServerRequest } from '../lifecycle/request.ts'
import type { Adopted } from '../plugin/plugin-types.ts'
import { markFacts } from '../plugin/plugin.ts'
import { adopt } from '../server/factory.ts'
import { nodeOf } from '../server/node.ts'
import type { ServerInstance } from '../server/server.ts'
import { isPlainObject } from '../types/objects.ts'
import { type Caller, keepIssues } from './call.ts'
import { Endpoint, endpoints, type ServeStdio } from './endpoint.ts'
import { checkOptions, type McpOptions } from './options.ts'
import { toolKey } from './tool.ts'

/** The plugin that `mcp` makes. */
export type McpPlugin = Adopted<{}>

/** A plugin that serves routes as tools of the Model Context Protocol, over Streamable HTTP: the
 *  routes of its scope and of all scopes below that have the option `tool`. It uses the package
 *  @modelcontextprotocol/server, which has to be installed. The hooks of the scope guard the
 *  endpoint, and those of each route its calls.
 *  @example
 *  app.register(mcp({ name: 'albums', version: '1.0.0' }))
 *  app.get('/albums/:id', { tool: true, schema }, find)
 *  @throws ESP_ERR_MCP_OPTION; at boot ESP_ERR_MCP_TOOL for a route that can be no tool */
export function mcp(options: McpOptions): McpPlugin {
  checkOptions(options)
  const facts = { name: 'espalier/mcp' }
  return adopt(markFacts(async (scope: ServerInstance) => serve(scope, options), facts))
}

function serve(scope: ServerInstance, options: McpOptions): void {
  const { host, context } = nodeOf(scope)
  const endpoint = new Endpoint(host, context, options)
  endpoints.set(host, [...(endpoints.get(host) ?? []), { endpoint, serveStdio }])
  const handler = createMcpHandler(({ authInfo }) => serverOf(endpoint, callerOf(authInfo)))
  scope.addHook('onRoute', markTool)
  scope.route({
    method: ['GET', 'POST', 'DELETE'],
    url: options.path ?? '/mcp',
    schema: { hide: true },
    exposeHeadRoute: false,
    onRequest: async ({ raw }: ServerRequest) => {
      const { origin } = raw.headers
      if (origin === undefined || options.allowedOrigins?.includes(origin) === true) return
      throw new errorCodes.ESP_ERR_MCP_ORIGIN(origin)
    },
    handler: ({ raw, method, signal, body, host }: ServerRequest) => {
      const sent = Object.entries(raw.headers).filter(([name]) => !name.startsWith(':'))
      const headers = sent.map(([name, value]): [string, string] => [name, String(value)])
      const request = new Request('http://localhost', { method, headers, signal })
      const address = raw.socket.remoteAddress ?? ''
      const caller: Caller = { headers: { host, ...raw.headers }, address, signal }
      const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } }
      return handler.fetch(request, { parsedBody: body ?? undefined, authInfo })
    },
  })
  // A route that can be no tool stops the boot.
  scope.addHook('onReady', () => void endpoint.tools)
  scope.addHook('preClose', () => handler.close())
}

/** The SDK hands on what is known of a caller, as it is. */
function callerOf(authInfo: { readonly extra?: Record<string, unknown> } | undefined): Caller {
  // cast: it is given to each request
  return authInfo?.extra?.['caller'] as Caller
}

/** A server of the SDK for one request, or for one connection of stdio. */
function serverOf(endpoint: Endpoint, caller: Caller): Server {
  const { name, version, instructions } = endpoint.options
  const server = new Server(
    { name, version },
    { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) },
  )
  server.setRequestHandler('tools/list', () => ({ tools: [...endpoint.list()] }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const signal = AbortSignal.any([caller.signal, mcpReq.signal])
    const result = await endpoint.call(params.name, params.arguments ?? {}, { ...caller, signal })
    if (result !== undefined) return result
    const known = suggestion(
      params.name,
      endpoint.list().map((tool) => tool.name),
    )
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool: ${params.name}. ${known}`,
    )
  })
  return server
}

interface ShownRoute {
  readonly tool?: unknown
  readonly method: unknown
  readonly url: string
  config?: object
  onError?: unknown
  readonly wsHandler?: unknown
}

/** An onRoute hook that reads the option `tool`. @throws ESP_ERR_ROUTE_OPTION */
function markTool(this: object, route: ShownRoute): void {
  const { tool, config, onError = [] } = route
  if (tool === undefined) return
  const refuse = (problem: string): never => {
    const name = `${String(route.method)} ${route.url}`
    throw new errorCodes.ESP_ERR_ROUTE_OPTION('tool', name, nodeOf(this).context.path, problem)
  }
  if (tool !== true && !isPlainObject(tool)) {
    refuse(`must be true or an object, but is ${describe(tool)}`)
  }
  for (const [name, value] of Object.entries(tool === true ? {} : Object(tool))) {
    const isKnown = ['name', 'title', 'description'].includes(name)
    if (!isKnown) refuse(`has '${name}'. ${suggestion(name, ['name', 'title', 'description'])}`)
    if (typeof value !== 'string') refuse(`has a ${name} that is ${describe(value)}, not a text`)
    if (name === 'name' && !/^[\w-]{1,64}$/.test(String(value)))
      refuse(`has the name '${String(value)}': write up to 64 letters, digits, '_' and '-'`)
  }
  if (route.wsHandler !== undefined) refuse('stands at a WebSocket, which no tool can use')
  route.config = { ...config, [toolKey]: tool }
  route.onError = [...[onError].flat(), keepIssues]
}

const serveStdio: ServeStdio = async (endpoint, output, headers) => {
  const stdio = await import('@modelcontextprotocol/server/stdio')
  const { stdin } = process
  const ended = new AbortController()
  const caller = { headers, address: '127.0.0.1', signal: ended.signal }
  const transport = new stdio.StdioServerTransport(stdin, output)
  const served = stdio.serveStdio(() => serverOf(endpoint, caller), { transport })
  await once(stdin, 'end')
  ended.abort()
  await served.close()
}
