// The process of a worker: `node workerd.mjs <folder of miniflare> <bundle> <peer> <what it is started with>`.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { serve } from './serving.mjs'

const [folder, scriptPath] = process.argv.slice(2)
const { Miniflare } = createRequire(join(folder, 'package.json'))('miniflare')
await serve(async () => {
  const worker = new Miniflare({
    // The module is named, since miniflare otherwise looks for others by a parser in JavaScript, which takes seconds.
    ...{ modules: [{ type: 'ESModule', path: scriptPath }], modulesRoot: dirname(scriptPath) },
    ...{ host: '127.0.0.1', port: 0 },
    ...{ compatibilityDate: '2026-04-01', compatibilityFlags: ['nodejs_compat'] },
  })
  process.on('disconnect', () => worker.dispose())
  return Number((await worker.ready).port)
}, {})
