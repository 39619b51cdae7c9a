// The laws of the house, as data.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, resolve, sep } from 'node:path'
import { test } from 'node:test'

/** A room imports only from itself and from rooms that stand before it here. */
const rooms = [
  'types',
  'packages',
  'errors',
  'dialect',
  'http',
  'schema',
  'validation',
  'serialization',
  'context',
]
rooms.push('plugin', 'typed', 'lifecycle', 'route', 'server')
/** A door imports from rooms; neither a room nor another door imports from it, but for the command line,
 *  and tools, which have the schemas of documents. */
const doors = ['client', 'openapi', 'websocket', 'multipart', 'otel', 'mcp', 'create']
doors.push('testing', 'cli', 'fastify')
/** The files outside of rooms: these may import everything, the other may be imported by everything. */
const entries = ['src/index.ts', 'src/common-js.ts', 'src/parts.ts', 'src/parts-for-workers.ts']
const versionFile = 'src/version.ts'
/** Loads packages when they are first needed, as only CommonJS can do at once. */
const latePackages = 'src/packages/late.cjs'
/** The most lines of a file. A folder may have any number of files. */
const fileSize = 600
/** Casts which the compiler cannot check. Each says why it holds, in a comment `// cast: …` on its line or right above.
 *  The number may only fall. */
const castBudget = 12
/** The files of Fastify's types that name each other: docs/decisions/024. No other may join them. */
const knot = ['content-parser', 'hooks', 'instance', 'logger', 'plugin', 'reply', 'request']
  .concat('route', 'schema', 'server-options', 'type-provider')
  .map((name) => `src/fastify/${name}.ts`)
const bannedNames = /^(utils?|helpers?|common|misc)$/
const kebabName = /^_?[a-z0-9]+(-[a-z0-9]+)*(\.(test|test-d|bench|d))?$/

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The files below a folder of the project, as `src/room/file.ts`. */
function list(folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  const found = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile())
  const paths = files.map((entry) => slashed(relative(root, join(entry.parentPath, entry.name))))
  // An example with packages of its own may be installed and built where it stands.
  return paths.filter((path) => !/\/(node_modules|dist|data)\//.test(path)).sort()
}

const slashed = (path: string) => path.split(sep).join('/')
const roomOf = (path: string) => path.split('/')[1] ?? ''
/** The package that stands for Fastify and the templates of applications are copied as they are. */
const copied = /^src\/(fastify\/alias|create\/templates)\//
const sources = list('src').filter((path) => path.endsWith('.ts') && !copied.test(path))

/** The lines of a file; those that are comments are emptied. */
const codeLines = (path: string) =>
  read(path)
    .split('\n')
    .map((line) => (/^\s*(\/?\*|\/\/)/.test(line) ? '' : line))

interface Import {
  readonly from: string
  readonly to: string
  readonly isType: boolean
}

/** What a file imports: `import … from`, `export … from`, `import('…')`; and what it adds members to. */
function importsOf(from: string): Import[] {
  const code = codeLines(from).join('\n')
  const statements = code.matchAll(
    /^(?:im|ex)port\s+(type\s)?(?:[\w*\s{},$]*?\sfrom\s+)?'([^']+)'/gm,
  )
  const added = code.matchAll(/^declare module '(\.[^']+)'/gm)
  const expressions = code.matchAll(/(await |return |=> )?\bimport\(\s*'([^']+)'\s*\)/g)
  const target = (name: string) =>
    name.startsWith('.') ? posix.join(posix.dirname(from), name) : name
  return [
    ...[...statements].map(([, type, name = '']) => ({ from, to: target(name), isType: !!type })),
    ...[...added].map(([, name = '']) => ({ from, to: target(name), isType: true })),
    ...[...expressions].map(([, value, name = '']) => ({ from, to: target(name), isType: !value })),
  ]
}

const imports = sources.flatMap(importsOf)
const inside = imports.filter(({ to }) => to.startsWith('src/'))
const show = ({ from, to }: Import) => `${from} → ${to}`

function isAllowed({ from, to }: Import): boolean {
  const [room, target] = [roomOf(from), roomOf(to)]
  if (entries.includes(from) || to === versionFile || room === target) return true
  if (room === 'cli' && ['openapi', 'create', 'mcp', 'testing'].includes(target)) return true
  if (room === 'mcp' && target === 'openapi') return true
  if (doors.includes(room)) return rooms.includes(target)
  return rooms.includes(target) && rooms.indexOf(target) < rooms.indexOf(room)
}

/** Groups of files each of which can reach all others of its group. */
function cycles(edges: readonly Import[]): string[][] {
  const reach = (start: string) => {
    const seen = new Set<string>()
    const visit = (path: string) => {
      for (const { from, to } of edges) {
        if (from !== path || seen.has(to)) continue
        seen.add(to)
        visit(to)
      }
    }
    visit(start)
    return seen
  }
  const reached = new Map(sources.map((path) => [path, reach(path)]))
  const mutual = (a: string, b: string) => reached.get(a)?.has(b) && reached.get(b)?.has(a)
  const groups = sources.map((a) => sources.filter((b) => mutual(a, b)))
  return groups.filter((group, index) => group[0] === sources[index])
}

