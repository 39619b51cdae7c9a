import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { tmpdir } from 'node:os'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'espalier-failed-boots-'))
const taken = createServer()

before(async () => {
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/espalier'), 'junction')
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening))
})
after(() => {
  taken.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Failure {
  readonly of: string
  /** The lines behind `const app = espalier()`. The one with `// here` is shown. */
  readonly lines: readonly string[]
  readonly sentence: RegExp
  readonly code: string
}

/** Programs that fail when they start, each with what a person has to read first. */
const failures: readonly Failure[] = [
  {
    of: 'an unknown option of the factory',
    lines: ['espalier({ qwertyuiop: true }) // here'],
    sentence: /There is no option 'qwertyuiop'/,
    code: 'ESP_ERR_INIT_OPTS_INVALID',
  },
  {
    of: 'an unknown option of a route',
    lines: ["app.get('/', { configg: 1 }, () => '') // here", 'await app.ready()'],
    sentence: /The option 'configg' of route 'GET \/'.* Did you mean 'config'\?/,
    code: 'ESP_ERR_ROUTE_OPTION',
  },
  {
    of: 'a schema that cannot be compiled',
    lines: [
      "app.get('/first', () => '')",
      "app.post('/', { schema: { body: { type: 'strng' } } }, () => '') // here",
      'await app.listen({ port: 0 })',
    ],
    sentence: /The validator for the body of POST \/ in root cannot be built/,
    code: 'ESP_ERR_SCH_VALIDATION_BUILD',
  },
  {
    of: 'a reference to no schema, in a plugin',
    lines: [
      'app.register(async (users) => {',
      "  users.get('/', { schema: { querystring: { $ref: 'user#' } } }, () => '') // here",
      '})',
      'await app.ready()',
    ],
    sentence: /No schema 'user#' is visible to the querystring of GET \//,
    code: 'ESP_ERR_SCH_MISSING_REF',
  },
  {
    of: 'a decorator that is there',
    lines: ["app.decorate('db', 1)", "app.decorate('db', 2) // here"],
    sentence: /The server decorator 'db' is already there/,
    code: 'ESP_ERR_DEC_ALREADY_PRESENT',
  },
  {
    of: 'a plugin that throws',
    lines: [
      "const connect = () => { throw new TypeError('no database') }",
      'app.register(async function db() { connect() }) // here',
      'await app.ready()',
    ],
    sentence:
      /Plugin 'root > db' did not load: no database[^]*TypeError: no database\n +at connect/,
    code: 'ESP_ERR_PLUGIN_FAILED',
  },
  {
    of: 'a plugin that does not finish',
    lines: [
      'const limited = espalier({ pluginTimeout: 50 })',
      'limited.register(function endless(app, options, done) {}) // here',
      'await limited.ready()',
    ],
    sentence: /Plugin 'root > endless' did not load in 50 ms/,
    code: 'ESP_ERR_PLUGIN_TIMEOUT',
  },
  {
    of: 'a plugin whose needs are not met',
    lines: [
      'const facts = { name: "users", dependencies: ["db"] }',
      'app.register(plugin()(() => {}, facts)) // here',
      'await app.ready()',
    ],
    sentence: /depends on the plugin 'db', which is not registered/,
    code: 'ESP_ERR_PLUGIN_DEPENDENCY_MISSING',
  },
  {
    of: 'an address that is in use',
    lines: ["await app.listen({ port: Number(process.env.TAKEN), host: '127.0.0.1' }) // here"],
    sentence: /listen EADDRINUSE: .*`lsof -i :\d+` shows it.* port 0 takes a free one/,
    code: 'EADDRINUSE',
  },
  {
    of: 'an unknown option of listen',
    lines: ["await app.listen({ port: 0, hots: '::' }) // here"],
    sentence: /There is no option 'hots' of listen\. Did you mean 'host'\?/,
    code: 'ESP_ERR_INIT_OPTS_INVALID',
  },
  {
    of: 'a misspelt hook',
    lines: ["app.addHook('onRequst', async () => {}) // here"],
    sentence: /No hook is named 'onRequst'.* Did you mean 'onRequest'\?/,
    code: 'ESP_ERR_HOOK_NOT_SUPPORTED',
  },
  {
    of: 'a hook that fails',
    lines: [
      "const check = async () => { throw new Error('cold') }",
      "app.addHook('onReady', check) // here",
      'await app.listen({ port: 0 })',
    ],
    sentence: /The 'onReady' of root failed: cold[^]*Error: cold\n +at .*check/,
    code: 'ESP_ERR_HOOK_FAILED',
  },
  {
    of: 'a route that is declared twice',
    lines: ["app.get('/', () => '')", "app.get('/', () => '') // here"],
    sentence: /Route 'GET \/' is declared twice/,
    code: 'ESP_ERR_DUPLICATED_ROUTE',
  },
]

interface Form {
  readonly ending: string
  readonly head: string
  readonly tail?: string
  readonly flags?: readonly string[]
}

/** How programs are written. */
const forms: Readonly<Record<string, Form>> = {
  'ES modules': {
    ending: 'mjs',
    head: "import espalier, { plugin } from 'espalier'\nconst app = espalier()",
  },
  CommonJS: {
    ending: 'cjs',
    head: "const espalier = require('espalier')\nconst app = espalier()",
  },
  'CommonJS, in a function': {
    ending: 'cjs',
    head: "const espalier = require('espalier')\nconst { plugin } = espalier\nasync function main() { const app = espalier()",
    tail: '}\nmain()',
  },
  'TypeScript by tsx': {
    ending: 'mts',
    head: "import espalier, { plugin } from 'espalier'\ninterface Left { out: true }\nconst app = espalier()",
    flags: ['--import', 'tsx'],
  },
}

const run = (file: string, flags: readonly string[]): Promise<string> =>
  new Promise((ended) => {
    const { port } = taken.address() as AddressInfo
    const env = { ...process.env, TAKEN: String(port) }
    // In the project, which has tsx.
    execFile(process.execPath, [...flags, file], { cwd: root, env }, (error, _out, text) => {
      assert.ok(error, `${file} should fail`)
      ended(text)
    })
  })

for (const [name, { ending, head, tail = '', flags = [] }] of Object.entries(forms)) {
  for (const [index, { of, lines, sentence, code }] of failures.entries()) {
    const waits = lines.some((line) => line.startsWith('await '))
    if (name === 'CommonJS' && waits) continue
    if (name === 'TypeScript by tsx' && index % 3 !== 2) continue
    test(`a boot that fails of ${of} says so, and where (${name})`, async () => {
      const file = join(folder, `${name.replaceAll(/\W+/g, '-')}-${index}.${ending}`)
      const source = [head, ...lines, tail].join('\n')
      writeFileSync(file, source)
      const text = await run(file, flags)
      assert.match(text, sentence)
      assert.ok(text.includes(code), text)
      const line = source.split('\n').findIndex((each) => each.includes('// here')) + 1
      const place = new RegExp(
        `[\\\\/]${name.replaceAll(/\W+/g, '-')}-${index}\\.${ending}:${line}\\b`,
      )
      const first = text.search(/[\\/](?:dist|node_modules)[\\/]/)
      const own = text.search(place)
      assert.ok(
        own >= 0 && (first < 0 || own < first),
        `the package stands before ${place}:\n${text}`,
      )
      // Above the sentence stands at most the line of the program, with a mark below it.
      const above = text
        .slice(0, text.search(sentence))
        .trimEnd()
        .split('\n')
        .filter((each) => each)
      assert.ok(above.length <= 4, text)
      assert.doesNotMatch(text, /statusCode/)
      assert.ok(text.length < 2500, text)
    })
  }
}
