import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import {
  createMcpHandler,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { errorCodes } from '../errors/codes.ts'
import { describe } from '../errors/describe.ts'
import type { Request as ServerRequest } from '../lifecycle/request.ts'
import type { Adopted } from '../plugin/plugin-types.ts'
import { markFacts } from '../plugin/plugin.ts'
import { adopt } from '../server/factory.ts'
import { nodeOf } from '../server/node.ts'
import type { ServerInstance } from '../server/server.ts'
import { isPlainObject } from '../types/objects.ts'
import { type Caller, keepIssues } from './call.ts'
import { Endpoint, endpoints, unknownTool } from './endpoint.ts'
import { type McpOptions, rules, toolRules, wrongOption } from './options.ts'
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
  const problem = wrongOption(options, rules, ['name', 'version'])
  if (problem !== undefined) throw new errorCodes.ESP_ERR_MCP_OPTION(problem)
  const facts = { name: 'espalier/mcp' }
  return adopt(markFacts(async (scope: ServerInstance) => serve(scope, options), facts))
}

function serve(scope: ServerInstance, { allowedOrigins = [], ...options }: McpOptions): void {
  const { host, context } = nodeOf(scope)
  const endpoint = new Endpoint(host, context, options)
  const served = { endpoint, serveStdio: serveStdio.bind(undefined, endpoint) }
  endpoints.set(host, [...(endpoints.get(host) ?? []), served])
  const handler = createMcpHandler(
    // cast: the SDK hands on what `handle` gives it
    ({ authInfo }) => serverOf(endpoint, authInfo?.extra?.['caller'] as Peer),
    // The tools never change, so nobody has to wait for that. `close` would wait for them.
    { maxSubscriptions: 0 },
  )
  const handle = ({
    raw,
    method,
    signal,
    body,
    host: name,
    socket,
  }: ServerRequest): Promise<Response> => {
    const sent = Object.entries(raw.headers).filter(([header]) => !header.startsWith(':'))
    const headers = sent.map(([header, value]): [string, string] => [header, String(value)])
    const request = new Request('http://localhost', { method, headers, signal })
    const address = socket?.remoteAddress ?? ''
    const caller: Peer = { headers: { host: name, ...raw.headers }, address }
    const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } }
    return handler.fetch(request, { parsedBody: body ?? undefined, authInfo })
  }
  const onRequest = async ({ raw }: ServerRequest): Promise<void> => {
    const { origin } = raw.headers
    if (origin === undefined || allowedOrigins.includes(origin)) return
    throw new errorCodes.ESP_ERR_MCP_ORIGIN(origin)
  }
  scope.addHook('onRoute', markTool)
  const others = { schema: { hide: true }, exposeHeadRoute: false, onRequest, handler: handle }
  scope.route({ method: ['GET', 'POST', 'DELETE'], url: options.path ?? '/mcp', ...others })
  // A route that can be no tool stops the boot.
  scope.addHook('onReady', () => {
    endpoint.list()
  })
}

/** A server of the SDK for one request, or for one connection of stdio. */
function serverOf(endpoint: Endpoint, caller: Peer): McpServer {
  const { name, version, instructions } = endpoint.options
  const more = instructions === undefined ? {} : { instructions }
  const made = new McpServer({ name, version }, { capabilities: { tools: {} }, ...more })
  const { server } = made
  server.setRequestHandler('tools/list', () => ({ tools: [...endpoint.list()] }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    const result = await endpoint.call(params.name, params.arguments ?? {}, { ...caller, signal })
    if (result !== undefined) return result
    const known = endpoint.list().map((tool) => tool.name)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(params.name, known))
  })
  return made
}

async function serveStdio(endpoint: Endpoint, output: number, headers: object): Promise<void> {
  const stdio = await import('@modelcontextprotocol/server/stdio')
  const written = createWriteStream('', { fd: output })
  const transport = new stdio.StdioServerTransport(process.stdin, written)
  const create = (): McpServer =>
    serverOf(endpoint, { headers: { ...headers }, address: '127.0.0.1' })
  const served = stdio.serveStdio(create, { transport })
  await once(process.stdin, 'end')
  await served.close()
}

type Peer = Omit<Caller, 'signal'>

interface ShownRoute {
  readonly tool?: unknown
  readonly method: unknown
  readonly url: string
  readonly wsHandler?: unknown
  config?: object
  onError?: unknown
}

/** An onRoute hook that reads the option `tool`. @throws ESP_ERR_ROUTE_OPTION */
function markTool(this: object, route: ShownRoute): void {
  const { tool, config, onError = [] } = route
  if (tool === undefined) return
  const wrong = isPlainObject(tool) ? wrongOption(tool, toolRules) : undefined
  const problem =
    tool !== true && !isPlainObject(tool)
      ? `must be true or an object, but is ${describe(tool)}`
      : route.wsHandler !== undefined
        ? 'stands at a WebSocket, which no tool can use'
        : wrong && `takes ${wrong}`
  if (problem !== undefined) {
    const name = `${String(route.method)} ${route.url}`
    throw new errorCodes.ESP_ERR_ROUTE_OPTION('tool', name, nodeOf(this).context.path, problem)
  }
  route.config = { ...config, [toolKey]: tool }
  route.onError = [onError, keepIssues].flat()
}
