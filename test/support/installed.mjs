// Runs tests with the installed package in place of the source:
//   INSTALLED=<folder>/node_modules/espalier node --import tsx --import ./test/support/installed.mjs test/run.ts …
// A test imports entry points (`../../src/index.ts`), and these lead to the files that the package has for them.
import { existsSync } from 'node:fs'
import { register } from 'node:module'
import { join, resolve as resolvePath } from 'node:path'
import { pathToFileURL } from 'node:url'

const source = pathToFileURL(join(import.meta.dirname, '../../src/')).href
const installed = pathToFileURL(`${resolvePath(process.env.INSTALLED)}/dist/`)

/** Leads an import of an entry point to the installed file. */
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  if (!found.url.startsWith(source)) return found
  const [file] = found.url.slice(source.length).split('?')
  const url = new URL(file.replace(/\.ts$/, '.js'), installed)
  if (!existsSync(url))
    throw new Error(`${context.parentURL} imports ${file}, which is no entry point`)
  return { url: url.href, format: 'module', shortCircuit: true }
}

// The thread of the hooks loads this file too.
if (!import.meta.url.includes('?hooks')) register(`${import.meta.url}?hooks`)
