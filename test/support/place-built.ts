import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '../..')

/** Puts the built package into a folder of packages, as `npm i espalier` does. */
export function placeEspalier(modules: string): void {
  for (const part of ['dist', 'package.json']) {
    cpSync(join(project, part), join(modules, 'espalier', part), { recursive: true })
  }
}

/** The same, and beside it the package that stands for Fastify, under the name `fastify`, as
 *  `npm i espalier fastify@npm:espalier-fastify` does. */
export function placeBuilt(modules: string): void {
  placeEspalier(modules)
  cpSync(join(project, 'dist-fastify'), join(modules, 'fastify'), { recursive: true })
}
