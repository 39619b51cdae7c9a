// The steps of examples/migration, each a program of its own: compiled and run with the built package under the names
// `fastify` and `espalier`, and asked the same questions over HTTP.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { compile as compileProject } from './support/compilers.ts'
import { placeBuilt } from './support/place-built.ts'

const project = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(project, '.client-migration-'))

interface Answer {
  readonly status: number
  readonly type: string | null
  readonly body: unknown
}
type Answers = Readonly<Record<string, Answer>> & { readonly cookie: string | null }
type Operations = Record<string, Record<string, Operation>>
interface Operation {
  readonly parameters?: readonly object[]
  readonly requestBody?: { readonly content: { 'application/json': { schema: object } } }
  readonly responses: Record<string, { content: { 'application/json': { schema: object } } }>
}

/** Prints the answers of the server that the module in its argument builds. */
const questions = `
const { build } = await import(process.argv[2])
const app = build()
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
const answers = {}
async function ask(name, path, { post, form, ...rest } = {}) {
  const json = { method: 'POST', body: JSON.stringify(post), headers: { 'content-type': 'application/json' } }
  const response = await fetch(origin + path, { ...(post && json), ...(form && { method: 'POST', body: form }), ...rest })
  const type = response.headers.get('content-type')
  const text = await response.text()
  answers[name] = { status: response.status, type, body: type?.includes('json') ? JSON.parse(text) : text }
  return response
}
function upload(size) {
  const form = new FormData()
  form.set('file', new Blob(['x'.repeat(size)]), 'sea.jpg')
  return form
}
const login = await ask('login', '/login', { post: { name: 'Ada', password: 'secret' } })
answers.cookie = login.headers.get('set-cookie')
const headers = { cookie: answers.cookie.split(';')[0] }
const { token } = answers.login.body
await ask('wrong password', '/login', { post: { name: 'Ada', password: 'x' } })
await ask('no password', '/login', { post: { name: 'Ada' } })
await ask('too often', '/login', { post: { name: 'Ada', password: 'secret' } })
await ask('nobody', '/me')
await ask('by cookie', '/me', { headers })
await ask('by token', '/me', { headers: { authorization: 'Bearer ' + token } })
await ask('forged', '/me', { headers: { authorization: 'Bearer ' + token + 'x' } })
await ask('upload', '/photos?title=Sea', { form: upload(5), headers })
await ask('untitled', '/photos', { form: upload(7), headers })
await ask('upload of nobody', '/photos', { form: upload(5) })
await ask('upload too large', '/photos', { form: upload(2 ** 21), headers })
await ask('upload of text', '/photos', { method: 'POST', body: 'x', headers })
await ask('photo', '/photos/1', { headers })
await ask('no photo', '/photos/9', { headers })
await ask('bad id', '/photos/x', { headers })
await ask('file', '/public/index.html')
await ask('no file', '/public/none')
await ask('sent file', '/')
await ask('docs', '/docs')
await ask('script of docs', '/docs/static/swagger-ui.css')
await ask('document', '/docs/json')
await app.close()
console.log(JSON.stringify(answers))
`

/** Steps, and lines behind them that have one error each. */
const steps: Readonly<Record<string, string>> = {
  '1-fastify': `
build().register(cookie, { secret: 1 })
build().get('/1', (request) => request.jwtVerify(1, 2, 3))
build().get('/2', (request, reply) => reply.sendFile(1))
build().get('/3', async (request) => request.user.age)
build().get('/4', { config: { rateLimit: { max: 'x' } } }, () => 1)`,
  '2-photos-typed': `
build().register(cookie, { secret: 1 })
plugin<Needs>()(async (app) => app.get('/1', (request) => request.file()))
plugin<Needs>()(async (app) => app.get('/2', (request) => request.user.age))
import { espalier } from 'espalier'; espalier().register(photos)`,
  '3-typed': `
build().register(adopt()(swaggerUi), { routePrefix: 1 })
build().get('/1', (request) => request.member)
build().get('/2', (request, reply) => reply.sendFile(1))
build().inject('GET /photos/:id', { params: { id: 'x' } })
build().inject('GET /photo', {})
espalier().register(session)`,
}

before(() => {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(project, 'node_modules'))) {
    if (name.startsWith('.') || name === 'fastify' || name === 'espalier') continue
    symlinkSync(join(project, 'node_modules', name), join(modules, name))
  }
  placeBuilt(modules)
  cpSync(join(project, 'examples/migration'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'questions.js'), questions)
})

after(() => rmSync(folder, { recursive: true, force: true }))

function run(...args: readonly string[]): { stdout: string; stderr: string } {
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
}

/** Compiles a step to JavaScript beside it, and a copy of it that has mistakes at its end. Gives what the
 *  compiler says of all. */
