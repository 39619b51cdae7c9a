// What editors offer while a route is being written, the names that stand in schemas, and what they say of what is called.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type * as typescript from 'typescript'
import { load, registryOf } from './support/compilers.ts'

const file = resolve('examples/being-written.ts')

const before = `import espalier, { defineRoute, t } from 'espalier'
const app = espalier()
const User = t.Object({ id: t.Integer(), name: t.String() })
const schema = { body: User, response: { 200: User, 404: t.Object({ message: t.String() }) } }
const nested = { response: { 200: t.Object({ user: User, users: t.Array(User) }) } }
const events = { response: { 200: { content: { 'text/event-stream': { itemSchema: User } } } } }
`

/** What is written, with a bar for the cursor, and what has to be offered there. */
const questions: readonly (readonly [text: string, ...offered: string[]])[] = [
  [`app.get('/', { schema: { | } }, () => 1)`, 'params', 'querystring', 'headers', 'response'],
  [`app.post('/', { schema: { body: User, | } }, () => 1)`, 'params', 'response'],
  [`app.route({ method: 'GET', url: '/', schema: { | }, handler: () => 1 })`, 'params', 'response'],
  [`app.get('/', { | }, () => 1)`, 'schema', 'preHandler', 'handler'],
  [`app.post('/', { schema }, async (request) => { return { | } })`, 'id', 'name'],
  [`app.post('/', { schema }, (request, reply) => reply.send({ | }))`, 'id', 'name'],
  [`app.post('/', { schema }, (request, reply) => reply.code(404).send({ | }))`, 'message'],
  [`app.route({ method: '|' })`, 'GET', 'POST'],
  [`defineRoute({ method: ['|'] })`, 'GET', 'POST'],
  [`app.post('/', { schema }, ({ body }) => body.|)`, 'id', 'name'],
  [`app.post('/', { schema }, (request, reply) => reply.code(|))`, '200', '404'],
]

/** What is written in a result, and what is offered there: the fields of a reply, and no members of promises. */
const results: readonly (readonly [text: string, ...offered: string[]])[] = [
  [`app.post('/', { schema }, (request, reply) => { return { | } })`, 'id', 'name'],
  [
    `app.get('/', { schema: { response: { 200: User, 404: t.Null() } } }, (request, reply) => {
       if (request.is404) return reply.code(404).send(null)
       return { | }
     })`,
    'id',
    'name',
  ],
  [
    `app.get('/', { schema: { response: { 200: User } } }, async () => { return { | } })`,
    'id',
    'name',
  ],
  [`app.get('/', { schema: { response: { 200: User } } }, async () => ({ id: 1, | }))`, 'name'],
  [`app.route({ method: 'POST', url: '/', schema, handler: () => ({ | }) })`, 'id', 'name'],
  [`app.get('/', { schema: nested }, (request) => ({ user: { | }, users: [] }))`, 'id', 'name'],
  [`app.get('/', { schema: nested }, () => { return { user: { | } } })`, 'id', 'name'],
  [`app.get('/', { schema: nested }, async () => ({ user: { id: 1, | } }))`, 'name'],
  [`app.get('/', { schema: nested }, async () => ({ users: [{ | }] }))`, 'id', 'name'],
  [`app.get('/', { schema: events }, async function* (request) { yield { | } })`, 'id', 'name'],
  [`app.get('/', { schema: events }, async function* () { yield { | } })`, 'id', 'name'],
  [`app.get('/', { schema: events }, async function* () { yield { id: 1, | } })`, 'name'],
  [`app.post('/', { schema }, (request, reply) => reply.send({ | }))`, 'id', 'name'],
]

/** Members of what a result may be in place of a plain object: an object that says its JSON, and an event. */
const alsoOffered = new Set(['toJSON', 'data', '#private'])

