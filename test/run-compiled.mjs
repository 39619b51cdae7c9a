// Runs tests with schemas that were compiled ahead of time, in processes that make no code from strings:
// `node test/run-compiled.mjs [choice…]`. The same tests run before, to find out which schemas there are.
//
// Left out are tests of what only the running server can compile: functions of the application (plugins and keywords of
// ajv, `$async`, JSON Type Definition), and schemas that are refused.
import { spawnSync } from 'node:child_process'

const choices = process.argv.slice(2)
const usual = [
  ...[
    'transforms',
    'encoded-unions',
    'decoded-defaults',
    'big-integers',
    'alternatives',
    'references.test',
    'typebox-1',
  ],
  ...[
    'request-validation',
    'response-serialization',
    'standard-schema',
    'exact-replies',
    'exact-numbers',
    'reply-places',
    'other-fields',
  ],
  ...['header-names', 'inherited-names', 'constraints', 'router-options', 'prefixes'],
  ...['routes.test', 'not-found', 'scope-responses', 'streamed-items'],
].map((name) => `test/behaviour/${name}`)
const files = choices.length > 0 ? choices : usual

const run = (mode, ...flags) => {
  const preloads = ['--import', 'tsx', '--import', './test/support/compiled.mjs']
  const stdio = mode === 'write' ? ['ignore', 'ignore', 'inherit'] : 'inherit'
  const env = { ...process.env, COMPILED: mode }
  const args = [...flags, ...preloads, 'test/run.ts', '--together=10', ...files]
  return spawnSync(process.execPath, args, { stdio, env }).status
}

if (run('write') !== 0) throw new Error('the tests fail without compiled schemas')
process.exitCode = run('use', '--disallow-code-generation-from-strings') ?? 1
