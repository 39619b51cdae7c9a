// What the site shows of types: windows over names, and what the compiler says of mistakes.
import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { rendererFloatingVue, transformerTwoslash } from '@shikijs/vitepress-twoslash'
import type { Root } from 'hast'
import { createTwoslasher, type TwoslashReturn } from 'twoslash'
import ts from 'typescript'
import type { MarkdownRenderer } from 'vitepress'
import { annotated, blocksOf } from './blocks.ts'

const root = resolve(import.meta.dirname, '../..')

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  paths: {
    fastify: [join(root, 'dist/fastify/index.d.ts')],
    // The packages of the page on monorepos.
    '@notes/*': [join(root, '*.ts'), join(root, '*', 'index.ts')],
  },
}
/** The pages that show types, as `quick-start.md`: all, but for a test that reads only these. */
const typedPages = process.env['DOCS_TYPES']?.split(',')
/** The most lines of a type that is shown. */
const longestType = 16
/** Types whose arguments tell a reader something. Of others, as those of a server, a page shows what is in them. */
const readable = /^(Promise|Map|Set|Record|Array|ReadonlyArray|Readonly|Partial|RouteResponse)$/
/** Many names have the same type: what a window shows is made once. */
const windows = new Map<string, Root>()
const renderer = rendererFloatingVue()
const { nodeStaticInfo } = renderer
if (nodeStaticInfo !== undefined) {
  renderer.nodeStaticInfo = function (info, node) {
    const codeToHast: typeof this.codeToHast = (code, options) => {
      const made = windows.get(code) ?? this.codeToHast(code, options)
      windows.set(code, made)
      return structuredClone(made)
    }
    return nodeStaticInfo.call(Object.assign(Object.create(this), { codeToHast }), info, node)
  }
}
const compile = createTwoslasher({ vfsRoot: root, compilerOptions })

/** A name of a program: `var` is what the language brings, and a name like `User` is a class or a schema. */
const ownName = /^(\((property|parameter|local var)\)|const|let) (?![A-Z][a-z])\w+\??: /

/** Whether a window shows a value as a reader has it: a number, a field, a reply, a small object. */
function isLeaf(text: string): boolean {
  const isSchema = /\bT[A-Z][a-z]/.test(text)
  const outer = [...text.matchAll(/(\w*)</g)].map(([, name = '']) => name)
  const isShort = text.split('\n').length <= longestType
  return ownName.test(text) && !isSchema && isShort && outer.every((name) => readable.test(name))
}

/** What a page says of the mistakes in a block: the parts of the messages that a reader needs. A test compares them. */
const messages = new Map<string, string>()

/** A block with the types that tell a reader something: each name once, without keys. */
export function readTypes(code: string): TwoslashReturn {
  // The test of the pages has compiled them. Here only the mistakes that a page shows are asked for.
  const noErrors = !code.startsWith('// @errors:')
  const made = compile(code, 'ts', { handbookOptions: { noErrors } })
  const seen = new Set<string>()
  const nodes = made.nodes.filter((node) => {
    if (node.type === 'error') return node === made.errors[0]
    if (node.type !== 'hover') return true
    const { start, length, target, text } = node
    const isKey = made.code
      .slice(start + length)
      .trimStart()
      .startsWith(':')
    const isKnown = seen.has(target + text)
    seen.add(target + text)
    return isLeaf(text) && !isKnown && !isKey
  })
  const message = messages.get(code.trimEnd())
  for (const node of nodes) if (node.type === 'error' && message) node.text = message
  return Object.assign(Object.create(made), { nodes })
}

export const twoslash = transformerTwoslash({
  renderer,
  explicitTrigger: /\btwoslash\b/,
  twoslasher: readTypes,
})

/** Blocks of TypeScript show their types. What the compiler says of a mistake stands in the block itself. */
export function showTypes(md: MarkdownRenderer): void {
  const { fence } = md.renderer.rules
  if (fence === undefined) throw new Error('the renderer has no rule for blocks of code')
  md.renderer.rules.fence = (tokens, index, options, env: { path?: string }, self) => {
    const token = tokens[index]
    if (token === undefined || !options.highlight) return fence(tokens, index, options, env, self)
    const before = tokens[index - 1]
    if (before?.type === 'fence' && before.meta === 'has mistakes') return ''
    const kind = token.info.trim()
    const isTyped = typedPages?.includes(basename(env.path ?? '')) ?? true
    if (isTyped && /^ts\b/.test(kind)) {
      const page = blocksOf(readFileSync(env.path ?? '', 'utf8').replaceAll('\r', ''))
      const block = page.find(({ text }) => text === token.content)
      if (block === undefined) throw new Error(`${env.path ?? ''}: a block is not found`)
      token.content = annotated(block, page)
      token.info = `ts twoslash${block.name === undefined ? '' : ` [${block.name}]`}`
      if (kind === 'ts error') {
        token.meta = 'has mistakes'
        messages.set(token.content.trimEnd(), block.next.replace(/^error TS\d+: /, '').trimEnd())
      }
    }
    return fence(tokens, index, options, env, self)
  }
}
