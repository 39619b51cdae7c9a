// How long an editor waits for completions: on `request.body.` in a handler, of a route that is declared in place or is a
// value; on the response of a typed call, and in the key of one. The application of a call is in the same project, known by
// its type or by a contract, or, as that of a front end, in another package: known by its declarations, or by an emitted
// contract. In an application of 200 routes and in one of a single route. The file is edited before each question, as by
// typing.
//
//   npm run build && npm run bench:completions [-- --routes=200 --runs=30 --places=emitted]
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type * as typescript from 'typescript'
import { type Framework, pluginOf, upTo } from './application.ts'
import { contractOf } from './frameworks/emitted.ts'
import { espalier, espalierContract, espalierValues } from './frameworks/espalier.ts'
import { applicationFiles, pluginsOf, withOwnFolder } from './generate.ts'
import { writeApplication, writeProject } from './generate.ts'
import { writeDeclarations } from './measure.ts'

type TypeScript = typeof typescript

const { values } = parseArgs({
  options: {
    routes: { type: 'string', default: '200' },
    runs: { type: 'string', default: '30' },
    places: { type: 'string', default: 'inside,values,contract,outside,emitted' },
  },
})
const [routes, runs] = [Number(values.routes), Number(values.runs)]
const require = createRequire(import.meta.url)

/** A place to ask at: `text` and `rest` are put into a file before `anchor`, and `expected` must be offered between. */
interface Question {
  readonly file: string
  readonly anchor: string
  readonly text: string
  readonly rest?: string
  readonly expected: string
}

const inHandler = (route: number): Question => ({
  file: `plugin-${pluginOf(route)}.ts`,
  anchor: `if (id > ${route})`,
  text: 'request.body.',
  expected: `title${route}`,
})

const onResponse = (route: number): Question => ({
  file: `client-${pluginOf(route)}.ts`,
  anchor: `return response.statusCode === 404 ? response.json().message${route} `,
  text: 'response.',
  expected: 'statusCode',
})

const inKey = (route: number): Question => ({
  ...onResponse(route),
  text: "void call('",
  rest: "')",
  expected: `POST /p${pluginOf(route)}/r${route}/:id`,
})

/** Remembers the answers of a function of a string, as editors do, which watch their files. */
function remember<Answer>(find: (name: string) => Answer): (name: string) => Answer {
  const known = new Map<string, Answer>()
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const answer = find(name)
    known.set(name, answer)
    return answer
  }
}

/** The service that editors ask, for a project of which one file is being edited. */
function startService(ts: TypeScript, folder: string, path: string) {
  const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, (name) => ts.sys.readFile(name))
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  const edited = { text: '', version: 0 }
  const readFile = remember((name) => ts.sys.readFile(name))
  const snapshot = remember((name) => ts.ScriptSnapshot.fromString(readFile(name) ?? ''))
  const fileExists = remember((name) => ts.sys.fileExists(name))
  const service = ts.createLanguageService({
    fileExists,
    readFile,
    directoryExists: remember((name) => ts.sys.directoryExists(name)),
    realpath: remember((name) => ts.sys.realpath?.(name) ?? name),
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    getScriptFileNames: () => fileNames,
    getScriptVersion: (name) => (name === path ? String(edited.version) : '0'),
    getScriptSnapshot: (name) => {
      if (name === path) return ts.ScriptSnapshot.fromString(edited.text)
      return fileExists(name) ? snapshot(name) : undefined
    },
  })
  return { service, edited }
}

/** The answers that are left out: the first reads the project, and an editor's service has given many before. */
const warmup = 10

/** The median of the times that the answers took, in ms. */
function ask(ts: TypeScript, project: string, question: Question): number {
  const folder = project.replaceAll('\\', '/')
  const path = `${folder}/${question.file}`
  const { service, edited } = startService(ts, folder, path)
  const [before, after] = readFileSync(path, 'utf8').split(question.anchor)
  if (after === undefined) throw new Error(`${path} has no "${question.anchor}"`)
  const times: number[] = []
  for (let run = 0; run < warmup + runs; run++) {
    edited.text = `${before}${question.text}${question.rest ?? ''};/* ${run} */${question.anchor}${after}`
    edited.version++
    const since = performance.now()
    const at = `${before}${question.text}`.length
    const answer = service.getCompletionsAtPosition(path, at, {})
    times.push(performance.now() - since)
    if (!answer?.entries.some(({ name }) => name === question.expected)) {
      throw new Error(`${question.expected} is not offered in ${path}`)
    }
  }
  service.dispose()
  const sorted = times.slice(warmup).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

/** How calls know their application, each with how it is written into a folder. Those of a plugin's routes are in a file. */
const places = {
  inside: (folder: string, size: number) => writeInOne(folder, espalier, size),
  values: (folder: string, size: number) => writeInOne(folder, espalierValues, size),
  contract: (folder: string, size: number) => writeInOne(folder, espalierContract, size),
  outside(folder: string, size: number) {
    const outside = writeProject(folder, callFiles(size, './api/main.js'))
    const application = writeApplication(`${folder}-application`, espalier, { routes: size })
    writeDeclarations('5.9', application, join(outside, 'api'))
    return outside
  },
  emitted(folder: string, size: number) {
    const contract = `${contractOf(upTo(size))}export type App = Api\n`
    return writeProject(folder, { contract, ...callFiles(size, './contract.js') })
  },
}

type Place = keyof typeof places

function writeInOne(folder: string, framework: Framework, size: number): string {
  return writeProject(folder, {
    ...applicationFiles(framework, size),
    ...callFiles(size, framework.contract ? './contract.js' : './main.js'),
  })
}

function callFiles(size: number, main: string): Record<string, string> {
  const files = pluginsOf(size).map(({ index, own }) => {
    const text = espalier.client?.(own) ?? ''
    return [`client-${index}`, text.replace('./main.js', main)]
  })
  return Object.fromEntries(files) as Record<string, string>
}

function report(root: string): void {
  const last = routes - 1
  const all: [string, Place, (route: number) => Question][] = [
    ['`request.body.`', 'inside', inHandler],
    ['`request.body.`, routes as values', 'values', inHandler],
    ['`response.` of a call', 'inside', onResponse],
    ['`response.`, by a contract', 'contract', onResponse],
    ['`response.`, by declarations', 'outside', onResponse],
    ['`response.`, by an emitted contract', 'emitted', onResponse],
    ['a key, by declarations', 'outside', inKey],
    ['a key, by an emitted contract', 'emitted', inKey],
  ]
  const rows = all.filter(([, place]) => values.places.split(',').includes(place))
  const written = new Map<string, string>()
  const write = (place: Place, size: number): string => {
    const folder = join(root, place, String(size))
    const known = written.get(folder) ?? places[place](folder, size)
    written.set(folder, known)
    return known
  }
  console.log(
    `| completions | TypeScript | 1 route, ms | ${routes} routes, first | ratio | last | ratio |`,
  )
  console.log('| --- | --- | --: | --: | --: | --: | --: |')
  for (const name of ['typescript-5.9', 'typescript']) {
    const ts = require(name) as TypeScript
    for (const [title, place, question] of rows) {
      const one = ask(ts, write(place, 1), question(0))
      const figures = [question(0), question(last)]
        .map((each) => ask(ts, write(place, routes), each))
        .flatMap((time) => [time.toFixed(0), (time / one).toFixed(2)])
      console.log(`| ${[title, ts.versionMajorMinor, one.toFixed(0), ...figures].join(' | ')} |`)
    }
  }
}

withOwnFolder(report)
