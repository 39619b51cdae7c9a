// Makes servers compile all schemas at boot, unless they say otherwise:
// `node --import tsx --import ./test/support/eager.mjs test/run.ts …`
import { register } from 'node:module'

const choice = /compile: ?["']lazy["']/

/** The text of a module, which tsx has transformed. */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context)
  if (!url.split('?')[0].endsWith('/src/server/options.ts')) return loaded
  const source = String(loaded.source)
  if (!choice.test(source)) throw new Error(`no default of the option 'compile' in ${url}`)
  return { ...loaded, source: source.replace(choice, "compile: 'eager'") }
}

// The thread of the hooks loads this file too.
if (!import.meta.url.includes('?hooks')) register(`${import.meta.url}?hooks`)
