// Routes as tools of the Model Context Protocol.
export { mcp } from './plugin.ts'
export type { McpPlugin } from './plugin.ts'
export type { McpOptions, ToolOptions } from './options.ts'
