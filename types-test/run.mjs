// Runs tsd over `types-test/*.test-d.ts`, against the built declarations, and says how many claims were checked.
// `node types-test/run.mjs [name…]`. Ends with a plain line `N passed, N failed`; without a claim it fails.
import '../test/support/built.mjs'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import tsd from 'tsd'

const root = resolve(import.meta.dirname, '..')
const wanted = process.argv.slice(2)
const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test-d.ts'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))

const claim =
  /\bexpect(Type|NotType|Assignable|NotAssignable|Error|Deprecated|NotDeprecated|Never|Docs\w*)\b[(<]/g
const claimsOf = (name) =>
  readFileSync(join(import.meta.dirname, name), 'utf8').match(claim)?.length ?? 0

const found =
  files.length > 0
    ? await tsd.default({ cwd: root, testFiles: files.map((name) => `types-test/${name}`) })
    : []
const errors = found.filter(({ severity }) => severity === 'error')
for (const { fileName, line, column, message } of found) {
  console.log(`${relative(root, fileName)}:${line}:${column} ${message}`)
}

const claims = files.reduce((sum, name) => sum + claimsOf(name), 0)
const failed = errors.length
for (const name of files) {
  const bad = errors.filter(({ fileName }) => fileName.endsWith(name)).length
  console.log(`${bad === 0 ? '✔' : '✖'} ${name}: ${claimsOf(name)} claims, ${bad} errors`)
}
console.log(`${files.length} files`)
if (claims === 0) console.error('no claim was checked')
console.log(`${Math.max(0, claims - failed)} passed, ${failed} failed`)
process.exitCode = claims > 0 && failed === 0 ? 0 : 1