/** Code lines of `src/` which match, each with its place and the comment above. */
const grep = (pattern: RegExp) =>
  sources.flatMap((path) =>
    codeLines(path).flatMap((line, index) => {
      const before = read(path).split('\n').slice(0, index)
      const above = before
        .slice(before.findLastIndex((text) => !/^\s*\/\//.test(text)) + 1)
        .join('\n')
      return pattern.test(line) ? [{ place: `${path}:${index + 1}`, line, above }] : []
    }),
  )

const none = (found: readonly string[]) => assert.deepEqual(found, [])

test('the laws have files and imports to judge', () => {
  assert.ok(sources.length > 0 && inside.length > 0)
})

test('every source file stands in a known room, but for three', () => {
  const isHoused = (path: string) => [...rooms, ...doors].includes(roomOf(path))
  const others = [...entries, versionFile]
  none(sources.filter((path) => !isHoused(path) && !others.includes(path)))
})

/** These load packages of the application, which are not among the package's own dependencies, or
 *  read files of this package. */
const loaders = /^src\/(openapi|cli|create|testing)\//

test('no file looks at where it stands, and none but the factories names a dialect', () => {
  const looking = grep(/import\.meta|createRequire/).map(({ place }) => place)
  none(looking.filter((place) => !loaders.test(place)))
  const named = grep(/\b(espalier|fastify)Dialect\b/).map(({ place }) => place.split(':')[0] ?? '')
  const may = /^src\/(dialect|fastify|server\/fastify)\/|^src\/server\/factory\.ts$/
  none(named.filter((path) => !may.test(path)))
})

test('a room imports only from the rooms above it', () => {
  none(inside.filter((each) => !isAllowed(each)).map(show))
})

test('an import names a file that exists, with its extension', () => {
  const known = [...sources, latePackages]
  none(inside.filter(({ to }) => !known.includes(to)).map(show))
})

test('a package that is imported is a dependency', () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, object | undefined>
  const { dependencies, peerDependencies, optionalDependencies } = manifest
  const names = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })
  const isKnown = (to: string) => names.some((name) => to === name || to.startsWith(`${name}/`))
  // What begins with # is found by the package's own import map.
  const late = [...read(latePackages).matchAll(/require\('([^']+)'\)/g)].map(([, to = '']) => ({
    ...{ from: latePackages, to, isType: false },
  }))
  assert.ok(late.length > 0)
  const outside = [...imports, ...late].filter(({ to }) => !/^(src\/|node:|#)/.test(to))
  none(outside.filter(({ to }) => !isKnown(to)).map(show))
})

test('no files import each other in a circle, types included, but the types of Fastify', () => {
  assert.deepEqual(cycles(inside), [knot])
})

test('names are in kebab-case and say what is inside', () => {
  const all = ['src', 'test', 'examples', 'bench', 'types-test'].flatMap(list)
  const words = (path: string) =>
    path.replace(/@?\.([cm]?[jt]s|tsx|jsonc?|html|css|sql|yml|conf|service)$/, '').split('/')
  const isBad = (word: string) => !kebabName.test(word) || bannedNames.test(word)
  // Names that tools give.
  const isGiven = (path: string) => /\.md$|\/(\.[\w.]+|Dockerfile)$/.test(path) || copied.test(path)
  none(all.filter((path) => !isGiven(path) && words(path).some(isBad)))
})

test('files stay small', () => {
  none(sources.filter((path) => read(path).trimEnd().split('\n').length > fileSize))
})

test('a request goes through few files and functions', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'bench/trace.ts'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  assert.equal(status, 0, `${stdout}${stderr}`)
})

test('the compiler is never silenced', () => {
  none(grep(/\bas any\b|<any>/).map(({ place }) => place))
  none(sources.filter((path) => /@ts-(ignore|expect-error|nocheck)/.test(read(path))))
})

test('casts are few, and each says why it holds', () => {
  const casts = grep(/\bas (unknown as|never\b)/)
  const why = /\/\/ cast: \S/
  none(
    casts
      .filter(({ line, above }) => !why.test(line) && !why.test(above))
      .map(({ place }) => place),
  )
  assert.ok(casts.length <= castBudget, `${casts.length} casts, budget ${castBudget}`)
})

test('a test of a room stands where its source file stands', () => {
  const tests = list('test').filter((path) => [...rooms, ...doors].includes(roomOf(path)))
  const source = (path: string) => path.replace(/^test\//, 'src/').replace(/\.test\.ts$/, '.ts')
  none(tests.filter((path) => path.endsWith('.test.ts') && !sources.includes(source(path))))
})
