// Files for language models, which read pages as text: https://llmstxt.org.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { docs, parts } from './pages.ts'

/** Writes `llms.txt`, which lists the pages, `llms-full.txt`, which has them, and each page as Markdown. */
export function writeForModels(folder: string, site: string, about: string): void {
  const shown = parts.filter(({ title }) => title !== 'Examples')
  const lists = shown.map(({ title, rows }) => {
    const links = rows.map((row) => `- [${row.title}](${site}${row.page}.md): ${row.about}`)
    return `## ${title}\n\n${links.join('\n')}\n`
  })
  const head = `# Espalier\n\n> ${about}\n\n`
  writeFileSync(join(folder, 'llms.txt'), head + lists.join('\n'))
  const pages = shown.flatMap(({ rows }) => rows.map(({ page }) => page))
  const texts = pages.map((page) => {
    const text = readFileSync(join(docs, `${page}.md`), 'utf8').replaceAll('\r', '')
    writeFileSync(join(folder, `${page}.md`), text)
    return text.trim()
  })
  writeFileSync(join(folder, 'llms-full.txt'), `${head}${texts.join('\n\n---\n\n')}\n`)
}
