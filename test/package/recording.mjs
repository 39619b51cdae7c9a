// Records the first two minutes with the packed packages, and draws them: docs/pictures/first-minutes.svg. Everything that
// it shows was run. `npm run docs:recording`, after a build.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { environment, npm, pack, run } from '../support/run.mjs'
import { drawTerminal } from '../support/terminal-picture.mjs'

const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-recording-'))
const path = join(scratch, 'hello')
const steps = []

/** Runs a command in a shell, in the folder of the application, and records what it prints. */
async function shell(type, note, env = {}) {
  const child = spawn(type, {
    ...{ cwd: path, shell: true, env: environment({ NO_COLOR: '1', ...env }), timeout: 120_000 },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let print = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (print += text))
  }
  await once(child, 'close')
  steps.push({ note, type, print })
  return print
}

function expect(text, pattern) {
  if (!pattern.test(text)) throw new Error(`this was to print ${pattern}:\n${text}`)
}

/** Starts `npm run dev`, records what it prints until it listens, and gives its process. */
async function develop(note) {
  const child = spawn([...npm, 'run', 'dev'].join(' '), {
    ...{
      cwd: path,
      shell: true,
      detached: true,
      env: environment({ NO_COLOR: '1', PORT: '3000' }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let print = ''
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    print += chunk
    if (/http:\/\/localhost:3000\n/.test(print)) break
  }
  const shown = print.split('\n').filter((line) => !line.startsWith('>'))
  steps.push({ note, type: 'npm run dev &', print: shown.join('\n').trim() })
  return child
}

try {
  const [espalier, creator] = await Promise.all(
    [root, join(root, 'dist-create')].map((folder) => pack(folder, scratch)),
  )
  const make = ['exec', '--yes', `--package=${creator.tarball}`, '--', 'create-espalier', 'hello']
  const agent = { npm_config_user_agent: 'npm/11.0.0' }
  const said = await run([...npm, ...make], scratch, agent)
  steps.push({ note: 'Make an application', type: 'npm create espalier@latest hello', print: said })
  const manifest = join(path, 'package.json')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.replace(/("espalier": )"[^"]*"/, `$1"${espalier.tarball}"`))
  await run([...npm, 'install', '--prefer-offline', '--no-audit', '--no-fund'], path)
  steps.push({ type: 'cd hello && npm install' })

  await shell("sed -n '/\\/hello/,$p' src/app.ts | head -n 10", 'A route: its schema, its handler')
  await shell(
    "sed -i 's/({ greeting:/({ text:/' src/app.ts",
    'A mistake: the reply has another field',
  )
  const mistake = await shell('npx tsc --pretty false | tail -n 1')
  expect(mistake, /The returned object lacks 'greeting'/)
  await shell("sed -i 's/({ text:/({ greeting:/' src/app.ts && npx tsc && echo fine", 'The fix')
  const server = await develop('Run it')
  try {
    expect(await shell("curl -s 'localhost:3000/hello?name=Ada'", 'A request'), /Hello, Ada/)
    const refused = await shell(
      "curl -s 'localhost:3000/hello?nmae=Ada'",
      'A request that does not fit',
    )
    expect(refused, /must NOT have the field 'nmae'/)
  } finally {
    process.kill(-server.pid)
  }
  const document = await shell(
    'npx espalier openapi emit src/app.ts | grep -A 16 /hello',
    'Its OpenAPI document',
  )
  expect(document, /"maxLength": 40/)
  const title =
    'The first two minutes: create, a mistake, its message, the fix, requests, the document'
  writeFileSync(join(root, 'docs/pictures/first-minutes.svg'), drawTerminal(steps, title))
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
}
