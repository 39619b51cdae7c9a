// The documentation page, as far as it needs no browser: `page-browser.mjs` opens it in one.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test, type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import compress from '@fastify/compress'
import etag from '@fastify/etag'
import swagger from '@fastify/swagger'
import { buildSync } from 'esbuild'
import type { Response } from 'light-my-request'
import type { Server } from '../../src/index.ts'
import { addPage, type Page } from '../../src/openapi/page.ts'
import { folderOf } from '../support/files.ts'
import { transports } from '../support/transports.ts'
import { untyped, untypedFastify, type UntypedServer } from '../support/untyped.ts'
import { pets } from './pets.ts'

const script = 'globalThis.SwaggerUIBundle = () => undefined\n'.repeat(100)

/** What stands for Swagger UI where it is not installed. */
const swaggerUi = {
  'node_modules/swagger-ui-dist/package.json': '{"name":"swagger-ui-dist","version":"5.35.0"}',
  'node_modules/swagger-ui-dist/swagger-ui.css': 'body { margin: 0 }\n'.repeat(100),
  'node_modules/swagger-ui-dist/swagger-ui-bundle.js': script,
  'node_modules/swagger-ui-dist/swagger-ui-bundle.js.map': '{}',
  'node_modules/swagger-ui-dist/oauth2-redirect.html': '<!doctype html>',
  'node_modules/swagger-ui-dist/oauth2-redirect.js': script,
}

interface Options {
  readonly app?: UntypedServer
  readonly prefix?: string
  readonly page?: Partial<Page>
}

/** A server with a page and the document that it shows. */
async function serverWith({
  app = untyped(),
  prefix = '',
  page = {},
}: Options = {}): Promise<UntypedServer> {
  await app.register(
    async (scope) => {
      const given = { path: '/docs', documentPath: '/openapi.json', title: 'Pets', ...page }
      scope.get(given.documentPath, { schema: { hide: true } }, (_request, reply) =>
        reply.send(pets),
      )
      await addPage(scope as unknown as Server, given)
    },
    { prefix },
  )
  return app
}

