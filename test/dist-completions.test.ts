// What editors offer while a route is being written: the names that stand in schemas.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type * as typescript from 'typescript'

const require = createRequire(import.meta.url)
const file = resolve('examples/being-written.ts')

const before = `import espalier, { defineRoute, t } from 'espalier'
const app = espalier()
const User = t.Object({ id: t.Integer(), name: t.String() })
const schema = { body: User, response: { 200: User, 404: t.Object({ message: t.String() }) } }
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

/** Asks the service that editors ask, of one text after the other. */
function startAsking(ts: typeof typescript): (written: string) => string[] {
  const { config } = ts.readConfigFile(resolve('tsconfig.json'), (name) => ts.sys.readFile(name))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve('.'))
  const edited = { text: '', version: 0 }
  const read = (name: string) => (name === file ? edited.text : ts.sys.readFile(name))
  const service = ts.createLanguageService({
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
  })
  return (written) => {
    edited.text = before + written.replace('|', '')
    edited.version += 1
    const position = before.length + written.indexOf('|')
    const answer = service.getCompletionsAtPosition(file, position, {})
    return answer?.entries.map(({ name }) => name) ?? []
  }
}

for (const compiler of ['typescript', 'typescript-5.9']) {
  test(`an editor with ${compiler} offers the names that a schema has`, () => {
    const ask = startAsking(require(compiler) as typeof typescript)
    for (const [written, ...offered] of questions) {
      const names = ask(written)
      const missing = offered.filter((name) => !names.includes(name))
      assert.deepEqual(missing, [], written)
    }
  })
}
