// The declarations of Fastify's plugins import types from the module `fastify`. Without a package of that name they land on
// Espalier's types of it, so that options of plugins are checked; with one, they land on that package.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { compile, compilers as usual } from './support/compilers.ts'
import { placeEspalier } from './support/place-built.ts'

const folder = mkdtempSync('.client-options-')
const modules = join(folder, 'node_modules')

before(() => {
  placeEspalier(modules)
  // Else the name of this project would stand for it.
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
})

after(() => rmSync(folder, { recursive: true, force: true }))

interface Setup {
  readonly compilers?: readonly string[]
  readonly options?: object
}

/** Checks that the compilers find errors in the lines that end with `// wrong`, and nowhere else. */
function assertErrors(program: string, { compilers = usual, options = {} }: Setup = {}): void {
  writeFileSync(join(folder, 'app.ts'), program)
  const lines = program.split('\n')
  const wrong = lines.flatMap((line, index) => (line.endsWith('// wrong') ? [index + 1] : []))
  const compilerOptions = { rootDir: '..', ...options }
  const config = { extends: '../tsconfig.json', compilerOptions, include: ['app.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  for (const compiler of compilers) {
    const stdout = compile(compiler, folder)
    const errors = stdout.split('\n').filter((line) => /error TS\d+/.test(line))
    const found = errors.map((error) => Number(/app\.ts\((\d+),/.exec(error)?.[1] ?? error))
    assert.deepEqual([...new Set(found)], wrong, `${compiler}\n${stdout}`)
  }
}

const application = `
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import rateLimit from '@fastify/rate-limit'
import websocket from '@fastify/websocket'
import fp from 'fastify-plugin'
import espalier, { adopt } from 'espalier'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteGenericInterface } from 'fastify/types/route'

declare module 'fastify' {
  interface FastifyRequest { tenant: string }
}
interface Cookies {
  request: Pick<FastifyRequest, 'cookies' | 'tenant'>
  reply: Pick<FastifyReply, 'setCookie'>
}
export const params: RouteGenericInterface = { Params: {} }

espalier().register(cors, { origin: true })
espalier().register(cors, { orign: true }) // wrong
espalier().register(cors, { origin: true, orign: true }) // wrong
espalier().register(rateLimit, { max: (request) => request.url.length })
espalier().register(rateLimit, { max: 'one' }) // wrong
espalier().register(websocket, { options: { maxPayload: 1 } })
espalier().register(websocket, { option: { maxPayload: 1 } }) // wrong
const limits = fp((app, options: { max: number }, done) => {
  app.decorate('max', options.max)
  done()
})
espalier().register(limits, { max: 1 })
espalier().register(limits, { max: '1' }) // wrong
espalier().register(adopt()(cookie), { secrt: 'x' }) // wrong

const app = espalier().register(adopt<Cookies>()(cookie), { secret: 'x' })
app.get('/', (request, reply) => reply.setCookie('a', request.cookies['a'] ?? request.tenant))
app.get('/number', (request) => { const no: number = request.tenant; return no }) // wrong
app.get('/reply', (_request, reply) => reply.clearCookie('a')) // wrong
// What plugins declare of Fastify's servers and requests is in no scope of Espalier.
espalier().get('/', (request) => request.cookies) // wrong
espalier().get('/', (request) => request.tenant) // wrong
espalier().parseCookie('a=b') // wrong
`

test('the options of plugins are checked without a package fastify, by the oldest and the newest compiler', () => {
  assertErrors(application, { options: { skipLibCheck: false } })
})

for (const resolution of [
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
]) {
  test(`the same with the resolution '${resolution.moduleResolution}'`, () => {
    const options = { skipLibCheck: false, ...resolution }
    assertErrors(application, { compilers: ['typescript-7'], options })
  })
}

test('the same beside espalier/fastify alone', () => {
  assertErrors(`
import cookie from '@fastify/cookie'
import fastify from 'espalier/fastify'
fastify().register(cookie, { secret: 'x' }).get('/', (request) => request.cookies.a)
fastify().register(cookie, { secret: 1 }) // wrong
fastify().get('/', (request) => request.cookie) // wrong
`)
})

test('values of the module fastify cannot be used, since there is nothing to load', () => {
  assertErrors(
    `
import 'espalier'
import Fastify from 'fastify'
import * as all from 'fastify'
import { fastify } from 'fastify' // wrong
export const servers = [
  Fastify(), // wrong
  all.fastify(), // wrong
]
`,
    { options: { verbatimModuleSyntax: false } },
  )
})

test('a package fastify goes before', () => {
  const real = join(modules, 'fastify')
  mkdirSync(real)
  try {
    writeFileSync(
      join(real, 'package.json'),
      '{ "name": "fastify", "version": "5.0.0", "types": "index.d.ts" }',
    )
    writeFileSync(
      join(real, 'index.d.ts'),
      `declare function fastify(): fastify.FastifyInstance
declare namespace fastify { interface FastifyInstance { readonly real: true } }
export = fastify
`,
    )
    assertErrors(`
import espalier from 'espalier'
import type { FastifyInstance as Own } from 'espalier/fastify'
import fastify, { type FastifyInstance } from 'fastify'
declare module 'fastify' { interface FastifyInstance { tenant: string } }
export const real: true = fastify().real
export const tenant: string = (fastify() as FastifyInstance).tenant
export const no = fastify().register // wrong
export const own = (app: Own) => app.tenant // wrong
export const app = espalier().get('/', () => 'x')
`)
  } finally {
    rmSync(real, { recursive: true })
  }
})
