// README.md says where each package is tested. What it says must be so, and no package may be missing.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'

const read = (path: string): string => readFileSync(resolve(import.meta.dirname, path), 'utf8')
const rows = [...read('README.md').matchAll(/^\| (\S+) \| `(\S+)` \| \[\S+\]\((\S+)\) \|/gm)].map(
  ([, name = '', version = '', file = '']) => ({ name, version, file }),
)
const official =
  'accepts ajv-compiler auth autoload basic-auth bearer-auth compress cookie cors csrf-protection etag ' +
  'fast-json-stringify-compiler formbody helmet http-proxy jwt middie multipart rate-limit reply-from ' +
  'request-context secure-session sensible session static swagger swagger-ui under-pressure url-data view websocket'
const others = ['@scalar/fastify-api-reference', 'fastify-plugin']
const ofAjv = ['ajv-errors', 'ajv-i18n', 'ajv-keywords', 'ajv-merge-patch']

test('each package of the ecosystem that is supported is in the table', () => {
  const packages = [...official.split(' ').map((name) => `@fastify/${name}`), ...others, ...ofAjv]
  assert.deepEqual(rows.map(({ name }) => name).sort(), packages.sort())
})

test('each is a development dependency, in the version that the table says', () => {
  const { devDependencies } = JSON.parse(read('../../package.json')) as {
    devDependencies: Record<string, string>
  }
  for (const { name, version } of rows) assert.equal(devDependencies[name], version, name)
})

test('each is imported, and named by a test, in the file that the table says', () => {
  for (const { name, file } of rows) {
    const text = read(file)
    assert.ok(text.includes(`from '${name}'`), `${file} does not import ${name}`)
    const hasTest = new RegExp(`test\\([\`'"]${name}\\b`).test(text)
    assert.ok(hasTest, `${file} has no test of ${name}`)
  }
})
