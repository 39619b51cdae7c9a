// What the documentation says holds: README.md, CHANGELOG.md, CONTRIBUTING.md, the pages in docs/, and those beside code.
// docs/.vitepress/blocks.ts says how blocks of code in them are marked.
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { ESLint, type Linter } from 'eslint'
import ts from 'typescript'
import { blocksOf, changed, programOf, type Block } from '../docs/.vitepress/blocks.ts'
import type espalier from '../src/index.ts'
import { optionRules } from '../src/server/options.ts'

const root = resolve(import.meta.dirname, '..')
const readmeLines = 180
/** The entry points of the package, and what stands in for Fastify. */
const entries = {
  espalier: 'src/index.ts',
  'espalier/client': 'src/client/index.ts',
  'espalier/client/use': 'src/client/use/index.ts',
  'espalier/openapi': 'src/openapi/index.ts',
  'espalier/websocket': 'src/websocket/index.ts',
  'espalier/socket': 'src/client/socket/index.ts',
  'espalier/query': 'src/client/query/index.ts',
  'espalier/multipart': 'src/multipart/index.ts',
  'espalier/otel': 'src/otel/index.ts',
  'espalier/mcp': 'src/mcp/index.ts',
  'espalier/testing': 'src/testing/index.ts',
  'espalier/schema': 'src/schema/index.ts',
  'espalier/fastify': 'src/fastify/index.ts',
  fastify: 'src/fastify/index.ts',
}

/** The first page of the site, the one with CHANGELOG.md, and the one that pages of examples are made from. */
const ofTheSite = ['index.md', 'changelog.md', 'examples/[name].md'].map((path) =>
  join(root, 'docs', path),
)
const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !path.startsWith('.vitepress'))
  .map((path) => join(root, 'docs', path))
const map = join(root, 'src', 'README.md')
const beside = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  '.github/SECURITY.md',
]
const pages = [...beside.map((path) => join(root, path)), map, ...docs.sort()]
const decisions = docs.filter((page) => dirname(page) === join(root, 'docs', 'decisions'))
/** Pages for those who change the source, each with the most lines that it may have. */
const forMaintainers = new Map([
  // The index has a line for each.
  ...decisions.map((page): [string, number] => [page, page.endsWith('README.md') ? 80 : 45]),
  [map, 110],
])

/** A block of a page. */
interface PlacedBlock extends Block {
  /** Page and line of its first line, as `docs/errors.md:12`. */
  readonly place: string
  /** What the compiler calls it. */
  readonly file: string
}

function placedBlocksOf(page: string): PlacedBlock[] {
  const folder = join(root, 'test', `page-${relative(root, page).replaceAll(/[^a-zA-Z]+/g, '-')}`)
  const all = blocksOf(readFileSync(page, 'utf8').replaceAll('\r', ''))
  const written = all.map((block, index): Block => {
    if (block.kind !== 'diff error') return block
    const before =
      all.slice(0, index).findLast(({ kind }) => /^ts( \S+\.ts)?$/.test(kind))?.text ?? ''
    return { ...block, kind: 'ts error', text: changed(before, block.text) }
  })
  return written.map((block, number) => ({
    ...block,
    place: `${relative(root, page)}:${block.line}`,
    file: join(folder, block.name ?? `block-${number}.ts`),
  }))
}

