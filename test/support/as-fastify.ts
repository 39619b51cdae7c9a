import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const project = resolve(import.meta.dirname, '../..')

/** The public door of this package as it is where it was installed under the name `fastify`. */
export async function asFastify(): Promise<typeof import('../../src/index.ts')> {
  const modules = join(mkdtempSync(join(tmpdir(), 'as-fastify-')), 'node_modules')
  process.on('exit', () => {
    rmSync(dirname(modules), { recursive: true, force: true })
  })
  mkdirSync(modules)
  for (const name of readdirSync(join(project, 'node_modules'))) {
    if (name !== 'fastify') symlinkSync(join(project, 'node_modules', name), join(modules, name))
  }
  const own = join(modules, 'fastify')
  cpSync(join(project, 'src'), join(own, 'src'), { recursive: true })
  cpSync(join(project, 'package.json'), join(own, 'package.json'))
  const door = pathToFileURL(join(own, 'src/index.ts')).href
  return (await import(door)) as typeof import('../../src/index.ts')
}