function compile(step: string, mistakes: string): string[] {
  const file = `${step}.ts`
  const wrong = `${step}-wrong.ts`
  writeFileSync(join(folder, wrong), textOf(step) + mistakes)
  const compilerOptions = { noEmit: false, rootDir: '.', preserveSymlinks: true }
  const config = { extends: '../tsconfig.json', compilerOptions, files: [file, wrong] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include: [] }))
  return compileProject('typescript-7', folder, folder)
    .split('\n')
    .filter((line) => /error TS\d+/.test(line))
}

const textOf = (step: string): string => readFileSync(join(folder, `${step}.ts`), 'utf8').trimEnd()

function answersOf(step: string): Answers {
  const links = ['--preserve-symlinks', '--preserve-symlinks-main']
  const { stdout, stderr } = run(...links, 'questions.js', `./${step}.js`)
  assert.notEqual(stdout, '', stderr)
  return JSON.parse(stdout) as Answers
}

for (const [step, mistakes] of Object.entries(steps)) {
  test(`${step} compiles and answers as the application did on Fastify`, () => {
    const errors = compile(step, mistakes)
    const length = textOf(step).split('\n').length
    const places = errors.map((error) => error.slice(0, error.indexOf(',')))
    const expected = mistakes.trim().split('\n')
    assert.deepEqual(
      places,
      expected.map((_, index) => `${step}-wrong.ts(${length + 1 + index}`),
      errors.join('\n'),
    )
    const answers = answersOf(step)
    checkSession(answers, step === '3-typed' ? 'ESP_ERR_' : 'FST_ERR_')
    checkPhotos(answers)
    checkFiles(answers)
    checkDocument(answers['document']?.body as { paths: Operations; components: object })
  })
}

/** The statuses of some answers. */
function statuses(answers: Answers, ...names: readonly string[]): unknown[] {
  return names.map((name) => answers[name]?.status)
}

function checkSession(answers: Answers, prefix: string): void {
  const names = ['login', 'wrong password', 'no password', 'too often']
  assert.deepEqual(statuses(answers, ...names), [200, 401, 400, 429])
  assert.match(answers.cookie ?? '', /^token=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/)
  assert.deepEqual(answers['wrong password']?.body, { message: 'wrong password' })
  const { code } = answers['no password']?.body as { code: string }
  assert.equal(code, `${prefix}VALIDATION`)
  const me = ['nobody', 'forged', 'by cookie', 'by token']
  assert.deepEqual(statuses(answers, ...me), [401, 401, 200, 200])
  assert.deepEqual(answers['by cookie']?.body, { name: 'Ada' })
  assert.deepEqual(answers['by token']?.body, { name: 'Ada' })
}

function checkPhotos(answers: Answers): void {
  const sea = { id: 1, title: 'Sea', size: 5, by: 'Ada' }
  assert.deepEqual(answers['upload'], { ...answers['upload'], status: 201, body: sea })
  assert.deepEqual(answers['untitled']?.body, { id: 2, title: 'untitled', size: 7, by: 'Ada' })
  const refused = ['upload of nobody', 'upload too large', 'upload of text']
  assert.deepEqual(statuses(answers, ...refused), [401, 413, 406])
  assert.deepEqual(answers['photo'], { ...answers['photo'], status: 200, body: sea })
  assert.deepEqual(statuses(answers, 'no photo', 'bad id'), [404, 400])
}

function checkFiles(answers: Answers): void {
  for (const name of ['file', 'sent file']) {
    assert.equal(answers[name]?.type, 'text/html; charset=utf-8')
    assert.match(String(answers[name].body), /<title>Album<\/title>/)
  }
  const names = ['file', 'no file', 'sent file', 'docs', 'script of docs', 'document']
  assert.deepEqual(statuses(answers, ...names), [200, 404, 200, 200, 200, 200])
  assert.match(String(answers['docs']?.body), /<title>Swagger UI<\/title>/)
}

/** Every route stands there, with its schemas in full. */
function checkDocument({ paths, components }: { paths: Operations; components: object }): void {
  const json = 'application/json'
  assert.deepEqual(Object.keys(paths), ['/login', '/me', '/photos', '/photos/{id}'])
  const login = paths['/login']?.['post']
  const body = login?.requestBody?.content[json].schema
  assert.deepEqual(body, {
    type: 'object',
    required: ['name', 'password'],
    properties: { name: { type: 'string', minLength: 1 }, password: { type: 'string' } },
  })
  const token = { properties: { token: { type: 'string' } } }
  assert.deepEqual(
    { ...login?.responses['200']?.content[json].schema, required: 0 },
    { type: 'object', ...token, required: 0 },
  )
  const added = paths['/photos']?.['post']
  const title = { name: 'title', in: 'query', required: false }
  assert.deepEqual(added?.parameters, [
    { ...title, schema: { type: 'string', default: 'untitled' } },
  ])
  const $ref = '#/components/schemas/def-0'
  assert.deepEqual(added?.responses['201']?.content[json].schema, { $ref })
  assert.match(JSON.stringify(components), /"title":"photo"/)
}