const blocks = pages.flatMap(placedBlocksOf).filter(({ kind }) => /^ts\b/.test(kind))
const sources = new Map(blocks.map(({ file, text }) => [file, `${programOf(text)}\nexport {}\n`]))

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (name) => ts.sys.readFile(name))
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
const paths = Object.fromEntries(
  Object.entries(entries).map(([name, path]) => [name, [join(root, path)]]),
)
// The packages of the page on monorepos.
const packages = join(root, 'test', 'page-docs-monorepo-md')
paths['@notes/*'] = [join(packages, '*.ts'), join(packages, '*', 'index.ts')]
const folders = new Set(blocks.map(({ file }) => dirname(file)))
const read = (name: string) => sources.get(resolve(name)) ?? ts.sys.readFile(name)
const service = ts.createLanguageService({
  getCurrentDirectory: () => root,
  getCompilationSettings: () => ({ ...options, paths, allowImportingTsExtensions: true }),
  getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
  getScriptFileNames: () => [...sources.keys()],
  getScriptVersion: () => '0',
  getScriptSnapshot: (name) => {
    const text = read(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  fileExists: (name) => sources.has(resolve(name)) || ts.sys.fileExists(name),
  readFile: read,
  directoryExists: (name) => folders.has(resolve(name)) || ts.sys.directoryExists(name),
})
after(() => {
  service.dispose()
})

function mistakesIn({ file }: PlacedBlock): string[] {
  const found = [
    ...service.getSyntacticDiagnostics(file),
    ...service.getSemanticDiagnostics(file),
  ].filter(({ category }) => category === ts.DiagnosticCategory.Error)
  return found.map(({ code, messageText, start = 0 }) => {
    const line = (sources.get(file) ?? '').slice(0, start).split('\n').length
    const text = ts.flattenDiagnosticMessageText(messageText, '\n')
    return `error TS${code}: ${text} (line ${line})`
  })
}

/** What a page quotes, where `…` stands for any text. */
const quoted = (text: string) =>
  new RegExp(
    `^${text
      .split('…')
      .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
      .join('.*')}$`,
  )

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('; }', ' }').trim()

/** What the comments `^?` of a block say, each beside what an editor shows of the name above. */
function hoversIn({ file }: PlacedBlock): { said: string; shown: string }[] {
  const source = sources.get(file) ?? ''
  const lines = source.split('\n')
  let above = { start: 0, next: 0 }
  return lines.flatMap((line) => {
    const [head, said] = /^(\s*\/\/ *)\^\? *(.*)$/.exec(line)?.slice(1) ?? []
    if (!/^\s*\/\//.test(line)) above = { start: above.next, next: above.next }
    const position = above.start + (head?.length ?? 0)
    above.next += line.length + 1
    if (said === undefined) return []
    const info = service.getQuickInfoAtPosition(file, position)
    return [{ said: oneLine(said), shown: oneLine(ts.displayPartsToString(info?.displayParts)) }]
  })
}

/** As headings are called in links. */
const slug = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

const prose = (page: string) =>
  readFileSync(page, 'utf8')
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll('\r', '')

const anchorsOf = (page: string) =>
  [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading))

const linksOf = (page: string) =>
  [...prose(page).matchAll(/\[(?:[^\]]|\]\[)*\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)

test('README is short, and no line of it is wide', () => {
  const lines = readFileSync(join(root, 'README.md'), 'utf8').trimEnd().split(/\r?\n/)
  assert.ok(lines.length <= readmeLines, `${lines.length} lines`)
  assert.deepEqual(
    lines.filter((line) => line.length > 120),
    [],
  )
})

test('each link leads to a file, and to a heading of it', () => {
  const all = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })))
  assert.ok(all.length > 50)
  const dead = all.filter(({ page, link }) => {
    if (/^https?:/.test(link)) return false
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : resolve(dirname(page), path)
    if (!existsSync(target)) return true
    return anchor !== undefined && !anchorsOf(target).includes(anchor)
  })
  assert.deepEqual(
    dead.map(({ page, link }) => `${relative(root, page)}: ${link}`),
    [],
  )
})

test('each page is in the index of its folder, and each index in the one above', () => {
  const indexOf = (page: string) => {
    const folder = dirname(page)
    return join(page.endsWith('README.md') ? dirname(folder) : folder, 'README.md')
  }
  const isListed = (page: string) => {
    const index = indexOf(page)
    return linksOf(index).some((link) => resolve(dirname(index), link) === page)
  }
  const first = join(root, 'docs', 'README.md')
  assert.ok(decisions.length > 10)
  assert.deepEqual(
    docs.filter((page) => page !== first && !ofTheSite.includes(page) && !isListed(page)),
    [],
  )
})

