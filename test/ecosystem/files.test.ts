// Files and templates: @fastify/static, @fastify/view.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import files from '@fastify/static'
import view from '@fastify/view'
// @ts-expect-error -- it has no typings
import ejs from 'ejs'
import { rawRequest } from '../support/raw-request.ts'
import { folderOf } from '../support/files.ts'
import { listening, serve } from '../support/serve.ts'
import { untyped } from '../support/untyped.ts'

const site = {
  'secret.txt': 'secret',
  'public/index.html': '<h1>Home</h1>',
  'public/data.json': '{"a":1}',
  'public/deep/note.txt': '0123456789',
  'public/.hidden': 'hidden',
}

test('@fastify/static serves a folder below its prefix, by type, date and tag', async (t) => {
  const root = join(folderOf(t, site), 'public')
  const app = untyped().register(files, { root, prefix: '/public/', maxAge: 5000 })
  const origin = await listening(t, app)
  const ask = (path: string, init?: RequestInit) => fetch(origin + path, init)
  const home = await ask('/public/')
  assert.equal(await home.text(), '<h1>Home</h1>')
  assert.equal(home.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(home.headers.get('cache-control'), 'public, max-age=5')
  const etag = home.headers.get('etag') ?? ''
  // With this header fetch asks for what is in no cache.
  const again = ['GET /public/index.html HTTP/1.1', `if-none-match: ${etag}`]
  assert.equal((await rawRequest(origin, again)).status, 304)
  assert.deepEqual(await (await ask('/public/data.json')).json(), { a: 1 })
  const head = await ask('/public/deep/note.txt', { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10'])
  const part = await ask('/public/deep/note.txt', { headers: { range: 'bytes=2-4' } })
  assert.deepEqual([part.status, await part.text()], [206, '234'])
  const beyond = await ask('/public/deep/note.txt', { headers: { range: 'bytes=20-' } })
  assert.equal(beyond.status, 416)
})

test('@fastify/static answers 404 for what is not there, by the not-found handler, and leaves its folder never', async (t) => {
  const root = join(folderOf(t, site), 'public')
  const app = untyped()
    .register(files, { root, dotfiles: 'deny' })
    .setNotFoundHandler((request, reply) => reply.code(404).send({ none: request.url }))
  const origin = await listening(t, app)
  const none = await fetch(`${origin}/none.txt`)
  assert.deepEqual([none.status, await none.json()], [404, { none: '/none.txt' }])
  assert.equal((await fetch(`${origin}/.hidden`)).status, 403)
  for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/deep/..%2f..%2fsecret.txt']) {
    const { status, body } = await rawRequest(origin, [`GET ${path} HTTP/1.1`])
    assert.ok([403, 404].includes(status), `${path}: ${status}`)
    assert.doesNotMatch(body, /^secret/)
  }
})

test('@fastify/static sends files by hand and as downloads, in its own context only', async (t) => {
  const folder = folderOf(t, site)
  const root = join(folder, 'public')
  const app = untyped().get('/outside', (_request, reply) => String('sendFile' in reply))
  app.register(async (inside) => {
    await inside.register(files, { root, serve: false })
    inside.get('/note', (_request, reply) => reply.sendFile('deep/note.txt'))
    inside.get('/other', async (_request, reply) => reply.sendFile('secret.txt', folder))
    inside.get('/save', (_request, reply) => reply.download('deep/note.txt', 'my note.txt'))
  })
  const ask = await serve(t, app)
  assert.equal(await (await ask('/note')).text(), '0123456789')
  assert.equal(await (await ask('/other')).text(), 'secret')
  const saved = await ask('/save')
  assert.equal(saved.headers.get('content-disposition'), 'attachment; filename="my note.txt"')
  assert.equal((await ask('/deep/note.txt')).status, 404)
  assert.equal(await (await ask('/outside')).text(), 'false')
})

test('@fastify/static makes a route for each file where it has no wildcard', async (t) => {
  const root = join(folderOf(t, site), 'public')
  const ask = await serve(t, untyped().register(files, { root, wildcard: false }))
  assert.equal((await ask('/deep/note.txt')).status, 200)
  assert.equal((await ask('/')).status, 200)
  const { message } = await (await ask('/none')).json()
  assert.equal(message, 'Route GET:/none not found')
})

const templates = {
  'layout.ejs': '<html><%- body %></html>',
  'user.ejs': '<p><%= name %> of <%= site %></p>',
  'broken.ejs': '<%= nobody.name %>',
}

test('@fastify/view renders a template, with what a request has for all', async (t) => {
  const root = folderOf(t, templates)
  const app = untyped()
  await app.register(view, { engine: { ejs }, root, defaultContext: { site: 'Album' } })
  app.addHook('preHandler', async (_request, reply) => {
    reply.locals = { name: 'Nobody' }
  })
  app.get('/', (_request, reply) => reply.view('user.ejs', { name: '<Ada>' }))
  app.get('/locals', async (_request, reply) => reply.viewAsync('user.ejs'))
  const ask = await serve(t, app)
  const page = await ask('/')
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(await page.text(), '<p>&lt;Ada&gt; of Album</p>')
  assert.equal(await (await ask('/locals')).text(), '<p>Nobody of Album</p>')
})

test('@fastify/view puts pages into a layout, and hands what fails to error handlers', async (t) => {
  const root = folderOf(t, templates)
  const app = untyped()
  const options = { engine: { ejs }, root, layout: 'layout.ejs', propertyName: 'render' }
  await app.register(view, options)
  app
    .get('/', (_request, reply) => reply.render('user.ejs', { name: 'Ada', site: 'Album' }))
    .get('/broken', async (_request, reply) => reply.renderAsync('broken.ejs'))
    .get('/none', async (_request, reply) => reply.renderAsync('none.ejs'))
    .setErrorHandler((error, _request, reply) => reply.code(500).send({ told: error.message }))
  const ask = await serve(t, app)
  assert.equal(await (await ask('/')).text(), '<html><p>Ada of Album</p></html>')
  const broken = await ask('/broken')
  assert.equal(broken.status, 500)
  assert.match((await broken.json()).told, /nobody is not defined/)
  assert.equal((await ask('/none')).status, 500)
})
