// The documentation page, as far as it needs no browser: `page-browser.mjs` opens it in one.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { dirname, join, resolve } from 'node:path'
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
import { silenced } from '../support/silence.ts'
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

/** Has a program look for packages in a folder, until a test ends. */
function runIn(context: TestContext, folder: string): void {
  const before = process.cwd()
  context.after(() => {
    process.chdir(before)
  })
  process.chdir(folder)
}

/** The same with a stand-in for Swagger UI, which is used where the package is not installed. */
function beside(context: TestContext): void {
  runIn(context, folderOf(context, swaggerUi))
}

function writeAll(folder: string, texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const unescaped = (text: string) =>
  text.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)))
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
const page = { path: '/docs', documentPath: '/openapi.json', title: 'Pets' }
const app = espalier()
app.register((api) => addPage(api, page))
const answer = app.ready().then(() => app.inject('GET /docs'))
answer.then(({ body }) => console.log(body), (error) => console.log(error.code, error.message))
`

test('a program in one file looks for packages beside itself', (context) => {
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
  const run = () => execFileSync(process.execPath, ['program.cjs'], { cwd: folder }).toString()
  assert.match(run(), /^ESP_ERR_OPENAPI_PAGE .*'npm install /)
  writeAll(folder, swaggerUi)
  assert.match(run(), /swagger-ui-bundle\.js/)
})

/** Hides the packages of user interfaces, but for those in a folder that a program runs in. */
function inFolder(context: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = folderOf(context, files)
  runIn(context, folder)
  const find: (request: string, parent?: { filename?: string }) => string = Reflect.get(
    Module,
    '_resolveFilename',
  )
  context.mock.method(
    Module as any,
    '_resolveFilename',
    function (request: string, ...more: any[]) {
      const isHidden = /^(@scalar|swagger-ui-dist)\//.test(request)
      if (isHidden && !more[0].filename.startsWith(folder)) throw new Error(`No ${request}`)
      return Reflect.apply(find, Module, [request, ...more])
    },
  )
  return folder
}

const lacks = (name: string) => ({
  code: 'ESP_ERR_OPENAPI_PAGE',
  message: `The documentation page '/api/docs' cannot be served: the package ${name} is found neither from this package nor from '${process.cwd()}'. Run 'npm install ${name}', or set 'docs: false'`,
})
const scalar = 'node_modules/@scalar/fastify-api-reference/index.js'

test('without a package the boot says what to install', async (context) => {
  inFolder(context, {})
  await assert.rejects(serverWith({ prefix: '/api' }), lacks('@scalar/fastify-api-reference'))
  for (const [ui, name] of [
    ['scalar', '@scalar/fastify-api-reference'] as const,
    ['swagger-ui', 'swagger-ui-dist'] as const,
  ]) {
    await assert.rejects(serverWith({ prefix: '/api', page: { ui } }), lacks(name))
  }
})

test('without a choice the page is of the package that is installed, Scalar first', async (context) => {
  const folder = inFolder(context, swaggerUi)
  const bodyOf = async () => (await (await serverWith()).inject('/docs')).body
  assert.match(await bodyOf(), /swagger-ui-bundle\.js/)
  writeAll(folder, { [scalar]: '' })
  assert.match(await bodyOf(), /scalar\.js/)
})

test('a package that is no plugin is said to be another version', async (context) => {
  inFolder(context, { [scalar]: '' })
  const app = untyped()
  app.setErrorHandler((error, _request, reply) => reply.send(`${error.code} ${error.message}`))
  await serverWith({ app })
  const { body } = await app.inject(files.scalar)
  assert.match(
    body,
    /^ESP_ERR_OPENAPI_PAGE .*'\/docs'.*index\.js' is no plugin with a route .* Install version/,
  )
})

test('a file that could not be read is read at the next request', async (context) => {
  const folder = inFolder(context, swaggerUi)
  const app = await serverWith()
  const file = join(folder, 'node_modules/swagger-ui-dist/swagger-ui.css')
  renameSync(file, `${file}.away`)
  const [failed, log] = await silenced(() => app.inject(files['swagger-ui']))
  assert.equal(failed.statusCode, 500)
  assert.match(log, /ENOENT/)
  renameSync(`${file}.away`, file)
  for (const _time of [1, 2]) {
    assert.equal((await app.inject(files['swagger-ui'])).body, readFileSync(file, 'utf8'))
  }
})
