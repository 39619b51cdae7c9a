import { errorCodes } from '../errors/codes.ts'
import { describe } from '../errors/describe.ts'
import { suggestion } from '../errors/near-miss.ts'
import type { DocumentOptions } from '../openapi/options.ts'
import { aCount, anObject, aString, ruleOf, type Rules } from '../server/options/rules.ts'

/** The options of `mcp`. */
export interface McpOptions {
  /** What the server is called to clients. */
  readonly name: string
  readonly version: string
  /** What a model should know of the tools as a whole. */
  readonly instructions?: string
  /** The path of the endpoint, below the prefix of the scope. @default '/mcp' */
  readonly path?: string
  /** The origins of pages that may call: `https://app.example.com`. A request with any other
   *  `Origin` is answered with 403, since a page could reach a server of its user's network by
   *  DNS rebinding. Other clients send none. @default [] */
  readonly allowedOrigins?: readonly string[]
  /** Up to how many tools are listed. Above it the list has `find_tools`, `describe_tool` and
   *  `call_tool` instead. @default 40 */
  readonly searchAbove?: number
  /** Converters for the schemas of validation libraries, as those of `openapi`. */
  readonly jsonSchema?: NonNullable<DocumentOptions['jsonSchema']>
}

/** What a route says of its tool. */
export interface ToolOptions {
  /** The name of the tool: up to 64 letters, digits, `_` and `-`.
   *  @default the `operationId` of the route, or one made of its method and path */
  readonly name?: string
  /** The name for people. @default the `summary` of the route */
  readonly title?: string
  /** What a model reads to choose it. @default the `description` or the `summary` of the route */
  readonly description?: string
}

declare module '../route/added-options.ts' {
  interface AddedRouteOptions {
    /** Whether the route is a tool of `mcp`, in whose scope it has to be. */
    readonly tool?: true | ToolOptions
  }
}

const isOrigins = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (each) => typeof each === 'string' && /^[a-z][a-z\d+.-]*:\/\/[^/]+$|^null$/.test(each),
  )

const rules: Rules<McpOptions> = {
  name: aString,
  version: aString,
  instructions: aString,
  path: [(value) => typeof value === 'string' && value.startsWith('/'), "a path, as '/mcp'"],
  allowedOrigins: [isOrigins, "a list of origins, as 'https://app.example.com'"],
  searchAbove: aCount,
  jsonSchema: anObject,
}

const required: object = { name: undefined, version: undefined }

/** Checks options that a compiler may not have seen. @throws ESP_ERR_MCP_OPTION */
export function checkOptions(options: McpOptions): void {
  for (const [name, value] of Object.entries({ ...required, ...options })) {
    const rule = ruleOf(rules, name)
    const expected = rule === undefined ? suggestion(name, Object.keys(rules)) : `is ${rule[1]}`
    const isOptional = value === undefined && !(name in required)
    if (rule !== undefined && (isOptional || rule[0](value))) continue
    const problem = rule === undefined ? `is unknown. ${expected}` : expected
    throw new errorCodes.ESP_ERR_MCP_OPTION(name, problem, describe(value))
  }
}
