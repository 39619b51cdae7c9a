// The pages in front: the files that `npm run build:page` puts into `dist/page`.
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { plugin } from 'espalier'

const folder = join(import.meta.dirname, '../dist/page')

const types: Partial<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
}

/** Each file has a URL: `index.html` is `/`, `people.html` is `/people`, and `page.js` is `/page.js`. */
export const page = plugin()(async (app) => {
  for (const name of await readdir(folder)) {
    const type = types[extname(name)]
    if (type === undefined) continue // a map of sources
    const file = await readFile(join(folder, name))
    const url = `/${name.replace(/(^index)?\.html$/, '')}`
    app.get(url, { schema: { hide: true } }, (_, reply) => reply.type(type).send(file))
  }
})
