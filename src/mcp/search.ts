import type { JsonObject } from '../types/objects.ts'
import type { Tool, ToolFacts } from './tool.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const name = text('The name of a tool, as find_tools gives it')

/** What is listed in the place of many tools. */
export const searchTools: readonly ToolFacts[] = [
  {
    name: 'find_tools',
    title: 'Find tools',
    description:
      'Finds tools by words of their names and descriptions, the best first. Without a query it lists all.',
    inputSchema: {
      type: 'object',
      properties: {
        query: text('Words to look for'),
        limit: { type: 'integer', minimum: 1, default: 20 },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'describe_tool',
    title: 'Describe a tool',
    description: 'Gives the schema of the arguments of a tool. Call it before call_tool.',
    inputSchema: {
      type: 'object',
      properties: { name },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'call_tool',
    title: 'Call a tool',
    description: 'Calls a tool that find_tools has found.',
    inputSchema: {
      type: 'object',
      properties: {
        name,
        arguments: { type: 'object', description: 'What describe_tool asks for' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: {},
  },
]

/** The tools with words of a query, those with the most first. */
export function findTools(tools: Iterable<Tool>, { query = '', limit }: JsonObject): JsonObject[] {
  const words = [
    ...new Set(
      String(query)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [],
    ),
  ]
  const found = [...tools].map(({ facts }) => {
    const { name, title, description } = facts
    const names = `${name} ${title}`.toLowerCase()
    const whole = `${names} ${description.toLowerCase()}`
    const count = (where: string) => words.filter((word) => where.includes(word)).length
    return { score: 2 * count(names) + count(whole), name, title, description }
  })
  const most = typeof limit === 'number' && limit >= 1 ? limit : 20
  return found
    .filter(({ score }) => words.length === 0 || score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ score: _, ...facts }) => facts)
}
