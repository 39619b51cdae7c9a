// Writes docs/api.md below its introduction: each export once, in groups. What a reader writes has the first sentence of
// its comment.
import { join } from 'node:path'
import ts from 'typescript'

/** The entry points of the package. */
export const entries = {
  espalier: 'src/index.ts',
  'espalier/client': 'src/client/index.ts',
  'espalier/client/use': 'src/client/use/index.ts',
  'espalier/schema': 'src/schema/index.ts',
  'espalier/openapi': 'src/openapi/index.ts',
  'espalier/websocket': 'src/websocket/index.ts',
  'espalier/socket': 'src/client/socket/index.ts',
  'espalier/query': 'src/client/query/index.ts',
  'espalier/multipart': 'src/multipart/index.ts',
  'espalier/otel': 'src/otel/index.ts',
  'espalier/mcp': 'src/mcp/index.ts',
  'espalier/testing': 'src/testing/index.ts',
  'espalier/fastify': 'src/fastify/index.ts',
}
export type Entry = keyof typeof entries

/** An export, by its name in the entry points that have it. */
interface Exported {
  readonly name: string
  readonly kind: 'function' | 'constant' | 'class' | 'type'
  /** The file that declares it, from the root. */
  readonly file: string
  /** The first sentence of its comment. */
  readonly sentence: string
  /** Whether only declaration files name it. */
  readonly isForDeclarations: boolean
  /** The entry points, as a reader imports it from them. */
  readonly from: string[]
}

/** What readers look for. */
interface Group {
  readonly title: string
  readonly links: string
  /** The files that declare its exports. */
  readonly files: RegExp
  /** Exports of other files, and the types that get a sentence. The other types are listed. */
  readonly names: string
}

const groups: readonly Group[] = [
  {
    title: 'A server',
    links: '[context tree](context-tree.md), [types equal scope](types-equal-scope.md)',
    files:
      /^src\/(version|common-js|server\/factory|server\/types\/server|context\/|fastify\/factory)/,
    names: 'Ctx Server EspalierModule',
  },
  {
    title: 'Plugins and decorators',
    links:
      '[plugins](context-tree.md#plugins), [routes in files](routes-in-files.md), [plugins of Fastify](plugins-of-fastify.md)',
    files: /^src\/(plugin\/|server\/types\/factories)/,
    names: 'plugin shared adopt Needs NeedsOf Plugin PluginOptions',
  },
  {
    title: 'Schemas',
    links:
      '[schemas](schemas.md), [other schemas](other-schemas.md), [compilation](compilation.md), [monorepo](monorepo.md)',
    files: /^src\/(schema\/(?!http-error)|validation\/|serialization\/)/,
    names:
      'Input Output Payload Received CompiledSchemas SchemaController SerializerCompiler ValidationError ValidatorCompiler',
  },
  {
    title: 'Routes, handlers and hooks',
    links: '[routes in files](routes-in-files.md), [hooks](hooks.md), [errors](errors.md)',
    files:
      /^src\/(route\/(?!call-types|response-types)|server\/types\/(hook|route-options)|http\/methods)/,
    names:
      'defineRoute AddedRouteOptions AnyRoute Contract DeclaredRoute DefinedRoute ErrorHandlerFor HandledError Handler HookFor NotFoundHandlerFor RouteKey RouteSchema',
  },
  {
    title: 'Requests and replies',
    links:
      '[request and reply](request-and-reply.md), [replies](replies.md), [parsers](validation.md#other-content-types)',
    files:
      /^src\/(typed\/|http\/(payload-kind|headers)|server\/types\/content-type-parser|context\/default-parsers)/,
    names:
      'ContentTypeParser PoisoningAction TextParser HookReply HookRequest RawRequest RefusedRequest ReplySerializer TypedReply',
  },
  {
    title: 'Streams',
    links: '[streams](streams.md)',
    files: /^src\/http\/(stream-event|events)/,
    names: 'EventFields EventMessage StreamEvent',
  },
  {
    title: 'Calls',
    links: '[testing](testing.md), [clients](clients.md), [client recipes](client-recipes.md)',
    files:
      /^src\/(client\/|server\/transport\/inject|route\/(call-types|response-types)|http\/(route-call|exact-json)|types\/(json|fetch-body))/,
    names:
      'BadRequest CallArguments CallOptions Client ClientOptions InjectArguments InjectCallOptions InjectedResponse InjectOptions InputOf JsonCodec ResponseOf RouteResponse SuccessStatus',
  },
  {
    title: 'Errors',
    links: '[errors](errors.md), [error codes](error-codes.md)',
    files: /^src\/(errors\/|schema\/http-error|fastify\/error-codes)/,
    names: 'ErrorCode ErrorResponses HttpErrorClass',
  },
  {
    title: 'Logs and traces',
    links: '[logging](logging.md), [observability](observability.md)',
    files: /^src\/(lifecycle\/(log|channels)|http\/logger|server\/options\/logging|otel)/,
    names:
      'ChildLoggerFactory HandlerMessage InstrumentOptions Logger LoggerOptions LogSerializers RequestMessage',
  },
  {
    title: 'OpenAPI documents',
    links: '[OpenAPI documents](openapi.md)',
    files: /^src\/openapi\//,
    names:
      'DocsOptions DocumentedRoute DocumentOptions OpenApiDocument OpenApiOptions SchemaToJson SecuritySchemes',
  },
  {
    title: 'Tools',
    links: '[tools for models](mcp.md)',
    files: /^src\/mcp\//,
    names: 'McpOptions ToolOptions',
  },
  {
    title: 'WebSockets and forms',
    links: '[WebSocket](websocket.md), [uploads and forms](forms.md)',
    files: /^src\/(websocket|multipart)\//,
    names: 'MultipartLimits MultipartOptions SocketHandler TypedSocket WebsocketOptions',
  },
  {
    title: 'Tests of types',
    links: '[type tests](type-tests.md)',
    files: /^src\/testing\//,
    names: 'MistakesOptions RouteOf RouteTests TypesOfRoute TypeTests',
  },
  {
    title: 'Options of a server',
    links: '[options](options.md)',
    files: /^src\/(server\/|lifecycle\/(proxied-request|request-id))/,
    names:
      'ConstraintStrategy EspalierOptions FrameworkErrors GenerateId InitialConfig ListenOptions RouterOptions TrustProxy',
  },
]

