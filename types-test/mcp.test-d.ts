// The types of tools: the option `tool` of routes, and the options of `mcp`.
import espalier, { t } from 'espalier'
import { mcp, type McpOptions, type ToolOptions } from 'espalier/mcp'
import { expectAssignable, expectError, expectType } from 'tsd'

const params = { id: t.Integer() }
const app = espalier()
  .register(mcp({ name: 'albums', version: '1.0.0' }))
  .get('/albums', { tool: true }, () => 'x')
  .get(
    '/albums/:id',
    { tool: { name: 'album', title: 'Album' }, schema: { params } },
    (request) => {
      expectType<number>(request.params.id)
      return request.params.id
    },
  )
  .route({
    method: 'PUT',
    url: '/albums/:id',
    tool: { description: 'Changes it' },
    handler: () => 1,
  })

app.inject('GET /albums/:id', { params: { id: 1 } })
expectError(app.get('/a', { tool: false }, () => 1))
expectError(app.get('/a', { tool: 'album' }, () => 1))
expectError(app.get('/a', { tool: { naem: 'album' } }, () => 1))
expectError(app.get('/a', { tool: { name: 1 } }, () => 1))
expectError(app.get('/a', { tols: true }, () => 1))

mcp({
  name: 'albums',
  version: '1.0.0',
  instructions: 'Albums',
  path: '/tools',
  allowedOrigins: ['https://app.example.com'],
  searchAbove: 10,
  jsonSchema: { valibot: () => ({}) },
})
expectError(mcp({ name: 'albums' }))
expectError(mcp({ name: 'albums', version: 1 }))
expectError(mcp({ name: 'albums', version: '1', allowOrigins: [] }))
expectAssignable<McpOptions>({ name: 'a', version: 'b' })
expectAssignable<ToolOptions>({ name: 'a' })