/** What is written, with a bar in the name that is pointed at, and what its documentation says. */
const documented: readonly (readonly [text: string, said: RegExp])[] = [
  [`app.g|et('/', () => 1)`, /Declares a route/],
  [`app.po|st('/', { schema }, ({ body }) => body)`, /Declares a route/],
  [`app.rou|te({ method: 'GET', url: '/', handler: () => 1 })`, /Declares a route/],
  [`app.add|Routes([])`, /Declares the routes of a list/],
  [`app.regis|ter(async () => undefined)`, /Registers a plugin/],
  [`app.deco|rate('one', 1)`, /a property/],
  [`app.addH|ook('onRequest', async () => undefined)`, /Adds a hook/],
  [`app.inj|ect('/')`, /without a socket/],
  [`app.post('/', { schema }, ({ bo|dy }) => body)`, /The body, as/],
  [`app.post('/', { schema }, (request) => request.bo|dy)`, /The body, as/],
  [`app.get('/', (request, reply) => reply.co|de(200).send(1))`, /Sets the status/],
  [`app.get('/', (request, reply) => reply.se|nd(1))`, /Sends a payload/],
  [`app.post('/', { schema }, async (request, reply) => void reply.se|nd)`, /Sends a payload/],
]

interface Editor {
  readonly offers: (written: string) => string[]
  readonly offersFirst: (written: string, count: number) => string[]
  readonly says: (written: string) => string
}

/** Asks the service that editors ask, of one text after the other. */
function startAsking(compiler: string): Editor {
  const ts = load(compiler)
  const { config } = ts.readConfigFile(resolve('tsconfig.json'), (name) => ts.sys.readFile(name))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve('.'))
  const edited = { text: '', version: 0 }
  const read = (name: string) => (name === file ? edited.text : ts.sys.readFile(name))
  const host: typescript.LanguageServiceHost = {
    getCurrentDirectory: () => resolve('.'),
    getCompilationSettings: () => options,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(edited.version) : '0'),
    getScriptSnapshot: (name) => {
      const text = read(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
    directoryExists: (name) => ts.sys.directoryExists(name),
  }
  const service = ts.createLanguageService(host, registryOf(compiler))
  const write = (written: string): number => {
    edited.text = before + written.replace('|', '')
    edited.version += 1
    return before.length + written.indexOf('|')
  }
  const ask = (written: string) =>
    service.getCompletionsAtPosition(file, write(written), {})?.entries ?? []
  return {
    offers: (written) => ask(written).map(({ name }) => name),
    // Editors sort by this text, and then by the name.
    offersFirst: (written, count) =>
      ask(written)
        .map(({ sortText, name }) => `${sortText} ${name}`)
        .sort()
        .slice(0, count)
        .map((each) => each.slice(each.indexOf(' ') + 1)),
    says: (written) => {
      const info = service.getQuickInfoAtPosition(file, write(written))
      return ts.displayPartsToString(info?.documentation)
    },
  }
}

const editors = ['typescript', 'typescript-5.9'].map((name) => ({
  compiler: name,
  editor: startAsking(name),
}))

for (const { compiler, editor } of editors) {
  test(`an editor with ${compiler} offers the names that a schema has`, () => {
    for (const [written, ...offered] of questions) {
      const names = editor.offers(written)
      const missing = offered.filter((name) => !names.includes(name))
      assert.deepEqual(missing, [], written)
    }
  })
}

for (const { compiler, editor } of editors) {
  test(`an editor with ${compiler} offers the fields of a result, and no members of promises`, () => {
    for (const [written, ...offered] of results) {
      const names = editor.offers(written).filter((name) => !alsoOffered.has(name))
      assert.deepEqual(names.sort(), offered, written)
    }
  })
}

/** What is no option, or an old one. */
const last = ['body', 'headers', 'params', 'query', 'querystring', 'response', 'version']

for (const { compiler, editor } of editors) {
  test(`an editor with ${compiler} offers first what may stand there`, () => {
    const code = `app.post('/', { schema }, (request, reply) => reply.code(|))`
    assert.deepEqual(editor.offersFirst(code, 2), ['200', '404'])
    for (const written of [
      `app.get('/', { | }, () => 1)`,
      `app.route({ method: 'GET', url: '/', | handler: () => 1 })`,
      `defineRoute({ | })`,
    ]) {
      const names = editor.offersFirst(written, 100)
      assert.deepEqual(names.slice(-last.length), last, written)
    }
  })
}

for (const { compiler, editor } of editors) {
  test(`an editor with ${compiler} says what a name that is pointed at does`, () => {
    for (const [written, said] of documented) assert.match(editor.says(written), said, written)
  })
}
