// The site of the documentation: `npm run docs:dev`, `npm run docs:build`.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  defineConfig,
  type DefaultTheme,
  type HeadConfig,
  type MarkdownRenderer,
  type TransformContext,
} from 'vitepress'
import { anchorOf } from './blocks.ts'
import { dark, light } from './colours.ts'
import { writeForModels } from './for-models.ts'
import { docs, parts, rowOf } from './pages.ts'
import { checkNames, search } from './search.ts'
import { showTypes, twoslash } from './types.ts'

const manifest = readFileSync(resolve(docs, '..', 'package.json'), 'utf8')
const { version }: { version: string } = JSON.parse(manifest)
const description = 'A type-first web server framework for TypeScript'

/** Where the site is served, as `https://example.com/espalier/`. Only with it can pages tell their own addresses. */
const address = process.env['DOCS_URL']
const base = address === undefined ? '/' : new URL(address).pathname

/** A part is closed but where the reader is. */
const sidebar: DefaultTheme.SidebarItem[] = parts.map(({ title, rows }) => ({
  text: title,
  collapsed: true,
  ...(title === 'Examples' && { link: '/examples/' }),
  items: rows.map((row) => ({ text: row.title, link: `/${row.page}` })),
}))

const reference = parts.find(({ title }) => title === 'Reference')?.rows.map(({ page }) => page)
const isReference = `(${reference?.join('|') ?? ''})`
const nav: DefaultTheme.NavItem[] = [
  {
    text: 'Guide',
    link: '/quick-start',
    activeMatch: `^/(?!${isReference}\\b|examples/|why\\b|changelog\\b).`,
  },
  { text: 'Reference', link: '/options', activeMatch: `^/${isReference}\\b` },
  { text: 'Examples', link: '/examples/', activeMatch: '^/examples/' },
  { text: 'Why', link: '/why' },
  { text: version, items: [{ text: 'Changelog', link: '/changelog' }] },
]

/** What other sites show of a page that they link to. */
function describe({ page, title, description: about }: TransformContext): HeadConfig[] {
  const said = { 'og:type': 'website', 'og:title': title, 'og:description': about }
  if (address === undefined) return metaOf(said)
  const path = page.replace(/\.md$/, '.html').replace(/(^|\/)index\.html$/, '$1')
  const own = new URL(path, address).href
  const image = { 'og:image': new URL('card.png', address).href, 'og:url': own }
  const canonical: HeadConfig = ['link', { rel: 'canonical', href: own }]
  return [canonical, ...metaOf({ ...said, ...image, 'twitter:card': 'summary_large_image' })]
}

const metaOf = (said: Record<string, string>) =>
  Object.entries(said).map(([property, content]): HeadConfig => ['meta', { property, content }])

/** Pictures become part of the page, so that they follow its dark mode. */
function inlinePictures(md: MarkdownRenderer): void {
  const { image } = md.renderer.rules
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const source = tokens[index]?.attrGet('src') ?? ''
    const name = /pictures\/([\w-]+)\.svg$/.exec(decodeURI(source))?.[1]
    if (name === undefined) return image?.(tokens, index, options, env, self) ?? ''
    const text = readFileSync(join(docs, 'pictures', `${name}.svg`), 'utf8')
    // One that moves keeps its rules.
    if (text.includes('@keyframes')) return image?.(tokens, index, options, env, self) ?? ''
    const shape = text.replace(/<style>.*?<\/style>/s, '').replaceAll('#head', `#head-${name}`)
    return shape
      .replace('id="head"', `id="head-${name}"`)
      .replace('<svg ', '<svg v-pre class="picture" ')
      .replaceAll(/\n\s*/g, '')
  }
}

/** A head of a table without words is no head. */
function emptyHeads(md: MarkdownRenderer): void {
  md.core.ruler.push('empty-heads', ({ tokens }) => {
    for (const [index, { type }] of tokens.entries()) {
      if (type !== 'th_open' || tokens[index + 1]?.content !== '') continue
      for (const token of [tokens[index], tokens[index + 2]]) if (token) token.tag = 'td'
    }
  })
}

/** Links to examples lead to their pages, those of the changelog to pages. What is not on the site is text. */
function leadLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('lead-links', ({ tokens }) => {
    for (const { children } of tokens) {
      let isOpen = false
      for (const child of children ?? []) {
        const href = child.attrGet('href')?.replace(/^docs\//, '')
        if (href !== undefined) child.attrSet('href', href)
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

export default defineConfig({
  title: 'Espalier',
  description,
  lang: 'en',
  base,
  // Some pages name the address of a server that a reader starts.
  ignoreDeadLinks: [/^\.\/examples\//, /^http:\/\/localhost/],
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}logo.svg` }]],
  // What each page is about comes with that page alone, and no page is loaded before a reader asks for it.
  metaChunk: true,
  router: { prefetchLinks: false },
  // To look for unused code in pages takes a fifth of the build, and saves 3 KB.
  vite: { build: { rollupOptions: { treeshake: false } } },
  srcExclude: ['README.md', 'decisions/**'],
  markdown: {
    theme: { light, dark },
    codeTransformers: [twoslash],
    config(md) {
      showTypes(md)
      inlinePictures(md)
      leadLinks(md)
      emptyHeads(md)
    },
  },
  transformPageData(page) {
    const row = rowOf(page.relativePath.replace(/\.md$/, ''))
    const title = page.params?.['title']
    const about = row?.about.replace(/^./, (first) => first.toUpperCase())
    return { ...(about && { description: about }), ...(title && { title }) }
  },
  transformHead: describe,
  buildEnd({ outDir }) {
    checkNames()
    writeForModels(outDir, address ?? '/', description)
  },
  themeConfig: {
    logo: '/logo.svg',
    nav,
    sidebar,
    outline: [2, 3],
    search,
  },
})
