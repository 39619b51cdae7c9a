import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '../..')

/** Puts the built package into a folder of packages, and beside it the one that stands for Fastify, under the
 *  name `fastify`, as `npm i espalier fastify@npm:espalier-fastify` does. */
export function placeBuilt(modules: string): void {
  for (const part of ['dist', 'package.json']) {
    cpSync(join(project, part), join(modules, 'espalier', part), { recursive: true })
  }
  cpSync(join(project, 'dist-fastify'), join(modules, 'fastify'), { recursive: true })
}
