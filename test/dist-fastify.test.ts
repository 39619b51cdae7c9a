// The package for Fastify under the name `fastify`, as `npm i fastify@npm:espalier-fastify` does: plugins' declarations land on
// its types, and what is written for Fastify compiles and runs.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compile as compileProject, compilers } from './support/compilers.ts'
import { placeBuilt } from './support/place-built.ts'

/** A plugin as those of the ecosystem are: CommonJS, with declarations for `fastify`. */
const cookiePackage = {
  'package.json': JSON.stringify({ name: 'cookie-plugin', version: '1.0.0', types: 'index.d.ts' }),
  'index.js': `module.exports = Object.assign(async (app) => {
    app.decorateRequest('cookies', null)
    app.addHook('onRequest', async (request) => { request.cookies = { a: request.headers.cookie } })
  }, { [Symbol.for('skip-override')]: true })`,
  'index.d.ts': `import { FastifyPluginAsync } from 'fastify'
import { RouteGenericInterface } from 'fastify/types/route'
declare module 'fastify' {
  interface FastifyInstance { parseCookie(text: string): RouteGenericInterface }
  interface FastifyRequest { cookies: Record<string, string | undefined> }
  interface RouteShorthandOptions<RawServer extends import('fastify').RawServerBase = import('fastify').RawServerDefault> { cookie?: boolean }
}
declare const cookie: FastifyPluginAsync<{ secret?: string }>
export = cookie
`,
}

const application = `import Fastify, { fastify, adopt, LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { espalier, t } from 'espalier'
import cookie = require('cookie-plugin')
declare module 'fastify' { interface FastifyRequest { tenant: string } }

const app: FastifyInstance = Fastify()
app.register(cookie, { secret: 'x' })
app.decorateRequest('tenant', 'one')
app.get<{ Params: { id: string } }>('/:id', { cookie: true }, async (request: FastifyRequest<{ Params: { id: string } }>) => {
  const a: string | undefined = request.cookies.a
  return { id: request.params.id, a, tenant: request.tenant }
})
fastify().parseCookie

class Lines extends LogController {
  override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
    super.incomingRequest(request, reply)
  }
}
fastify({ logController: new Lines({ disableRequestLogging: (request: FastifyRequest) => request.tenant === 'x' }) })

const typed = espalier()
  .register(adopt<{ request: { cookies: Record<string, string | undefined> } }>(cookie))
  .get('/:id', { schema: { params: { id: t.Integer() } } }, (request) => {
    const id: number = request.params.id
    return { id, a: request.cookies.a ?? '' }
  })

async function main() {
  const call = { url: '/1', headers: { cookie: 'x' } }
  console.log((await app.inject(call)).body, (await typed.inject(call)).body)
}
void main()
`
/** Each is one error, on a line of its own. */
const mistakes = `
app.register(cookie, { secret: 1 })
app.decorateRequest('tenant', 1)
app.get('/wrong', { cookie: 'x' }, async () => 1)
app.get('/wrong', async (request) => request.nothing)
typed.get('/other', (request) => request.tenant)
`

function install(folder: string): void {
  placeBuilt(join(folder, 'node_modules'))
  // Else the name of this project would stand for it, which is another copy.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const plugin = join(folder, 'node_modules/cookie-plugin')
  mkdirSync(plugin)
  for (const [name, text] of Object.entries(cookiePackage)) writeFileSync(join(plugin, name), text)
}

/** What the application prints when it is compiled and run, and the lines of `wrong.cts` in which a compiler finds fault. */
function compile(folder: string, compiler: string, options: object) {
  const written = { noEmit: false, rootDir: '..', outDir: 'out', skipLibCheck: false }
  const loose = { erasableSyntaxOnly: false, verbatimModuleSyntax: false }
  const compilerOptions = { ...written, ...loose, ...options }
  const config = { extends: '../tsconfig.json', compilerOptions, include: ['app.cts', 'wrong.cts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const said = compileProject(compiler, folder)
  const errors = said.split('\n').filter((line) => /error TS\d+/.test(line))
  const app = join(folder, 'out', folder, 'app.cjs')
  const ran = spawnSync(process.execPath, [app], { encoding: 'utf8' })
  return { errors, printed: ran.stdout + ran.stderr }
}

// Compilers before TypeScript 6 resolve so unless they are told otherwise, and read neither `exports` nor `imports`.
const node10 = { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true }

/** TypeScript 7 has no such resolution any more. */
const cases: [title: string, compiler: string, options: object][] = [
  ['on TypeScript 5.9', 'typescript-5.9', {}],
  ['on TypeScript 6', 'typescript', {}],
  ['on TypeScript 7', 'typescript-7', {}],
  ['on TypeScript 5.9, with the older resolution', 'typescript-5.9', node10],
  [
    'on TypeScript 6, with the older resolution',
    'typescript',
    { ...node10, ignoreDeprecations: '6.0' },
  ],
  [
    'on TypeScript 7, for a bundler',
    'typescript-7',
    { module: 'commonjs', moduleResolution: 'bundler' },
  ],
]
for (const [title, compiler, options] of cases.filter(([, name]) => compilers.includes(name))) {
  test(`under the name of fastify, an application of Fastify runs, and its mistakes are found, ${title}`, () => {
    const folder = mkdtempSync('.client-')
    try {
      install(folder)
      writeFileSync(join(folder, 'app.cts'), application)
      writeFileSync(join(folder, 'wrong.cts'), application + mistakes)
      const { errors, printed } = compile(folder, compiler, options)
      assert.equal(printed, '{"id":"1","a":"x","tenant":"one"} {"id":1,"a":"x"}\n')
      const first = application.split('\n').length + 1
      const places = mistakes
        .trim()
        .split('\n')
        .map((_, index) => `wrong.cts(${first + index},`)
      const found = errors.map((error) => /wrong\.cts\(\d+,/.exec(error)?.[0] ?? error)
      assert.deepEqual(found, places, errors.join('\n'))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}
