// Checks the documents of `every-form.ts` with published validators. Generates clients from them, compiles those, and
// calls every operation with each. Ends with a plain line `N passed, N failed`.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { Blob } from 'node:buffer'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { documentOf } from '../../src/openapi/index.ts'
import { check, end, fail, pass, passed } from '../support/checks.mjs'
import { everyForm, options } from './every-form.ts'
import { fetchCalls, heyCalls, orvalCalls } from './calls.mjs'

const packages = {
  '@apidevtools/swagger-parser': '13.1.0',
  '@hey-api/openapi-ts': '0.99.0',
  '@readme/openapi-parser': '9.0.0',
  '@redocly/openapi-core': '2.64.0',
  '@seriousme/openapi-schema-validator': '2.11.0',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  orval: '8.38.0',
  typescript: '5.9.3',
}
const versions = ['3.0', '3.1', '3.2']
/** The fastest. */
const compiler = resolve(import.meta.dirname, '../../node_modules/typescript-7/bin/tsc')

/** Tools may change what they get. */
const copy = (document) => JSON.parse(JSON.stringify(document))

/** Runs a program. Gives its status and what it printed. */
function run(program, args, cwd) {
  return new Promise((done, refuse) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: program === 'npm',
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (said += text))
    child.on('error', refuse)
    child.on('close', (status) => done({ status, said }))
  })
}

/** The folder of the tools. They are installed once for each list of versions. */
async function install() {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: packages })
  const hash = createHash('sha256').update(manifest).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), `espalier-openapi-tools-${hash}`)
  const whole = join(folder, 'whole')
  if (existsSync(whole)) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), manifest)
  writeFileSync(join(folder, 'load.mjs'), 'export const load = (name) => import(name)\n')
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const { status, said } = await run('npm', args, folder)
  equal(status, 0, said)
  writeFileSync(whole, '')
  return folder
}

/** What a tool finds in a document: nothing, or an error. Tools that do not know a version are not asked. */
const validators = {
  '@apidevtools/swagger-parser': {
    knows: ['3.0', '3.1'],
    validate: ({ default: parser }, document) => parser.validate(document),
  },
  '@readme/openapi-parser': {
    knows: ['3.0', '3.1'],
    validate: async ({ validate }, document) => {
      const { valid, errors } = await validate(document)
      ok(valid, JSON.stringify(errors))
    },
  },
  '@seriousme/openapi-schema-validator': {
    knows: versions,
    validate: async ({ Validator }, document) => {
      const { valid, errors } = await new Validator().validate(document)
      ok(valid, JSON.stringify(errors))
    },
  },
  '@redocly/openapi-core': {
    knows: versions,
    validate: async ({ createConfig, lintFromString }, document) => {
      const config = await createConfig({ extends: ['recommended'] })
      const problems = await lintFromString({
        source: JSON.stringify(document),
        absoluteRef: 'openapi.json',
        config,
      })
      const told = problems.map(({ severity, ruleId, message, location }) => {
        return `${severity} ${ruleId}: ${message.split('\n')[0]} ${location[0]?.pointer ?? ''}`
      })
      const warnings = Object.entries(Object.groupBy(problems, ({ ruleId }) => ruleId))
      for (const [rule, { length }] of warnings) console.log(`    ${length} of ${rule}`)
      deepEqual(
        told.filter((line) => !line.startsWith('warn')),
        [],
      )
    },
  },
}

async function checkDocuments(documents, load) {
  for (const [name, { knows, validate }] of Object.entries(validators)) {
    const tool = await load(name)
    for (const version of knows) {
      await check(`${name} accepts the document of ${version}`, () =>
        validate(tool, copy(documents[version])),
      )
    }
  }
}

/** What makes clients, and what writes a module that calls every operation by such a client. */
const generators = {
  'openapi-typescript': {
    generate: async ({ default: generate, astToString }, { document, folder }) => {
      // Else a field with a default is required of clients, and an object without properties takes none.
      const types = await generate(document, {
        defaultNonNullable: false,
        emptyObjectsUnknown: true,
      })
      writeFileSync(join(folder, 'client.ts'), astToString(types))
    },
    calls: fetchCalls,
  },
  '@hey-api/openapi-ts': {
    generate: ({ createClient }, { input, folder }) =>
      createClient({
        input,
        output: join(folder, 'client'),
        logs: { level: 'silent', file: false },
      }),
    calls: heyCalls,
  },
  orval: {
    generate: ({ default: generate }, { input, folder, origin }) => {
      const output = {
        target: join(folder, 'client.ts'),
        client: 'fetch',
        mode: 'single',
        baseUrl: origin,
      }
      return generate({ input: { target: input }, output }, folder)
    },
    calls: orvalCalls,
    // It says `application/json` where there is no body, and writes an object in a query as `[object Object]`.
    cannot: ['postPartsMaybe', 'getPartsOpen'],
  },
}

