import { describe } from '../errors/describe.ts'
import { suggestion } from '../errors/near-miss.ts'
import type { DocumentOptions } from '../openapi/options.ts'
import {
  aCount,
  anObject,
  aString,
  type Rule,
  ruleOf,
  type Rules,
} from '../server/options/rules.ts'

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
   *  DNS rebinding. Clients that are no pages send none. @default [] */
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
    /** Makes the route a tool of the plugin `mcp`, in whose scope it has to be. */
    readonly tool?: true | ToolOptions
  }
}

const origin = /^[a-z][a-z\d+.-]*:\/\/[^/]+$/
const aPath: Rule = [(value) => typeof value === 'string' && value.startsWith('/'), 'a path']
const origins: Rule = [
  (value) => Array.isArray(value) && value.every((each) => origin.test(String(each))),
  'a list of origins, as https://app.example.com',
]
const aName: Rule = [
  (value) => typeof value === 'string' && /^[\w-]{1,64}$/.test(value),
  "up to 64 letters, digits, '_' and '-'",
]

export const rules: Rules<McpOptions> = {
  ...{ name: aString, version: aString, instructions: aString, path: aPath },
  ...{ allowedOrigins: origins, searchAbove: aCount, jsonSchema: anObject },
}

export const toolRules: Rules<ToolOptions> = { name: aName, title: aString, description: aString }

/** What is wrong with options, as far as one of them is.
 *  @param required the names of those that have to be there */
export function wrongOption(
  options: object,
  known: Readonly<Record<string, Rule>>,
  required: readonly string[] = [],
): string | undefined {
  for (const name of new Set([...required, ...Object.keys(options)])) {
    const value: unknown = Reflect.get(options, name)
    const [fits, expected] = ruleOf(known, name) ?? []
    if (expected === undefined) return `no '${name}'. ${suggestion(name, Object.keys(known))}`
    if ((value === undefined && !required.includes(name)) || fits?.(value) === true) continue
    return `for '${name}' ${expected}, not ${describe(value)}`
  }
  return undefined
}
