// The declarations of the ecosystem's packages beside the built package, which is installed under the names `fastify` and
// `espalier`: each plugin is registered with its options, and wrong ones are refused.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { compile as compileProject } from './support/compilers.ts'
import { placeBuilt } from './support/place-built.ts'

const project = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(project, '.client-ecosystem-'))

/** Options of each plugin, and wrong ones, as they are written. One of several texts is a constant: `espalier()` reads the
 *  options of a call before it knows the plugin. */
const plugins: Readonly<Record<string, readonly [right: string, wrong?: string]>> = {
  '@fastify/accepts': ['{ decorateReply: true }', '{ decorateReply: 1 }'],
  '@fastify/auth': [`{ defaultRelation: 'and' }`, `{ defaultRelation: 'xor' }`],
  '@fastify/autoload': [`{ dir: 'routes', options: { prefix: '/v1' } }`, '{ dir: 1 }'],
  '@fastify/basic-auth': [
    '{ validate: async () => undefined, authenticate: true }',
    '{ validate: 1 }',
  ],
  '@fastify/bearer-auth': [`{ keys: new Set(['x']) }`, `{ keys: 'x' }`],
  '@fastify/compress': [`{ threshold: 100, encodings: ['gzip'] }`, `{ encodings: ['zip'] }`],
  '@fastify/cookie': [`{ secret: 'x', hook: 'onRequest' }`, '{ secret: 1 }'],
  '@fastify/cors': [`{ origin: [/x/], methods: ['GET'] }`, '{ methods: 1 }'],
  '@fastify/csrf-protection': [`{ sessionPlugin: '@fastify/session' }`, `{ sessionPlugin: 'x' }`],
  '@fastify/etag': [`{ algorithm: 'sha256' }`, '{ algorithm: 1 }'],
  '@fastify/formbody': ['{ bodyLimit: 10 }', `{ bodyLimit: 'x' }`],
  '@fastify/helmet': ['{ global: true }', `{ global: 'x' }`],
  '@fastify/http-proxy': [`{ upstream: 'http://x', prefix: '/api' }`, '{ upstream: 1 }'],
  '@fastify/jwt': [`{ secret: 'x' }`, '{ secret: 1 }'],
  '@fastify/middie': [`{ hook: 'preHandler' }`, `{ hook: 'x' }`],
  '@fastify/multipart': ['{ limits: { fileSize: 1 } }', `{ limits: { fileSize: 'x' } }`],
  '@fastify/rate-limit': [`{ max: 1, timeWindow: '1 minute' }`, `{ max: 'x' }`],
  '@fastify/reply-from': [`{ base: 'http://x' }`, '{ base: 1 }'],
  '@fastify/request-context': [`{ hook: 'preValidation' }`, `{ hook: 'x' }`],
  '@fastify/secure-session': ['{ key: Buffer.alloc(32) }', '{ key: 1 }'],
  '@fastify/sensible': [`{ sharedSchemaId: 'x' }`, '{ sharedSchemaId: 1 }'],
  '@fastify/session': [`{ secret: 'x', cookie: { secure: false } }`, '{ secret: 1 }'],
  '@fastify/static': [`{ root: '/x', prefix: '/x/' }`, '{ root: 1 }'],
  '@fastify/swagger': [`{ openapi: { info: { title: 'x', version: '1' } } }`, '{ openapi: 1 }'],
  '@fastify/swagger-ui': [`{ routePrefix: '/x' }`, '{ routePrefix: 1 }'],
  '@fastify/under-pressure': ['{ maxEventLoopDelay: 1 }', `{ maxEventLoopDelay: 'x' }`],
  '@fastify/url-data': ['{}'],
  '@fastify/view': ['{ engine: { ejs: {} } }', '{ engine: 1 }'],
  '@fastify/websocket': ['{ options: { maxPayload: 1 } }', `{ options: { maxPayload: 'x' } }`],
  '@scalar/fastify-api-reference': [`{ routePrefix: '/x' }`, '{ routePrefix: 1 }'],
}
const names = Object.keys(plugins)

/** What the declarations of packages lack or contradict without us: with Fastify 5 a compiler says the same. */
const faults = [
  /^@fastify\/csrf\/.*'CryptoKey'/,
  /^@fastify\/middie\/.*'connect'/,
  // @fastify/secure-session and @fastify/session declare one property of requests.
  /^@fastify\/session\/.*TS2717.*'session'/,
  /^@scalar\/types\/.*('Element'|'har-format')/,
]

const imports = [
  `import Fastify from 'fastify'`,
  `import { adopt, espalier } from 'espalier'`,
  `import AjvCompiler from '@fastify/ajv-compiler'`,
  `import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'`,
  `import fp from 'fastify-plugin'`,
  ...names.map((name, index) => `import plugin${index} from '${name}'`),
]
const compilers = `schemaController: {
  compilersFactory: { buildValidator: AjvCompiler(), buildSerializer: SerializerSelector() },
}`

/** Registers each plugin with servers of both kinds, a line each. */
const register = (which: 0 | 1): string[] =>
  names.flatMap((name, index) => {
    const options = plugins[name]?.[which]
    if (options === undefined) return []
    return [
      `Fastify().register(plugin${index}, ${options})`,
      `espalier().register(plugin${index}, ${options})`,
      `espalier().register(adopt()(plugin${index}), ${options})`,
    ]
  })

before(() => {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(project, 'node_modules'))) {
    if (name.startsWith('.') || name === 'fastify' || name === 'espalier') continue
    symlinkSync(join(project, 'node_modules', name), join(modules, name))
  }
  placeBuilt(modules)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})

after(() => rmSync(folder, { recursive: true, force: true }))

/** What a compiler finds fault with in a program, and in all declarations that it needs. */
function compile(lines: readonly string[], compilerOptions: object): string[] {
  writeFileSync(join(folder, 'app.ts'), [...imports, ...lines].join('\n'))
  const options = { rootDir: '.', preserveSymlinks: true, ...compilerOptions }
  const config = { extends: '../tsconfig.json', compilerOptions: options, files: ['app.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include: [] }))
  return compileProject('typescript-7', folder, folder)
    .split('\n')
    .filter((line) => /error TS\d+/.test(line))
    .map((line) => line.replace('node_modules/', ''))
}

test('all packages take their options and no others, and no declaration contradicts another', () => {
  const right = [
    `Fastify({ ${compilers} }).register(fp(async (app) => void app.get('/', () => 1), { name: 'x' }))`,
    `espalier({ ${compilers} })`,
    ...register(0),
  ].map((line) => line.replaceAll('\n', ' '))
  const wrong = register(1)
  const errors = compile([...right, ...wrong], { skipLibCheck: false })
  const first = imports.length + right.length + 1
  const lineOf = (error: string): number => Number(/^app\.ts\((\d+),/.exec(error)?.[1] ?? 0)
  const strays = errors.filter((error) => lineOf(error) < first)
  assert.deepEqual(
    strays.filter((error) => !faults.some((fault) => fault.test(error))),
    [],
  )
  const found = new Set(errors.map(lineOf))
  const missed = wrong.filter((_, index) => !found.has(first + index))
  assert.deepEqual(missed, [])
})
