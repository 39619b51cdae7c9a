import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { withApplication } from '../../src/cli/application.ts'
import { UsageError } from '../../src/errors/usage-error.ts'
import { folderOf } from '../support/files.ts'

const factory = pathToFileURL(resolve(import.meta.dirname, '../../src/index.ts')).href
const imports = `import espalier, { fastify } from '${factory}'\n`

const forms = {
  'a default export': `const app = espalier(); app.get('/found', () => 'ok'); export default app`,
  'a promise of one': `const make = async () => { const app = fastify(); app.get('/found', () => 'ok'); return app }
    export default make()`,
  'an export named app': `export const app = fastify(); app.get('/found', () => 'ok')`,
  'a property of the default export, as CommonJS has it': `const server = espalier(); server.get('/found', () => 'ok'); export default { server }`,
  'what a default function makes': `export default () => { const app = espalier(); app.get('/found', () => 'ok'); return app }`,
  'what build makes, later': `export const build = async () => { const app = espalier(); app.get('/found', () => 'ok'); return app }`,
  'what createApp makes of no options': `export const createApp = ({ path = '/found' }) => espalier().get(path, () => 'ok')`,
}

describe('an application is', () => {
  for (const [name, source] of Object.entries(forms)) {
    test(name, async (context) => {
      const folder = folderOf(context, { 'app.mts': imports + source })
      const urls = await withApplication(join(folder, 'app.mts'), ({ host }) =>
        host.routes.registrations().map(({ url }) => url),
      )
      assert.deepEqual(urls, ['/found'])
    })
  }
})

const mistakes = {
  'that listens when it is imported': [
    `const app = espalier(); app.listen({ port: 0 }); export default app`,
    /listens as soon as it is imported$/,
    /^Export a function that makes the server, `buildApp`/,
  ],
  'that waits until it listens': [
    `await fastify().listen({ port: 0 })`,
    /listens as soon as it is imported$/,
    /^Export a function/,
  ],
  'that exports something else': [
    `export const routes = []; export default async (app) => {}`,
    /exports no server: it exports default, routes$/,
    /^Export a server as the default export/,
  ],
  'that exports nothing': [`espalier()`, /exports no server: it exports nothing$/, /^Export a/],
  'whose module throws': [
    `\nthrow new Error('told')`,
    /does not load: told\n {2}at \S+app\.mts:3/,
    /--stack/,
  ],
  'whose function throws': [
    `export function build() {\n  throw new Error('no DATABASE_URL')\n}`,
    /app\.mts: build\(\)' does not load: no DATABASE_URL\n {2}at \S+app\.mts:3/,
    /--stack/,
  ],
  'in TypeScript that nothing reads': [
    `throw new TypeError('Unknown file extension ".ts" for /app.ts')`,
    /'\/app\.ts' is TypeScript, which Node v\S+ does not read$/,
    /^Run: npm install --save-dev tsx\./,
  ],
  'that does not boot': [
    `export const app = espalier(); app.get('/', { schema: { params: { type: 'strin' } } }, () => 'ok')`,
    /does not boot: .*GET \/ in root/,
    /--stack/,
  ],
  'of another package': [
    `export const app = { inject() {}, addHook() {}, register() {} }`,
    /was made by Fastify, or by another copy of espalier/,
    /npx espalier/,
  ],
  'of another package, made by a function': [
    `export const build = () => ({ inject() {}, addHook() {}, register() {} })`,
    /was made by Fastify/,
    /npx espalier/,
  ],
} as const

describe('an application is refused, with a remedy,', () => {
  for (const [name, [source, message, remedy]] of Object.entries(mistakes)) {
    test(name, async (context) => {
      const folder = folderOf(context, { 'app.mts': imports + source })
      await assert.rejects(
        withApplication(join(folder, 'app.mts'), () => undefined),
        (error: unknown) => {
          assert.ok(error instanceof UsageError)
          assert.match(error.message, message)
          assert.match(error.remedy, remedy)
          return true
        },
      )
    })
  }
})

test('an application is closed, and its onReady hooks do not run', async (context) => {
  const source = `export const events = []
    export const app = espalier()
    app.addHook('onReady', () => { events.push('ready') })
    app.addHook('onClose', () => { events.push('close'); throw new Error('while closing') })`
  const path = join(folderOf(context, { 'app.mts': imports + source }), 'app.mts')
  await withApplication(path, () => undefined)
  const { events }: { events: string[] } = await import(pathToFileURL(path).href)
  assert.deepEqual(events, ['close'])
})
