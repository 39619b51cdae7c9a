// The package that stands for Fastify speaks its dialect: what is forbidden or said in another way under its own name.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { placeBuilt } from './support/place-built.ts'

const project = resolve(import.meta.dirname, '..')

/** What a CommonJS program prints as JSON that has the package as `fastify`. */
function printed(program: string): unknown {
  const folder = mkdtempSync(join(project, '.client-dialect-'))
  try {
    const modules = join(folder, 'node_modules')
    mkdirSync(modules)
    placeBuilt(modules)
    symlinkSync(join(project, 'node_modules'), join(modules, 'espalier/node_modules'))
    writeFileSync(join(folder, 'program.cjs'), program)
    const { stdout, stderr } = spawnSync(process.execPath, ['program.cjs'], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.notEqual(stdout, '', stderr)
    return JSON.parse(stdout) as unknown
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('errors have the codes, the name, the messages and the statuses of Fastify', () => {
  const program = `
    const Fastify = require('fastify')
    const app = Fastify()
    app.get('/unforeseen', () => { throw new Error('told') })
    app.get('/kept', (request, reply) => { reply.code(409); throw new Error('told') })
    app.get('/own', (request, reply) => { reply.send(new Fastify.errorCodes.FST_ERR_VALIDATION('x')) })
    Promise.all(['/unforeseen', '/kept', '/own', '/none'].map((url) => app.inject(url))).then((all) =>
      console.log(JSON.stringify({ all: all.map(({ payload }) => payload), name: new Fastify.errorCodes.FST_ERR_VALIDATION().name })))`
  assert.deepEqual(printed(program), {
    all: [
      '{"statusCode":500,"error":"Internal Server Error","message":"told"}',
      '{"statusCode":409,"error":"Conflict","message":"told"}',
      '{"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"x"}',
      '{"message":"Route GET:/none not found","error":"Not Found","statusCode":404}',
    ],
    name: 'FastifyError',
  })
})

test('a failed boot rejects with the very error of the plugin', () => {
  const program = `
    const own = new Error('mine')
    const app = require('fastify')()
    app.register(async () => { throw own })
    app.ready().catch((error) => console.log(JSON.stringify(error === own)))`
  assert.equal(printed(program), true)
})

test('a server may have a decorator that one around it has', () => {
  const program = `
    const app = require('fastify')()
    app.decorate('use', 'outer')
    app.register(async (child) => {
      child.decorate('use', 'inner')
      child.get('/', () => child.use + ' ' + app.use)
    })
    app.inject('/').then(({ payload }) => console.log(JSON.stringify(payload)))`
  assert.equal(printed(program), 'inner outer')
})

test('an empty 204 and 304 keep the length that was set', () => {
  const program = `
    const app = require('fastify')()
    app.get('/204', (request, reply) => reply.code(204).header('content-length', '0').send())
    app.get('/304', { onSend: async (request, reply) => { reply.code(304); return '' } }, () => 'text')
    Promise.all(['/204', '/304'].map((url) => app.inject(url))).then((all) =>
      console.log(JSON.stringify(all.map(({ headers }) => headers['content-length']))))`
  assert.deepEqual(printed(program), ['0', '0'])
})

test('the names of trailers are told ahead with a space between them', () => {
  const program = `
    const app = require('fastify')()
    app.get('/', async (request, reply) => reply.trailer('a', async () => '1').trailer('b', async () => '2').send('x'))
    app.inject('/').then(({ headers }) => console.log(JSON.stringify(headers.trailer)))`
  assert.equal(printed(program), 'a b')
})