const isOfTypeBox = ({ file }: Exported) => /\/typebox\//.test(file)
const isOfFastify = ({ file, kind }: Exported) =>
  /^src\/fastify\/|light-my-request/.test(file) && isType(kind)
const isType = (kind: Exported['kind']) => kind === 'type'

/** What comes last, as bare lists. */
const lists: readonly [title: string, sentence: string, (each: Exported) => boolean][] = [
  [
    'Types of Fastify',
    'For plugins and applications that import `fastify`: [coming from Fastify](coming-from-fastify.md).',
    isOfFastify,
  ],
  [
    'Types of TypeBox',
    '`t` makes schemas of these types. Declaration files name them.',
    isOfTypeBox,
  ],
  [
    'Names of declaration files',
    'The compiler writes these names into the declaration files of an application. You need not write them.',
    (each) => each.isForDeclarations,
  ],
]

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

  /** The page below its introduction. */
  page(): string {
    const all = this.#all()
    const listed = lists.map(([title, sentence, isIn]) => {
      const own = all.filter((each) => lists.find(([, , first]) => first(each))?.[2] === isIn)
      return [`## ${title}`, sentence, ...listsOf(own, 'From')]
    })
    const told = all.filter((each) => !lists.some(([, , isIn]) => isIn(each)))
    const lost = told.filter((each) => groupOf(each) === undefined)
    if (lost.length > 0) throw new Error(`no group has ${lost.map(({ name }) => name).join(', ')}`)
    const grouped = groups.map((group) => {
      const own = told.filter((each) => groupOf(each) === group)
      const gone = namesOf(group).filter((name) => !own.some((each) => each.name === name))
      if (gone.length > 0) throw new Error(`no entry point exports ${gone.join(', ')}`)
      const isShown = ({ name, kind }: Exported) => !isType(kind) || namesOf(group).includes(name)
      const others = own.filter((each) => !isShown(each))
      return [
        `## ${group.title}`,
        group.links,
        tableOf(own.filter(isShown)),
        ...listsOf(others, 'More from'),
      ]
    })
    return `${[...grouped, ...listed].flat().join('\n\n')}\n`
  }

  /** All exports, values first. What two entry points share is one. CommonJS has one more name, `module.exports`. */
  #all(): Exported[] {
    const found: { symbol: ts.Symbol; each: Exported }[] = []
    for (const entry of Object.keys(entries) as Entry[]) {
      const symbols = this.#symbolsOf(entry).filter(({ name }) => name !== 'module.exports')
      const isDefault = ({ name }: ts.Symbol) => name === 'default'
      for (const symbol of symbols.filter((each) => !isDefault(each))) {
        const meant = this.#resolve(symbol)
        const known = found.find((one) => one.symbol === meant && one.each.name === symbol.name)
        if (known === undefined) found.push({ symbol: meant, each: this.#read(symbol, entry) })
        else known.each.from.push(`\`${entry}\``)
      }
      for (const symbol of symbols.filter(isDefault)) {
        const twin = found.find((one) => one.symbol === this.#resolve(symbol))
        twin?.each.from.splice(-1, 1, `\`${entry}\`, also by default`)
      }
    }
    const order = ({ name, kind }: Exported) => `${isType(kind) ? 1 : 0}${name.toLowerCase()}`
    const all = found.map(({ each }) => each)
    return all.sort((left, right) => (order(left) < order(right) ? -1 : 1))
  }

  #read(symbol: ts.Symbol, entry: Entry): Exported {
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
      kind: isTypeOnly(specifier) ? 'type' : this.#kindOf(found),
      file: declared.startsWith(this.#root) ? declared.slice(this.#root.length + 1) : declared,
      sentence: firstSentence(
        ts.displayPartsToString(found.getDocumentationComment(this.#checker)),
      ),
      isForDeclarations: isLate,
      from: [`\`${entry}\``],
    }
  }

  #kindOf(symbol: ts.Symbol): Exported['kind'] {
    const { flags } = symbol
    if (flags & ts.SymbolFlags.Class) return 'class'
    if (flags & ts.SymbolFlags.Value) {
      const isFunction = this.#checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0
      return isFunction ? 'function' : 'constant'
    }
    return 'type'
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

/** `export type { … }` takes from a class what can be called. */
const isTypeOnly = (specifier: ts.Declaration | undefined) =>
  specifier !== undefined && ts.isExportSpecifier(specifier) && specifier.parent.parent.isTypeOnly

const namesOf = ({ names }: Group) => names.split(' ')
const groupOf = (each: Exported) =>
  groups.find((group) => namesOf(group).includes(each.name)) ??
  groups.find(({ files }) => files.test(each.file))

/** The first sentence of a comment, or its head before a list or a colon at the end of a line. */
function firstSentence(comment: string): string {
  const [head = ''] = comment.split(/\n\s*\n|\n\s*-\s/)
  const [sentence = ''] = head.replaceAll(/\s+/g, ' ').split(/(?<=\.)\s+(?=[A-Z`])/)
  return sentence.replace(/:$/, '.').trim()
}

const tableOf = (list: readonly Exported[]) => {
  const bare = list.find(({ sentence }) => sentence === '')
  if (bare) throw new Error(`${bare.name} in ${bare.file} has no comment`)
  const rows = list.map(({ name, kind, from, sentence }) => {
    const shown =
      kind === 'function' ? `\`${name}()\`` : `\`${name}\`${kind === 'class' ? ', a class' : ''}`
    return `| ${shown} | ${from.join(', ')} | ${sentence.replaceAll('|', '\\|')} |`
  })
  return ['| Name | From | What it is |', '|---|---|---|', ...rows].join('\n')
}

/** Names without sentences, by the entry points that have them. */
const listsOf = (list: readonly Exported[], before: string) => {
  const from = new Set(list.map((each) => each.from.join(' and ')))
  return [...from].map((entry) => {
    const names = list.filter((each) => each.from.join(' and ') === entry)
    return linesOf([
      ...`${before} ${entry}:`.split(' '),
      ...names.map(({ name }, at) => `\`${name}\`${at === names.length - 1 ? '.' : ','}`),
    ])
  })
}

/** Words in lines that are not wide. */
const linesOf = (words: readonly string[]) =>
  words.reduce((text, word) => {
    const last = text.slice(text.lastIndexOf('\n') + 1)
    return `${text}${last.length + word.length < 118 ? ' ' : '\n'}${word}`
  })
