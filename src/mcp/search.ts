import type { JsonObject } from '../types/objects.ts'
import type { ToolFacts } from './tool.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const name = text('The name of a tool, as find_tools gives it')
const readOnly = { readOnlyHint: true } as const

/** What is listed in the place of many tools. */
export const searchTools: readonly ToolFacts[] = [
  {
    ...{ name: 'find_tools', title: 'Find tools', annotations: readOnly },
    description: 'Finds tools by words of their names and descriptions, the best first.',
    inputSchema: objectOf({
      query: text('Words; without any, all tools'),
      limit: { type: 'integer' },
    }),
  },
  {
    ...{ name: 'describe_tool', title: 'Describe a tool', annotations: readOnly },
    description: 'Gives the schema of the arguments of a tool. Call it before call_tool.',
    inputSchema: objectOf({ name }, ['name']),
  },
  {
    ...{ name: 'call_tool', title: 'Call a tool', annotations: {} },
    description: 'Calls a tool, with the arguments that describe_tool asks for.',
    inputSchema: objectOf({ name, arguments: { type: 'object' } }, ['name']),
  },
]

function objectOf(properties: object, required: string[] = []): ToolFacts['inputSchema'] {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** The tools with words of a query, those with the most first: 20, or as many as the limit. */
export function findTools(tools: readonly ToolFacts[], given: JsonObject): JsonObject[] {
  const { query = '', limit } = given
  const words = [
    ...new Set(
      String(query)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [],
    ),
  ]
  const scored = tools.map(({ name, title, description }) => {
    const [own, all] = [`${name} ${title}`, description].map((each) => each.toLowerCase())
    const count = (where = '') => words.filter((word) => where.includes(word)).length
    return { score: 2 * count(own) + count(all), facts: { name, title, description } }
  })
  return scored
    .filter(({ score }) => words.length === 0 || score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, typeof limit === 'number' && limit >= 1 ? limit : 20)
    .map(({ facts }) => facts)
}