test('pages for maintainers are short, and no line of them is wide', () => {
  for (const [page, most] of forMaintainers) {
    const lines = readFileSync(page, 'utf8').trimEnd().split(/\r?\n/)
    assert.ok(lines.length <= most, `${relative(root, page)}: ${lines.length} lines`)
    assert.deepEqual(
      lines.filter((line) => line.length > 100),
      [],
    )
  }
})

/** The source as text, without what it says of itself in prose. */
const source = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(root, 'src', path), 'utf8'))
  .join('\n')

/** Whether what stands in backticks is there: a file or a folder, below src/ or the root, or a type or class. */
function isThere(name: string): boolean {
  if (/\/$|^[\w./-]+\.(ts|md)$/.test(name)) {
    return [join(root, 'src'), root].some((folder) => existsSync(join(folder, name)))
  }
  if (!/^[A-Z][a-z]\w*$/.test(name)) return true
  return new RegExp(`\\b(class|interface|type) ${name}\\b`).test(source) || name in globalThis
}

test('what pages for maintainers name is in the source', () => {
  const missing = [...forMaintainers.keys()].flatMap((page) => {
    const names = [...prose(page).matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    return names.filter((name) => !isThere(name)).map((name) => `${relative(root, page)}: ${name}`)
  })
  assert.deepEqual(missing, [])
})

test('the page of options has those of the factory, and no other', () => {
  const text = readFileSync(join(root, 'docs', 'options.md'), 'utf8')
  const [, factory = ''] = /^## The factory\n(.*?)^## /ms.exec(text) ?? []
  const listed = [...factory.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
  assert.deepEqual(listed.toSorted(), Object.keys(optionRules).toSorted())
})

test('each block of TypeScript is of a known kind', () => {
  assert.ok(blocks.length > 50)
  const unknown = blocks.filter(({ kind }) => !/^ts( error| run| \S+\.ts)?$/.test(kind))
  assert.deepEqual(
    unknown.map(({ place, kind }) => `${place}: ${kind}`),
    [],
  )
})

test('a block that names a file of an example stands in it', () => {
  const shown = pages
    .flatMap(placedBlocksOf)
    .filter(({ kind, text }) => kind === 'typescript' && text.startsWith('// examples/'))
  assert.ok(shown.length > 0)
  const other = shown.filter(({ text }) => {
    const [first = '', ...lines] = text.trimEnd().split('\n')
    const file = readFileSync(join(root, first.replace('// ', '')), 'utf8').replaceAll('\r', '')
    return !file.includes(`${lines.join('\n')}\n`)
  })
  assert.deepEqual(
    other.map(({ place }) => place),
    [],
  )
})

describe('a block', () => {
  for (const block of blocks.filter(({ kind }) => kind !== 'ts error')) {
    test(`${block.place} compiles`, () => {
      assert.deepEqual(mistakesIn(block), [])
      for (const { said, shown } of hoversIn(block)) {
        assert.ok(shown.endsWith(said) && said !== '', `"${shown}" does not end with "${said}"`)
      }
    })
  }

  for (const block of blocks.filter(({ kind }) => kind === 'ts error')) {
    test(`${block.place} has the mistakes that the block behind it says`, () => {
      const found = mistakesIn(block).map((text) => text.replace(/ \(line \d+\)$/, ''))
      assert.match(oneLine(found.join('\n')), quoted(oneLine(block.next)))
      assert.ok(found.length > 0)
    })
  }
})

/** The page on eslint has the file that templates bring. Here the package is this folder. */
const [lintRules = '', ...others] = ['minimal', 'service'].map((template) => {
  const file = join(root, 'src', 'create', 'templates', template, 'eslint.config.js')
  return readFileSync(file, 'utf8').replaceAll('\r', '')
})

test('the page on eslint has the configuration of the templates', () => {
  const [block] = placedBlocksOf(join(root, 'docs', 'lint.md'))
  assert.deepEqual([block?.text, ...others], [lintRules, lintRules])
})

describe('a block, by eslint', async () => {
  const file = join(root, '.readme-eslint.mjs')
  writeFileSync(
    file,
    lintRules.replace("from: 'package',\n              package: 'espalier'", "from: 'file'"),
  )
  const { default: config } = (await import(pathToFileURL(file).href)) as {
    default: Linter.Config[]
  }
  rmSync(file)
  // Examples declare what they do not use. Some show values of type `any`. One has a type of `pg`.
  const shown = ['no-unused-vars', 'no-explicit-any', 'no-unnecessary-type-parameters']
  const unsafe = ['assignment', 'call', 'member-access', 'return'].map(
    (what) => `no-unsafe-${what}`,
  )
  const rules = Object.fromEntries(
    [...shown, ...unsafe].map((name) => [`@typescript-eslint/${name}`, 'off' as const]),
  )
  const parserOptions = { projectService: false, programs: [service.getProgram()] }
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    overrideConfig: [
      ...config,
      { files: ['**/*.ts'], rules, languageOptions: { parserOptions } },
      // Files that commands write switch eslint off, whatever rules a project has.
      { linterOptions: { reportUnusedDisableDirectives: 'off' } },
    ],
  })
  for (const { place, file } of blocks.filter(({ kind }) => kind !== 'ts error')) {
    test(`${place} passes`, async () => {
      const source = sources.get(file) ?? ''
      const [result] = await eslint.lintText(source, { filePath: file })
      const found = result?.messages.map(
        ({ ruleId, message, line }) => `${ruleId ?? ''}: ${message} (line ${line})`,
      )
      assert.deepEqual(found, [])
    })
  }
})

