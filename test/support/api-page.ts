// Writes docs/api.md below its introduction: the exports of each entry point, with the first sentences of their comments.
import { join } from 'node:path'
import ts from 'typescript'

/** The entry points of the package. */
export const entries = {
  espalier: 'src/index.ts',
  'espalier/client': 'src/client/index.ts',
  'espalier/schema': 'src/schema/index.ts',
  'espalier/openapi': 'src/openapi/index.ts',
  'espalier/websocket': 'src/websocket/index.ts',
  'espalier/multipart': 'src/multipart/index.ts',
  'espalier/otel': 'src/otel/index.ts',
  'espalier/fastify': 'src/fastify/index.ts',
}
export type Entry = keyof typeof entries

/** An export of an entry point. */
interface Exported {
  readonly name: string
  readonly kind: string
  /** The file that declares it, from the root. */
  readonly file: string
  /** The first sentence of its comment. */
  readonly sentence: string
  /** Whether only declaration files name it. */
  readonly isForDeclarations: boolean
}

/** The groups of exports of `espalier`, each with what explains it and the files that declare it. */
const groups: readonly [title: string, links: string, files: RegExp][] = [
  [
    'Servers and contexts',
    '[context tree](context-tree.md), [types equal scope](types-equal-scope.md)',
    /^src\/(version|common-js|server\/factory|server\/types\/server|context\/ctx|context\/decorator-types|fastify\/factory)/,
  ],
  [
    'Plugins',
    '[plugins](context-tree.md#plugins), [routes in files](routes-in-files.md), [plugins of Fastify](plugins-of-fastify.md)',
    /^src\/(plugin\/|server\/types\/factories)/,
  ],
  [
    'Schemas',
    '[schemas](schemas.md), [other schemas](other-schemas.md), [compilation](compilation.md)',
    /^src\/(schema\/|validation\/|serialization\/|types\/json)/,
  ],
  [
    'Routes, handlers and hooks',
    '[routes in files](routes-in-files.md), [hooks](hooks.md), [errors](errors.md)',
    /^src\/(route\/(added-options|defined-route|handler|hook-types|route-entry|route-schema|standalone)|server\/types\/(hook|route-options)|http\/methods)/,
  ],
  [
    'Requests and replies',
    '[request lifecycle](request-lifecycle.md), [replies](replies.md)',
    /^src\/(typed\/|http\/(payload-kind|headers))/,
  ],
  ['Streams', '[streams](streams.md)', /^src\/http\/(stream-event|events)/],
  [
    'Calls and responses',
    '[testing](testing.md), [clients](clients.md)',
    /^src\/(server\/transport\/inject|route\/(call-types|response-types))/,
  ],
  ['Bodies', '[content types](content-types.md)', /content-type-parser|default-parsers/],
  ['Errors', '[errors](errors.md), [error codes](error-codes.md)', /^src\/errors\//],
  [
    'Logging',
    '[logging](logging.md)',
    /^src\/(lifecycle\/(log|channels)|http\/logger|server\/options\/logging)/,
  ],
  [
    'Options of the server',
    '[options](options.md)',
    /^src\/(server\/|lifecycle\/(proxied-request|request-id))/,
  ],
]

/** What the other entry points are, and where they are explained. */
const others: Partial<Record<Entry, string>> = {
  'espalier/client': 'Calls routes with `fetch`, and loads no server: [clients](clients.md).',
  'espalier/schema':
    'Schemas without a server, also for browsers: [schemas](schemas.md), [monorepo](monorepo.md).',
  'espalier/openapi': 'Documents of a server, and their page: [OpenAPI documents](openapi.md).',
  'espalier/websocket': 'Routes for WebSockets: [WebSocket](websocket.md).',
  'espalier/multipart': 'Forms with files: [uploads and forms](forms.md).',
  'espalier/otel': 'Traces of OpenTelemetry: [observability](observability.md#opentelemetry).',
  'espalier/fastify':
    "What stands for the package `fastify`: [coming from Fastify](coming-from-fastify.md). Its types are Fastify's.",
}

const isOfTypeBox = ({ file }: Exported) => /\/typebox\//.test(file)
const isOfFastify = ({ file, kind }: Exported) =>
  /^src\/fastify\/|light-my-request/.test(file) && /type|interface/.test(kind)
const isListed = (each: Exported) =>
  isOfTypeBox(each) || isOfFastify(each) || each.isForDeclarations

/** The comment in src/index.ts behind which stands what only declaration files name. */
const behind = '// Types that the declaration files of an application name'

/** Reads what the entry points export, values and types. CommonJS has one more name, `module.exports`. */
export class Exports {
  readonly #root: string
  readonly #program: ts.Program
  readonly #checker: ts.TypeChecker

  constructor(root: string) {
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (name) =>
      ts.sys.readFile(name),
    )
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
    this.#root = root
    this.#program = ts.createProgram(
      Object.values(entries).map((path) => join(root, path)),
      options,
    )
    this.#checker = this.#program.getTypeChecker()
  }

  /** The members of a type that an entry point exports. */
  membersOf(entry: Entry, name: string): string[] {
    const found = this.#symbolsOf(entry).find((each) => each.name === name)
    if (!found) throw new Error(`${entry} exports no ${name}`)
    const type = this.#checker.getDeclaredTypeOfSymbol(this.#resolve(found))
    return type.getProperties().map((each) => each.name)
  }

  /** The part of the page for one entry point. */
  section(entry: Entry): string {
    const all = this.#of(entry)
    const told = all.filter((each) => !isListed(each))
    const head = `## \`${entry}\`\n`
    if (entry !== 'espalier') {
      const listed =
        entry === 'espalier/fastify' ? all.filter(isOfFastify) : all.filter(isOfTypeBox)
      const title =
        entry === 'espalier/fastify' ? 'Types of Fastify' : 'Types of TypeBox, which `t` makes'
      const names = listed.length === 0 ? [] : [`${title}:\n\n${listOf(listed)}`]
      return [head, others[entry], '', tableOf(told), ...names.flatMap((text) => ['', text])].join(
        '\n',
      )
    }
    const grouped = groups.map(([title, links]) => {
      const own = told.filter((each) => groupOf(each) === title)
      return `### ${title}\n\n${links}\n\n${tableOf(own)}`
    })
    const lost = told.filter((each) => groupOf(each) === undefined)
    if (lost.length > 0) throw new Error(`no group has ${lost.map(({ name }) => name).join(', ')}`)
    const late = all.filter(
      (each) => each.isForDeclarations && !isOfTypeBox(each) && !isOfFastify(each),
    )
    return [
      head,
      grouped.join('\n\n'),
      '\n### Names of declaration files\n',
      'The compiler writes these names into the declaration files of an application. You need not write them.\n',
      listOf(late),
      '\n### Types of TypeBox\n',
      '`t` makes schemas of these types. Declaration files name them.\n',
      listOf(all.filter(isOfTypeBox)),
      '\n### Types of Fastify\n',
      'For plugins and applications that import `fastify`: [coming from Fastify](coming-from-fastify.md).\n',
      listOf(all.filter(isOfFastify)),
    ].join('\n')
  }

  #of(entry: Entry): Exported[] {
    return this.#symbolsOf(entry)
      .filter(({ name }) => name !== 'module.exports')
      .map((symbol) => this.#read(symbol))
      .sort((left, right) => (left.name.toLowerCase() < right.name.toLowerCase() ? -1 : 1))
  }

  #read(symbol: ts.Symbol): Exported {
    const found = this.#resolve(symbol)
    const declared = found.declarations?.[0]?.getSourceFile().fileName ?? ''
    const specifier = symbol.declarations?.[0]
    const source = specifier?.getSourceFile()
    const isLate =
      source?.fileName.endsWith('src/index.ts') === true &&
      (specifier?.getStart() ?? 0) > source.text.indexOf(behind) &&
      source.text.includes(behind)
    return {
      name: symbol.name,
      kind: this.#kindOf(found),
      file: declared.startsWith(this.#root) ? declared.slice(this.#root.length + 1) : declared,
      sentence: firstSentence(
        ts.displayPartsToString(found.getDocumentationComment(this.#checker)),
      ),
      isForDeclarations: isLate,
    }
  }

  #kindOf(symbol: ts.Symbol): string {
    const { flags } = symbol
    if (flags & ts.SymbolFlags.Class) return 'class'
    if (flags & ts.SymbolFlags.Value) {
      const isFunction = this.#checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0
      return isFunction ? 'function' : 'constant'
    }
    return flags & ts.SymbolFlags.Interface ? 'interface' : 'type'
  }

  #symbolsOf(entry: Entry): ts.Symbol[] {
    const file = this.#program.getSourceFile(join(this.#root, entries[entry]))
    const symbol = file && this.#checker.getSymbolAtLocation(file)
    return symbol ? this.#checker.getExportsOfModule(symbol) : []
  }

  #resolve(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }
}