/** Calls every operation by a generated client. */
async function checkCalls(title, module, operations, origin) {
  const { calls } = await import(pathToFileURL(module))
  const made = calls(origin)
  const before = passed()
  for (const { operation, call } of operations) {
    try {
      const { status, data } = await made[operation.operationId]()
      equal(status, call.status)
      const isText = data instanceof Blob
      if (call.reply !== undefined) deepEqual(isText ? await data.text() : data, call.reply)
      pass()
    } catch (error) {
      fail(`${title}: ${operation.operationId}`, String(error.message))
    }
  }
  console.log(`✔ ${title}: ${passed() - before} operations answer a call as their document says`)
}

/** The operations of a document, with the calls that succeed, which are taken out of it. */
function takeCalls(document) {
  const found = []
  for (const [template, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const { 'x-call': call } = operation
      delete operation['x-call']
      // `fetch` of Node cannot say another host.
      if (call.headers?.host === undefined) found.push({ method, template, operation, call })
    }
  }
  return found
}

/** Generates all clients, compiles them at once, and calls by them. */
async function checkClients(documents, operations, { load, scratch, origin }) {
  const compilerOptions = {
    ...{
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      target: 'es2022',
      module: 'esnext',
      types: [],
    },
    ...{ moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'] },
  }
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  const made = []
  for (const [name, { generate, calls, cannot = [] }] of Object.entries(generators)) {
    const tool = await load(name)
    for (const version of ['3.0', '3.1']) {
      const place = `${name.replaceAll(/\W+/g, '-')}-${version}`
      const folder = join(scratch, place)
      mkdirSync(folder)
      const input = join(scratch, `${version}.json`)
      writeFileSync(input, JSON.stringify(documents[version]))
      const title = `${name}, ${version}`
      const callable = operations[version].filter(
        ({ operation }) => !cannot.includes(operation.operationId),
      )
      await check(`${title}: generates a client`, async () => {
        await generate(tool, {
          document: copy(documents[version]),
          input,
          folder,
          origin,
        })
        writeFileSync(join(folder, 'calls.ts'), calls(callable))
        made.push({ title, place, callable })
      })
    }
  }
  const { said } = await run(process.execPath, [compiler, '-p', scratch], scratch)
  for (const { title, place, callable } of made) {
    await check(`${title}: the client and its calls compile`, () =>
      equal(
        said
          .split(/\n(?=\S)/)
          .filter((line) => line.startsWith(place))
          .join('\n'),
        '',
      ),
    )
    await checkCalls(title, join(scratch, place, 'calls.ts'), callable, origin)
  }
}

/** Node 20 lacks them. orval needs the first. */
function addGroupBy() {
  const group = (items, keyOf) => {
    const groups = new Map()
    for (const item of items) {
      const key = keyOf(item)
      groups.set(key, [...(groups.get(key) ?? []), item])
    }
    return groups
  }
  Map.groupBy ??= group
  Object.groupBy ??= (items, keyOf) => Object.fromEntries(group(items, keyOf))
}

async function main() {
  addGroupBy()
  const tools = await install()
  const { load } = await import(pathToFileURL(join(tools, 'load.mjs')))
  const app = everyForm()
  // Inside of the folder of the tools, so that the clients find what they import.
  const scratch = mkdtempSync(join(tools, 'clients-'))
  try {
    const documents = {}
    for (const version of versions)
      documents[version] = await documentOf(app, { ...options, version })
    const operations = Object.fromEntries(
      versions.map((version) => [version, takeCalls(documents[version])]),
    )
    await checkDocuments(documents, load)
    const origin = await app.listen({ port: 0 })
    await checkClients(documents, operations, { load, scratch, origin })
  } finally {
    await app.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

await main()
end()
