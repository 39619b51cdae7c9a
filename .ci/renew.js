// Renews what is pinned, after a build: `npm run renew`, or one kind of it, `npm run renew -- messages`. Only after a
// change that is meant: read the difference before you commit it.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const tests = ['test/run.ts']
/** The kinds, each with the program that writes it. Tests write what they compare with where `RENEW` is set. */
const kinds = {
  api: [...tests, 'test/docs-reference'],
  messages: [...tests, 'test/dist-messages'],
  hovers: [...tests, 'test/dist-hover'],
  budget: ['bench/types/run.ts', '--renew'],
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in kinds))
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: what is pinned is ${Object.keys(kinds).join(', ')}`)
  process.exit(1)
}
const options = {
  cwd: resolve(import.meta.dirname, '..'),
  stdio: 'inherit',
  env: { ...process.env, RENEW: '1' },
}
const failed = []
for (const name of wanted.length > 0 ? wanted : Object.keys(kinds)) {
  console.log(`\n=== ${name}`)
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', ...kinds[name]], options)
  if (status !== 0) failed.push(name)
}
if (failed.length > 0) console.error(`not renewed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