/** Has programs look for packages in a folder with a stand-in for Swagger UI, until a test ends. */
function beside(context: TestContext): void {
  const before = process.cwd()
  context.after(() => {
    process.chdir(before)
  })
  process.chdir(folderOf(context, swaggerUi))
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string) =>
  text.replace(/&([#\w]+);/g, (_all, name: string) => entities[name] ?? '')
const attributesOf = (html: string, name: string) =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    unescaped(value),
  )
const configurationOf = (html: string) => attributesOf(html, 'data-configuration')[0] ?? ''
const files = { scalar: '/docs/scalar.js', 'swagger-ui': '/docs/swagger-ui.css' } as const
const uis = ['scalar', 'swagger-ui'] as const

for (const ui of uis) {
  test(`${ui}: text in the page cannot become markup, and options arrive as they are`, async (context) => {
    beside(context)
    const text = `</script><script>"'&quot;&amp;</title>`
    const app = await serverWith({
      page: { ui, title: text, configuration: { text, url: '/other.json' } },
    })
    const { body } = await app.inject('/docs')
    assert.equal(unescaped(/<title>(.*)<\/title>/.exec(body)?.[1] ?? ''), text)
    // Scalar looks for this entity once more.
    const options = JSON.parse(configurationOf(body).split('&quot;').join('"'))
    assert.deepEqual([options.text, options.url], [text, '/other.json'])
  })

  test(`${ui}: the page has no inline script, style or event handler, and names no other host`, async (context) => {
    beside(context)
    const app = await serverWith({ page: { ui } })
    const { body } = await app.inject('/docs')
    const scripts = [...body.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)]
    assert.ok(scripts.length > 0)
    for (const [, attributes = '', content] of scripts) {
      assert.match(attributes, /src="\.\/|type="application\/json"/)
      assert.equal(content, '')
    }
    assert.doesNotMatch(body, /<style|\sstyle=|\son\w+=|https?:|\/\//)
  })

  test(`${ui}: a guard stands before the page and each of its files, for GET and HEAD`, async (context) => {
    beside(context)
    const onRequest = async (request: any, reply: any) => {
      if (request.headers['x-key'] !== 'secret') await reply.code(401).send({ message: 'No key' })
    }
    const app = await serverWith({ page: { ui, onRequest } })
    const headers = { 'x-key': 'secret' }
    const page = await app.inject({ url: '/docs', headers })
    const urls = [...attributesOf(page.body, 'src'), ...attributesOf(page.body, 'href')]
    const own = urls
      .filter((url) => url.startsWith('./'))
      .map((url) => new URL(url, 'http://a/docs').pathname)
    assert.ok(own.length > 0)
    for (const url of ['/docs', '/docs/', ...own]) {
      for (const method of ['GET', 'HEAD'] as const) {
        assert.equal((await app.inject({ method, url })).statusCode, 401, url)
        assert.equal((await app.inject({ method, url, headers })).statusCode, 200, url)
      }
    }
  })

  test(`${ui}: its routes are in no document, and no file but those of the page can be read`, async (context) => {
    beside(context)
    const app: any = untyped()
    await app.register(swagger, { openapi: {} })
    await serverWith({ app, page: { ui } })
    await app.ready()
    assert.deepEqual(app.swagger().paths, {})
    for (const name of [
      'package.json',
      '../package.json',
      '%2e%2e/package.json',
      '..%2fpackage.json',
    ]) {
      assert.equal((await app.inject(`/docs/${name}`)).statusCode, 404, name)
    }
    assert.equal((await app.inject('/docs/swagger-ui-bundle.js.map')).statusCode, 404)
  })
}

const places = [
  { prefix: '', path: '/docs', asked: ['/docs', '/docs/', '/docs?at=/a/b', '/docs/?at=/a/b'] },
  { prefix: '/api', path: '/docs', asked: ['/api/docs', '/api/docs/'] },
  { prefix: '/api', path: '/docs/', asked: ['/api/docs', '/api/docs/'] },
  { prefix: '/api', path: '/', asked: ['/api', '/api/'] },
  { prefix: '', path: '/', asked: ['/'] },
  { prefix: '/:tenant', path: '/a/docs', asked: ['/one/a/docs', '/t%C3%A4o/a/docs/'] },
  { prefix: '/:tenant', path: '/', asked: ['/a:b', '/a:b/'] },
]
for (const options of [{}, { routerOptions: { ignoreTrailingSlash: true } }]) {
  for (const { prefix, path, asked } of places) {
    const title = `a page '${path}' below '${prefix}' finds its files and its document ${JSON.stringify(options)}`
    test(title, async () => {
      const app = await serverWith({ app: untyped(options), prefix, page: { path } })
      for (const url of asked) {
        // A proxy may strip a prefix: URLs have to be relative.
        for (const outside of ['', '/outside']) {
          const page = await app.inject(url)
          assert.equal(page.statusCode, 200)
          const found = [
            ...attributesOf(page.body, 'src'),
            JSON.parse(configurationOf(page.body)).url,
          ]
          assert.equal(found.length, 2)
          for (const each of found) {
            const { pathname } = new URL(each, `http://host${outside}${url}`)
            assert.ok(pathname.startsWith(outside))
            const { statusCode } = await app.inject({
              method: 'HEAD',
              url: pathname.slice(outside.length),
            })
            assert.equal(statusCode, 200, `${url} → ${pathname}`)
          }
        }
      }
    })
  }
}

const headersOf = ({ headers }: Response, ...names: string[]) => names.map((name) => headers[name])

for (const url of ['/docs', files.scalar]) {
  test(`${url}: clients keep it, and ask whether it is still the same`, async () => {
    const app = await serverWith()
    const first = await app.inject(url)
    const tag = String(first.headers.etag)
    assert.match(tag, /^W\/"[\w-]+"$/)
    assert.deepEqual(headersOf(first, 'cache-control', 'vary'), ['no-cache', 'accept-encoding'])
    assert.equal(first.headers['content-length'], String(Buffer.byteLength(first.body)))
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const second = await app.inject({ url, headers: { 'if-none-match': known } })
      assert.deepEqual([second.statusCode, second.body], [304, ''], known)
      assert.deepEqual(headersOf(second, 'etag', 'cache-control', 'vary'), [
        tag,
        'no-cache',
        'accept-encoding',
      ])
    }
    for (const other of ['"other"', 'W/"other"', '']) {
      const second = await app.inject({ url, headers: { 'if-none-match': other } })
      assert.deepEqual([second.statusCode, second.body === first.body], [200, true], other)
    }
    const head = await app.inject({ method: 'HEAD', url })
    const names = ['etag', 'content-type', 'content-length', 'cache-control', 'vary']
    assert.deepEqual([head.body, ...headersOf(head, ...names)], ['', ...headersOf(first, ...names)])
  })
}

const codings: [header: string, isTaken: boolean][] = [
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['deflate, *', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000, *', false],
  ['br', false],
  ['*;q=0', false],
  ['', false],
]
for (const [header, isTaken] of codings) {
  test(`the script is ${isTaken ? 'compressed' : 'plain'} for '${header}'`, async () => {
    const app = await serverWith()
    const plain = await app.inject(files.scalar)
    assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
    const answer = await app.inject({ url: files.scalar, headers: { 'accept-encoding': header } })
    assert.equal(answer.headers['content-encoding'], isTaken ? 'gzip' : undefined)
    assert.equal(answer.headers['content-length'], String(answer.rawPayload.length))
    assert.equal(answer.headers.etag, plain.headers.etag)
    const bytes = isTaken ? gunzipSync(answer.rawPayload) : answer.rawPayload
    assert.ok(bytes.equals(plain.rawPayload))
  })
}

test('headers that hooks have set are kept', async () => {
  const app = untyped()
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ vary: ['origin', 'x-key'], 'cache-control': 'no-store' })
  })
  await serverWith({ app })
  const { headers } = await app.inject('/docs')
  assert.deepEqual(
    [headers.vary, headers['cache-control']],
    ['origin, x-key, accept-encoding', 'no-store'],
  )
})

