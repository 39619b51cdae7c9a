// Warnings of what still works and will not in a later version. A process gives each once, so that this test shares none
// with other files: it has a folder of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untyped, type AnyHandler } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

test('what is outdated is warned of once in a process, with its code and what to use instead', async () => {
  const warnings: (Error & { code?: string })[] = []
  const keep = (warning: Error): void => void warnings.push(warning)
  process.on('warning', keep)
  const app = untyped()
  app.get('/', { version: '1.0.0' }, (request: Loose, reply: Loose) => {
    const { routeConfig, routeSchema, routerPath, routerMethod, context } = request
    reply.getResponseTime()
    return [routeConfig, routeSchema, routerPath, routerMethod, context, reply.context].length
  })
  app.get('/sent', (_request: Loose, reply: Loose) => {
    reply.sent = true
    reply.raw.end('mine')
  })
  app.get('/moved', (_request: Loose, reply: Loose) => reply.redirect(301, '/to'))
  app.get('/new', (request: Loose, reply: Loose) => {
    reply.redirect(request.routeOptions.url, 302)
  })
  await app.inject('/new')
  const headers = { 'accept-version': '1.x' }
  for (let time = 0; time < 2; time++) {
    assert.equal((await app.inject({ url: '/', headers })).body, '6')
    assert.equal((await app.inject('/sent')).body, 'mine')
    assert.equal((await app.inject('/moved')).statusCode, 301)
  }
  await (app as Loose).listen(0, '127.0.0.1')
  await app.close()
  process.off('warning', keep)
  assert.deepEqual(warnings.map(({ code }) => code).sort(), [
    'ESP_DEP_LISTEN',
    'ESP_DEP_REDIRECT',
    'ESP_DEP_REPLY_CONTEXT',
    'ESP_DEP_REPLY_SENT',
    'ESP_DEP_REQUEST_CONTEXT',
    'ESP_DEP_RESPONSE_TIME',
    'ESP_DEP_ROUTER_METHOD',
    'ESP_DEP_ROUTER_PATH',
    'ESP_DEP_ROUTE_CONFIG',
    'ESP_DEP_ROUTE_SCHEMA',
    'ESP_DEP_VERSION',
  ])
  assert.ok(
    warnings.every(({ name, message }) => name === 'DeprecationWarning' && /: \w/.test(message)),
  )
})
