// The package for Fastify under the name `fastify`, as `npm i fastify@npm:espalier-fastify` does: plugins' declarations land on
// its types, and what is written for Fastify compiles and runs.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { placeBuilt } from './support/place-built.ts'

/** The oldest and the newest. */
const compilers = ['typescript-5.9', 'typescript-7']

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

/** The lines of a program that a compiler finds fault with. */
function compile(folder: string, compiler: string, options: object): string[] {
  const compilerOptions = { noEmit: true, rootDir: '..', skipLibCheck: false, ...options }
  const config = { extends: '../tsconfig.json', compilerOptions, include: ['app.*ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = `node_modules/${compiler}/bin/tsc`
  const run = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  return run.stdout.split('\n').filter((line) => /error TS\d+/.test(line))
}

function inFolder(body: (folder: string) => void): void {
  const folder = mkdtempSync('.client-')
  try {
    install(folder)
    body(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const lineOf = (error: string): number => Number(/\((\d+),/.exec(error)?.[1])
const loose = { erasableSyntaxOnly: false, verbatimModuleSyntax: false }

test('under the name of fastify, an application of Fastify compiles and runs as it is', () => {
  inFolder((folder) => {
    writeFileSync(join(folder, 'app.cts'), application)
    assert.deepEqual(compile(folder, 'typescript', { ...loose, noEmit: false, outDir: 'out' }), [])
    const run = spawnSync(process.execPath, [join(folder, 'out', folder, 'app.cjs')], {
      encoding: 'utf8',
    })
    assert.equal(run.stdout, '{"id":"1","a":"x","tenant":"one"} {"id":1,"a":"x"}\n', run.stderr)
  })
})

test('every compiler finds the mistakes in it, and nothing else', () => {
  inFolder((folder) => {
    writeFileSync(join(folder, 'app.cts'), application + mistakes)
    const first = application.split('\n').length + 1
    const expected = mistakes
      .trim()
      .split('\n')
      .map((_, index) => first + index)
    for (const compiler of compilers) {
      const errors = compile(folder, compiler, loose)
      assert.deepEqual(errors.map(lineOf), expected, errors.join('\n'))
    }
  })
})

// Compilers before TypeScript 6 resolve so unless they are told otherwise, and read neither `exports` nor `imports`.
const node10 = {
  ...loose,
  module: 'commonjs',
  moduleResolution: 'node10',
  esModuleInterop: true,
}
const byCompiler = {
  'typescript-5.9': node10,
  typescript: { ...node10, ignoreDeprecations: '6.0' },
  // It has no such resolution any more.
  'typescript-7': { ...loose, module: 'commonjs', moduleResolution: 'bundler' },
}

test('so does one of the CommonJS that compilers had before', () => {
  inFolder((folder) => {
    writeFileSync(join(folder, 'app.cts'), application)
    for (const [compiler, options] of Object.entries(byCompiler)) {
      const written = { ...options, noEmit: false, outDir: 'out' }
      assert.deepEqual(compile(folder, compiler, written), [], compiler)
      const run = spawnSync(process.execPath, [join(folder, 'out', folder, 'app.cjs')], {
        encoding: 'utf8',
      })
      assert.equal(run.stdout, '{"id":"1","a":"x","tenant":"one"} {"id":1,"a":"x"}\n', run.stderr)
    }
    writeFileSync(join(folder, 'app.cts'), application + mistakes)
    for (const [compiler, options] of Object.entries(byCompiler)) {
      assert.equal(compile(folder, compiler, options).length, 5, compiler)
    }
  })
})
