// The index of the documentation, docs/README.md, is the order of the pages, and says what each is about.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const docs = resolve(import.meta.dirname, '..')

export interface Row {
  readonly title: string
  /** The page, as `quick-start` or `examples/notes`. */
  readonly page: string
  /** What it is about, without marks of Markdown. */
  readonly about: string
}
export interface Part {
  readonly title: string
  readonly rows: readonly Row[]
}

const row = /^\| \[([^\]]+)\]\((?:\.\.\/)?(examples\/[\w-]+|[\w-]+)(?:\.|\/)[^)]*\) \| (.*) \|$/gm

/** Its tables: each is a part of the documentation. */
export const parts: readonly Part[] = [
  ...readFileSync(join(docs, 'README.md'), 'utf8')
    .replaceAll('\r', '')
    .matchAll(/^\| ([\w ]+) \| \|\n\|---\|---\|\n((?:\|.*\n)+)/gm),
].map(([, title = '', rows = '']) => ({
  title,
  rows: [...rows.matchAll(row)].map(([, text = '', page = '', about = '']) => ({
    title: text,
    page,
    about: about.replaceAll(/`|\[([^\]]+)\]\([^)]*\)/g, '$1'),
  })),
}))

export const rowOf = (page: string) =>
  parts.flatMap(({ rows }) => rows).find((each) => each.page === page)