const groupOf = ({ file }: Exported) => groups.find(([, , files]) => files.test(file))?.[0]

/** The first sentence of a comment, or its head before a list or a colon at the end of a line. */
function firstSentence(comment: string): string {
  const [head = ''] = comment.split(/\n\s*\n|\n\s*-\s/)
  const [sentence = ''] = head.replaceAll(/\s+/g, ' ').split(/(?<=\.)\s+(?=[A-Z`])/)
  return sentence.replace(/:$/, '.').trim()
}

const tableOf = (list: readonly Exported[]) => {
  const bare = list.find(({ sentence }) => sentence === '')
  if (bare) throw new Error(`${bare.name} in ${bare.file} has no comment`)
  const rows = list.map(
    ({ name, kind, sentence }) => `| \`${name}\` | ${kind} | ${sentence.replaceAll('|', '\\|')} |`,
  )
  return ['| Name | Kind | What it is |', '|---|---|---|', ...rows].join('\n')
}

/** Names in lines that are not wide. */
const listOf = (list: readonly Exported[]) => {
  const lines: string[] = []
  for (const { name } of list) {
    const text = `\`${name}\``
    const last = lines.at(-1)
    if (last !== undefined && last.length + text.length < 116)
      lines[lines.length - 1] = `${last}, ${text}`
    else {
      if (last !== undefined) lines[lines.length - 1] = `${last},`
      lines.push(text)
    }
  }
  return `${lines.join('\n')}.`
}
