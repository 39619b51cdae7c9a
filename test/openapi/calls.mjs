// Writes modules that call every operation of a document once, by a generated client: `calls(origin)` gives a function
// for each operation, by its operationId, which resolves to the status and the data.

/** A value as an expression. Where the schema has bytes, it is a Blob. */
function literal(value, schema = {}) {
  if (schema.format === 'binary') return `new Blob([${JSON.stringify(value)}])`
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value)
  const { properties = {} } = schema
  const fields = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${literal(each, properties[key])}`,
  )
  return `{ ${fields.join(', ')} }`
}

/** Bodies that the types of the generators cannot say: null alone, further items of a tuple, and patterns of names. */
const untold = ['postKindsPlain', 'postPlainShop']

/** The body of an operation as an expression. */
function bodyOf({ operationId }, body, schema) {
  const written = literal(body, schema)
  return untold.includes(operationId) ? `${written} as never` : written
}

/** An object of those of its fields that are given. */
const object = (fields) => {
  const given = Object.entries(fields).filter(([, expression]) => expression !== undefined)
  return `{ ${given.map(([key, expression]) => `${key}: ${expression}`).join(', ')} }`
}

const filled = (record) => (Object.keys(record).length > 0 ? JSON.stringify(record) : undefined)

/** The parts of a call, as its operation has them. */
function read({ operation, call }) {
  const { parameters = [], requestBody, responses } = operation
  const named = (place) =>
    parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
  const path = Object.fromEntries(named('path').map((name) => [name, call.path[name]]))
  const given = Object.entries(call.headers ?? {})
  const declared = named('header')
  const nameOf = (name) => declared.find((each) => each.toLowerCase() === name)
  const types = Object.keys(requestBody?.content ?? {})
  const type = call.type ?? types[0]
  return {
    path,
    query: call.query ?? {},
    declared: Object.fromEntries(
      given.flatMap(([name, value]) => (nameOf(name) ? [[nameOf(name), value]] : [])),
    ),
    others: Object.fromEntries(given.filter(([name]) => !nameOf(name))),
    all: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    ...(call.body !== undefined && {
      body: call.body,
      type,
      schema: requestBody.content[type].schema,
    }),
    answers: Object.keys((responses[call.status] ?? responses['2XX']).content ?? {}),
  }
}

const told = `
type Result = { data?: unknown; error?: unknown; response?: Response }
type Told = { status: number | undefined; data: unknown }
const told = ({ data, error, response }: Result): Told => ({ status: response?.status, data: data ?? error })
`
const form = `
const form = (fields: Record<string, string | Blob>): FormData => {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.set(name, value)
  return made
}
`

const module = (head, operations, write) =>
  `${head}
export const calls = (origin: string) => ({
${operations.map((each) => `  ${each.operation.operationId}: async () => ${write(each, read(each))},`).join('\n')}
})
`

/** The body as openapi-fetch has to send it, which knows JSON only. */
function serialized({ body, type, schema }) {
  if (type === 'multipart/form-data') return `form(${literal(body, schema)})`
  if (type === 'application/x-www-form-urlencoded')
    return `new URLSearchParams(${literal(body)} as {})`
  return literal(body, schema)
}

/** By openapi-fetch, with the types of openapi-typescript. */
export function fetchCalls(operations) {
  const head = `import createClient from 'openapi-fetch'
import type { paths } from './client'
${told}${form}
const querySerializer = { object: { style: 'form', explode: true } } as const
const connect = (baseUrl: string) => createClient<paths>({ baseUrl, querySerializer })
`
  return module(head, operations, ({ method, template, operation, call }, parts) => {
    const { path, query, declared, others, body, type } = parts
    const isJson = type === 'application/json' || type === undefined
    const typed = type === 'multipart/form-data' ? others : { ...others, 'content-type': type }
    const params = object({ path: filled(path), query: filled(query), header: filled(declared) })
    const given = object({
      ...(params !== '{  }' && { params }),
      ...(body !== undefined && { body: bodyOf(operation, body) }),
      ...(!isJson && { bodySerializer: `() => ${serialized(parts)}` }),
      headers: filled(isJson ? others : typed),
      parseAs: typeof call.reply === 'string' ? '"text"' : undefined,
    })
    return `told(await connect(origin).${method.toUpperCase()}(${JSON.stringify(template)}, ${given}))`
  })
}

/** By the functions and the client of hey-api. */
export function heyCalls(operations) {
  const head = `import { createClient } from './client/client'
import * as sdk from './client/sdk.gen'
${told}
const connect = (baseUrl: string, headers = {}) => createClient({ baseUrl, headers })
const events = async ({ stream }: { stream: AsyncIterable<unknown> }): Promise<Told> => {
  let data = ''
  for await (const event of stream) data += \`data: \${JSON.stringify(event)}\\n\\n\`
  return { status: 200, data }
}
`
  return module(
    head,
    operations,
    ({ operation }, { path, query, declared, others, answers, ...parts }) => {
      const given = object({
        client: `connect(origin, ${JSON.stringify(others)})`,
        path: filled(path),
        query: filled(query),
        headers: filled(declared),
        ...('body' in parts && { body: bodyOf(operation, parts.body, parts.schema) }),
      })
      const read = answers.includes('text/event-stream') ? 'events' : 'told'
      return `${read}(await sdk.${operation.operationId}(${given}))`
    },
  )
}

/** By the functions of orval, for fetch. They get paths, the body, the query and the rest, in this order. */
export function orvalCalls(operations) {
  const head = `import * as api from './client'
const told = ({ status, data }: { status: number; data: unknown }) => ({ status, data })
`
  return module(head, operations, ({ operation }, { path, query, all, ...parts }) => {
    const { body, type, schema } = parts
    const isForm = type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded'
    const headers = type === undefined || isForm ? all : { ...all, 'Content-Type': type }
    const takesQuery = operation.parameters?.some((parameter) => parameter.in === 'query')
    const args = [
      ...Object.values(path).map((value) => JSON.stringify(value)),
      ...(operation.requestBody
        ? [body === undefined ? 'undefined' : bodyOf(operation, body, schema)]
        : []),
      ...(takesQuery ? [JSON.stringify(query)] : []),
      object({ headers: JSON.stringify(headers) }),
    ]
    return `told(await api.${operation.operationId}(${args.join(', ')}))`
  })
}