for (const [name, make] of Object.entries({ untyped, untypedFastify })) {
  test(`${name}: @fastify/compress and @fastify/etag leave it as it is`, async () => {
    const app = make()
    await app.register(compress)
    await app.register(etag)
    await serverWith({ app })
    const plain = await app.inject(files.scalar)
    for (const coding of ['gzip', 'br']) {
      const answer = await app.inject({ url: files.scalar, headers: { 'accept-encoding': coding } })
      assert.deepEqual(headersOf(answer, 'content-encoding', 'etag'), [coding, plain.headers.etag])
    }
    const known = { 'if-none-match': String(plain.headers.etag), 'accept-encoding': 'gzip' }
    const { statusCode, body } = await app.inject({ url: files.scalar, headers: known })
    assert.deepEqual([statusCode, body], [304, ''])
  })
}

for (const transport of transports) {
  test(`the page and its script come over ${transport.name}`, async (context) => {
    const app = await serverWith({ app: untyped(transport.options) })
    context.after(() => app.close())
    const client = await transport.connect(app)
    context.after(() => {
      client.disconnect()
    })
    for (const path of ['/docs', files.scalar]) {
      const answer = await client.call({ path }).ended
      assert.deepEqual([answer.status, answer.isWhole], [200, true])
      assert.equal(String(Buffer.byteLength(answer.text)), answer.headers['content-length'])
      const headers = { 'if-none-match': String(answer.headers.etag) }
      const second = await client.call({ path, headers }).ended
      assert.deepEqual([second.status, second.text], [304, ''])
    }
  })
}

test('a function in the configuration is refused, since it would be lost', async () => {
  const configuration = { hooks: { onLoaded: () => undefined } }
  await assert.rejects(serverWith({ prefix: '/api', page: { configuration } }), {
    code: 'ESP_ERR_OPENAPI_PAGE',
    message:
      "The documentation page '/api/docs' cannot be served: its configuration is sent as JSON, but has the function 'onLoaded'",
  })
})

/** A program in one file, with no package beside it. */
const program = `
import espalier from './src/index.ts'
import { addPage } from './src/openapi/page.ts'
const page = { path: '/docs', documentPath: '/openapi.json', title: 'Pets', ui: process.argv[2] }
const app = espalier()
app.register((api) => addPage(api, page))
const answer = app.ready().then(() => app.inject('GET /docs'))
answer.then(({ body }) => console.log(body), (error) => console.log(error.code, error.message))
`

test('packages are looked for beside the program; without one the boot says what to install', (context) => {
  const folder = folderOf(context, {})
  const root = resolve(import.meta.dirname, '../..')
  buildSync({
    stdin: { contents: program, resolveDir: root, loader: 'ts' },
    outfile: join(folder, 'program.cjs'),
    bundle: true,
    platform: 'node',
    logLevel: 'error',
    logOverride: { 'empty-import-meta': 'silent' },
  })
  const run = (...ui: string[]) =>
    execFileSync(process.execPath, ['program.cjs', ...ui], { cwd: folder }).toString()
  const lacks = (name: string) =>
    new RegExp(`^ESP_ERR_OPENAPI_PAGE .*'/docs'.* ${name} .*npm install ${name}'.*docs: false`)
  assert.match(run(), lacks('@scalar/fastify-api-reference'))
  assert.match(run('swagger-ui'), lacks('swagger-ui-dist'))

  for (const [path, text] of Object.entries(swaggerUi)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  assert.match(run(), /swagger-ui-bundle\.js/)
  assert.match(run('scalar'), lacks('@scalar/fastify-api-reference'))

  const scalar = join(folder, 'node_modules/@scalar/fastify-api-reference')
  mkdirSync(scalar, { recursive: true })
  writeFileSync(join(scalar, 'index.js'), '')
  assert.match(run(), /scalar\.js/)
})
