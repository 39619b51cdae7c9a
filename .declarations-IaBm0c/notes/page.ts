// The page in front: three files, which `npm run build:page` puts into `dist/page`.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plugin } from 'espalier'

const folder = join(import.meta.dirname, '../dist/page')

const html = { hide: true, response: { 200: { content: { 'text/html': {} } } } }
const css = { hide: true, response: { 200: { content: { 'text/css': {} } } } }
const script = { hide: true, response: { 200: { content: { 'text/javascript': {} } } } }

export const page = plugin()(async (app) => {
  const [index, style, code] = await Promise.all([
    readFile(join(folder, 'index.html')),
    readFile(join(folder, 'style.css')),
    readFile(join(folder, 'page.js')),
  ])
  return app
    .get('/', { schema: html }, () => index)
    .get('/style.css', { schema: css }, () => style)
    .get('/page.js', { schema: script }, () => code)
})
