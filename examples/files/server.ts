// Serves the page and what it calls: `npm run build && node --import tsx examples/files/server.ts`
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { buildApp } from './app.ts'
import { Disk } from './disk.ts'

/** Makes the server of the page. @param capacity the most bytes that its files may have */
export async function createServer(capacity: number) {
  const sessions = new Map<string, string>()
  const disk = new Disk(capacity)
  const page = readFileSync(join(import.meta.dirname, 'index.html'), 'utf8')
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'page.ts')],
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: '/',
    write: false,
  })
  const scripts = new Map(outputFiles.map(({ path, text }) => [path, text]))
  const app = buildApp(disk, sessions)
    .get('/', (_request, reply) => reply.type('text/html').send(page))
    .get('/*', ({ url }, reply) => {
      const script = scripts.get(url)
      return script === undefined
        ? reply.callNotFound()
        : reply.type('text/javascript').send(script)
    })
  return { app, disk, sessions }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { app } = await createServer(10_000_000)
  console.log(await app.listen({ port: Number(process.env['PORT'] ?? 3000) }))
}
