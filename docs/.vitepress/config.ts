// The site of the documentation: `npm run docs:dev`, `npm run docs:build`.
import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { rendererFloatingVue, transformerTwoslash } from '@shikijs/vitepress-twoslash'
import type { Root } from 'hast'
import { createTwoslasher, type TwoslashReturn } from 'twoslash'
import ts from 'typescript'
import { defineConfig, type DefaultTheme, type MarkdownRenderer } from 'vitepress'
import { anchorOf, annotated, blocksOf } from './blocks.ts'

const docs = resolve(import.meta.dirname, '..')
const root = resolve(docs, '..')

/** The index of the documentation gives the order of the pages: a table for each part. */
function sidebar(): DefaultTheme.SidebarItem[] {
  const index = readFileSync(join(docs, 'README.md'), 'utf8')
  const tables = [...index.matchAll(/^\| ([\w ]+) \| \|\n\|---\|---\|\n((?:\|.*\n)+)/gm)]
  return tables.map(([, text = '', rows = '']) => ({
    text,
    collapsed: text === 'Examples',
    items: [
      ...rows.matchAll(/^\| \[([^\]]+)\]\((?:\.\.\/)?([\w-]+|examples\/[\w-]+)(?:\.|\/)/gm),
    ].map(([, title = '', page = '']) => ({ text: title, link: `/${page}` })),
  }))
}

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
/** Names whose types tell a reader nothing. */
const plain = new Set(['t', 'espalier', 'console', 'log', 'process', 'JSON', 'Promise', 'schema'])
/** The most lines of a type that are shown. */
const longestType = 12
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

/** A block with the types that tell a reader something: each name once, without keys and methods. */
function readTypes(code: string): TwoslashReturn {
  // The test of the pages has compiled them. Here only the mistakes that a page shows are asked for.
  const noErrors = !code.startsWith('// @errors:')
  const made = compile(code, 'ts', {
    handbookOptions: { noErrors },
    shouldGetHoverInfo: (name) => !plain.has(name),
  })
  const seen = new Set<string>()
  const nodes = made.nodes.filter((node) => {
    if (node.type !== 'hover') return true
    const { start, length, target, text } = node
    const isKey = made.code
      .slice(start + length)
      .trimStart()
      .startsWith(':')
    const isKnown = seen.has(target + text)
    seen.add(target + text)
    return !isKnown && !/^\((method|alias)\)/.test(text) && !isKey
  })
  for (const node of nodes) if (node.type === 'hover') node.text = shorten(node.text)
  return Object.assign(Object.create(made), { nodes })
}

/** The first lines of a long type. */
function shorten(text: string): string {
  const lines = text.split('\n')
  return lines.length <= longestType ? text : [...lines.slice(0, longestType), '…'].join('\n')
}

const twoslash = transformerTwoslash({
  renderer,
  explicitTrigger: /\btwoslash\b/,
  twoslasher: readTypes,
})

/** Blocks of TypeScript show their types. What the compiler says of a mistake stands in the block itself. */
function showTypes(md: MarkdownRenderer): void {
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
      if (kind === 'ts error') token.meta = 'has mistakes'
    }
    return fence(tokens, index, options, env, self)
  }
}

/** A page for the search: its blocks as text, without colours and types. */
const renderPlain: DefaultTheme.LocalSearchOptions['_render'] = (source, env, md) => {
  const { highlight } = md.options
  md.options.highlight = null
  try {
    return md.render(source, env)
  } finally {
    md.options.highlight = highlight
  }
}

/** Pictures become part of the page, so that they follow its dark mode. */
function inlinePictures(md: MarkdownRenderer): void {
  const { image } = md.renderer.rules
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const source = tokens[index]?.attrGet('src') ?? ''
    const name = /pictures\/([\w-]+)\.svg$/.exec(decodeURI(source))?.[1]
    if (name === undefined) return image?.(tokens, index, options, env, self) ?? ''
    const text = readFileSync(join(docs, 'pictures', `${name}.svg`), 'utf8')
    const shape = text.replace(/<style>.*?<\/style>/s, '').replaceAll('#head', `#head-${name}`)
    return shape
      .replace('id="head"', `id="head-${name}"`)
      .replace('<svg ', '<svg v-pre class="picture" ')
      .replaceAll(/\n\s*/g, '')
  }
}

/** Links to examples lead to their pages. What is not on the site is text. */
function leadLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('lead-links', ({ tokens }) => {
    for (const { children } of tokens) {
      let isOpen = false
      for (const child of children ?? []) {
        const href = child.attrGet('href')
        if (child.type === 'link_open' && href?.startsWith('../') === true) {
          const [, example, file = ''] =
            /^\.\.\/examples\/([\w-]+)(?:\.ts|\/(.*))$/.exec(href) ?? []
          if (example === undefined) {
            isOpen = true
            Object.assign(child, { type: 'em_open', tag: 'span', attrs: null })
          } else {
            const isShown = file.includes('.') && !file.endsWith('README.md')
            const heading = isShown ? `#${anchorOf(file)}` : ''
            child.attrSet('href', `./examples/${example}.html${heading}`)
          }
        } else if (child.type === 'link_close' && isOpen) {
          isOpen = false
          Object.assign(child, { type: 'em_close', tag: 'span' })
        }
      }
    }
  })
}

/** Where the site is served, as `/espalier/`. */
const base = process.env['DOCS_BASE'] ?? '/'

export default defineConfig({
  title: 'Espalier',
  description: 'A type-first web server framework for TypeScript',
  lang: 'en',
  base,
  // Pages of examples are made when the site is built. Some name the address of a server that a reader starts.
  ignoreDeadLinks: [/^\.\/examples\//, /^http:\/\/localhost/],
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}logo.svg` }]],
  // To look for unused code in pages takes a fifth of the build, and saves 3 KB.
  vite: { build: { rollupOptions: { treeshake: false } } },
  srcExclude: ['README.md', 'decisions/**'],
  markdown: {
    codeTransformers: [twoslash],
    config(md) {
      showTypes(md)
      inlinePictures(md)
      leadLinks(md)
    },
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Options', link: '/options' },
      { text: 'Hazards of schemas', link: '/check' },
      { text: 'Strict mode', link: '/strict' },
      { text: 'Surprises', link: '/surprises' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local', options: { _render: renderPlain } },
  },
})
