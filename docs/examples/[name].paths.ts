// A page for each example: a file, or a folder with its README and its files.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { anchorOf } from '../.vitepress/blocks.ts'
import { parts } from '../.vitepress/pages.ts'

const examples = resolve(import.meta.dirname, '..', '..', 'examples')

/** The languages of what an example has, by the ending of a file. Other files are not shown. */
const languages: Partial<Record<string, string>> = {
  ts: 'typescript',
  mjs: 'js',
  json: 'json',
  yml: 'yaml',
  sql: 'sql',
  html: 'html',
  css: 'css',
  conf: 'nginx',
  service: 'ini',
  Dockerfile: 'dockerfile',
}
const installed = /(^|\/)(node_modules|dist|data|package-lock\.json)(\/|$)/

/** A file as a block of code, or nothing if it is in none of the languages. */
function blockOf(path: string): string {
  const language = languages[path.split(/[./]/).at(-1) ?? '']
  if (language === undefined) return ''
  return `\`\`\`${language}\n${readFileSync(path, 'utf8').replaceAll('\r', '').trimEnd()}\n\`\`\`\n`
}

/** The README of an example without its title. Its links lead to files of the folder: here they are text. The site has its
 *  pictures at the top. */
function introductionOf(folder: string, files: readonly string[]): string {
  if (!files.includes('README.md')) return ''
  const text = readFileSync(join(folder, 'README.md'), 'utf8').replaceAll('\r', '')
  return text
    .replace(/^# .*\n/, '')
    .replaceAll(/^```ts$/gm, '```typescript')
    .replaceAll('](../../docs/public/', '](/')
    .replaceAll(/(?<!!)\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')
}

const paramsOf = (name: string, title = name) => ({ name, title })

function pageOf(name: string) {
  const path = join(examples, name)
  if (statSync(path).isFile()) {
    const run = `\`\`\`sh\nnpm run build && npx tsx examples/${name}\n\`\`\``
    return { params: paramsOf(name.slice(0, -3)), content: `${run}\n\n${blockOf(path)}` }
  }
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !installed.test(file) && statSync(join(path, file)).isFile())
    .sort()
  const shown = files
    .map((file) => ({ file, block: blockOf(join(path, file)) }))
    .filter(({ block }) => block !== '')
    .map(({ file, block }) => `## ${file} {#${anchorOf(file)}}\n\n${block}`)
  return {
    params: paramsOf(name),
    content: [introductionOf(path, files), `In \`examples/${name}\`:`, ...shown].join('\n\n'),
  }
}

/** The list of all examples. */
function listPage() {
  const rows = parts.find(({ title }) => title === 'Examples')?.rows ?? []
  const lines = rows.map(
    ({ title, page, about }) => `| [${title}](/${page}) | ${about.replaceAll('<', '&lt;')} |`,
  )
  return {
    params: paramsOf('index', 'Examples'),
    content: ['| Example | |', '|---|---|', ...lines].join('\n'),
  }
}

export default {
  paths: () => [
    listPage(),
    ...readdirSync(examples)
      .filter((name) => statSync(join(examples, name)).isDirectory() || /^\d\d-.*\.ts$/.test(name))
      .map(pageOf),
  ],
}