describe('a block that is run', () => {
  const folder = mkdtempSync(join(root, '.readme-'))
  after(() => {
    rmSync(folder, { recursive: true })
  })
  const toSource = (text: string) =>
    text.replaceAll(/(from )'([^']+)'/g, (whole, from: string, name: string) => {
      const path = Object.entries(entries).find(([entry]) => entry === name)?.[1]
      return path === undefined ? whole : `${from}'${pathToFileURL(join(root, path)).href}'`
    })

  /** Writes a block into the folder of its page, as the compiler has it. */
  const write = (block: PlacedBlock): string => {
    const file = join(folder, relative(join(root, 'test'), block.file))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, toSource(programOf(block.text)))
    return file
  }
  for (const block of blocks.filter(({ kind }) => kind.endsWith('.ts'))) write(block)

  for (const block of blocks.filter(({ kind }) => kind === 'ts run')) {
    test(`${block.place} prints what it says`, async (context) => {
      const file = write(block)
      const printed: string[] = []
      context.mock.method(console, 'log', (...values: unknown[]) => {
        const texts = values.map((value) => (typeof value === 'string' ? value : inspect(value)))
        printed.push(oneLine(texts.join(' ')))
      })
      await import(pathToFileURL(file).href)
      const said = [...block.text.matchAll(/\/\/ → (.*)$/gm)].map(([, text = '']) => oneLine(text))
      assert.deepEqual(printed, said)
      assert.ok(said.length > 0)
    })
  }

  /** `GET /users/1  200  {"id":1}   a remark`, where `…` stands for any text. */
  const answers = /^GET (\S+) +(\d{3}) +([[{].*?[\]}])(?: {2,}.*)?$/gm
  for (const block of blocks.filter(({ next }) => next.startsWith('GET '))) {
    test(`${block.place} answers what the block behind it says`, async () => {
      const text = block.text.replace(/^await app\.listen.*/ms, '')
      const file = write({ ...block, text })
      const { app } = (await import(pathToFileURL(file).href)) as {
        app: ReturnType<typeof espalier>
      }
      const said = [...block.next.matchAll(answers)]
      assert.equal(said.length, block.next.trimEnd().split('\n').length)
      for (const [, url = '', status = '', body = ''] of said) {
        const response = await app.inject(url)
        assert.match(`${response.statusCode} ${response.body}`, quoted(`${status} ${body}`))
      }
    })
  }
})
