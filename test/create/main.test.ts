// create-espalier as a child process, in folders of its own. Nothing is installed: `npm run check:create` does that.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { version } from '../../src/version.ts'
import '../support/built.mjs'
import { folderOf } from '../support/files.ts'

const root = resolve(import.meta.dirname, '../..')
const { npm_config_user_agent: _1, npm_config_template: _2, ...environment } = process.env

/** Runs a built program, which starts fastest, until it ends. */
function runBuilt(file: string, cwd: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const command = [join(root, file), ...args]
  const options = { cwd, env: { ...environment, ...env }, timeout: 60_000 }
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const child = execFile(process.execPath, command, options, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdin?.end()
  })
}

const create = (cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runBuilt('dist-create/create/main.js', cwd, args, env)

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** What a failure left: the names in the folder that it ran in. */
const left = (cwd: string) => readdirSync(cwd).sort()

async function refuses(
  context: TestContext,
  { files = {}, args }: { files?: Record<string, string>; args: string[] },
  ...said: RegExp[]
) {
  const cwd = folderOf(context, files)
  const before = left(cwd)
  const { code, stdout, stderr } = await create(cwd, args)
  for (const each of said) assert.match(stderr, each)
  assert.deepEqual([code, stdout], [2, ''])
  assert.deepEqual(left(cwd), before)
}

describe('an application', () => {
  test('is minimal by default, and has its name and the version of this package', async (context) => {
    const cwd = folderOf(context, {})
    const { code, stdout, stderr } = await create(cwd, ['my-app'])
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /my-app is made from the template 'minimal'/)
    const folder = join(cwd, 'my-app')
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    assert.equal(manifest.name, 'my-app')
    assert.equal(manifest.dependencies.espalier, `^${version}`)
    assert.match(readFileSync(join(folder, 'README.md'), 'utf8'), /^# my-app$/m)
    assert.match(readFileSync(join(folder, '.gitignore'), 'utf8'), /^node_modules$/m)
    assert.deepEqual(left(cwd), ['my-app'])
  })

  for (const template of ['minimal', 'service', 'react', 'worker']) {
    test(`of the template ${template} is whole`, async (context) => {
      const cwd = folderOf(context, {})
      await create(cwd, ['shop', '--template', template])
      const files = filesOf(join(cwd, 'shop'))
      const source = filesOf(join(root, 'src/create/templates', template))
      // One is for pnpm only.
      assert.equal(files.length, source.length - 1)
      assert.deepEqual(
        files.filter((path) => basename(path).startsWith('_')),
        [],
      )
      for (const path of files) {
        const text = readFileSync(path, 'utf8')
        assert.doesNotMatch(text, /app-name|\^0\.0\.0/, path)
      }
    })
  }

  test('of the template service has what stands in hidden folders', async (context) => {
    const cwd = folderOf(context, {})
    await create(cwd, ['shop', '-t', 'service'])
    for (const path of ['.github/workflows/check.yml', '.env.example', '.dockerignore']) {
      assert.ok(existsSync(join(cwd, 'shop', path)), path)
    }
  })

  test('is called espalier-app where nobody can be asked', async (context) => {
    const cwd = folderOf(context, {})
    assert.equal((await create(cwd, [])).code, 0)
    assert.deepEqual(left(cwd), ['espalier-app'])
  })

  test('is made in folders that are missing', async (context) => {
    const cwd = folderOf(context, {})
    const { stdout } = await create(cwd, ['a/b/shop'])
    assert.match(stdout, /cd a.b.shop\n/)
    assert.deepEqual(left(join(cwd, 'a/b')), ['shop'])
  })

  test('is made in the current folder if it is empty but for a repository', async (context) => {
    const parent = folderOf(context, { 'shop/.git/HEAD': 'ref: refs/heads/main\n' })
    const cwd = join(parent, 'shop')
    const before = statSync(cwd).ino
    const { code, stdout } = await create(cwd, ['.'])
    assert.equal(code, 0)
    assert.doesNotMatch(stdout, /\bcd\b/)
    assert.equal(statSync(cwd).ino, before)
    assert.equal(JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')).name, 'shop')
    assert.deepEqual(
      left(cwd).filter((name) => name.startsWith('.create')),
      [],
    )
    assert.deepEqual(left(parent), ['shop'])
  })

  test('has the permissions of other folders', async (context) => {
    const cwd = folderOf(context, {})
    mkdirSync(join(cwd, 'other'))
    await create(cwd, ['shop'])
    assert.equal(statSync(join(cwd, 'shop')).mode, statSync(join(cwd, 'other')).mode)
  })

  test('takes the template that npm took for an option of its own', async (context) => {
    const cwd = folderOf(context, {})
    const { stdout } = await create(cwd, ['shop'], { npm_config_template: 'service' })
    assert.match(stdout, /the template 'service'/)
  })
})

describe('the next commands are those of the package manager', () => {
  const managers = {
    'npm/11.0.0 node/v24.0.0': ['npm install', 'npm run dev', 'npm test'],
    'pnpm/10.0.0 npm/? node/v24.0.0': ['pnpm install', 'pnpm run dev', 'pnpm test'],
    'yarn/4.0.0 npm/? node/v24.0.0': ['yarn install', 'yarn run dev', 'yarn test'],
    'bun/1.2.0 npm/? node/v24.0.0': ['bun install', 'bun run dev', 'bun run test'],
    'other/1.0.0': ['npm install', 'npm run dev', 'npm test'],
  }
  for (const [agent, commands] of Object.entries(managers)) {
    test(agent, async (context) => {
      const cwd = folderOf(context, {})
      const { stdout } = await create(cwd, ['shop'], { npm_config_user_agent: agent })
      const said = stdout
        .split('\n')
        .flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []))
      assert.deepEqual(said, ['cd shop', ...commands])
      const readme = readFileSync(join(cwd, 'shop/README.md'), 'utf8')
      for (const command of commands) assert.ok(readme.includes(`\`${command}\``), command)
      const isPnpm = agent.startsWith('pnpm')
      assert.equal(existsSync(join(cwd, 'shop/pnpm-workspace.yaml')), isPnpm)
    })
  }
})

describe('it refuses, names what is wrong and leaves nothing', () => {
  test('a folder that is not empty', (context) =>
    refuses(
      context,
      { files: { 'shop/notes.txt': '' }, args: ['shop'] },
      /The folder 'shop' is not empty: notes\.txt\n/,
      /Name a folder that is new or empty/,
    ))
  test('a file', (context) =>
    refuses(context, { files: { shop: '' }, args: ['shop'] }, /'shop' is a file/))
  for (const [name, example] of [
    ['My Shop', 'my-shop'],
    ['_shop', 'shop'],
    ['.shop', 'shop'],
    ['node_modules', 'my-app'],
    ['日本', 'my-app'],
  ] as const) {
    test(`the name ${name}`, (context) =>
      refuses(
        context,
        { args: [name] },
        new RegExp(`'${name}' is no name`),
        RegExp(`'${example}'`),
      ))
  }
  test('an unknown template', (context) =>
    refuses(
      context,
      { args: ['shop', '--template', 'servce'] },
      /There is no template 'servce'/,
      /Did you mean 'service'\?/,
    ))
  test('an unknown option', (context) =>
    refuses(
      context,
      { args: ['shop', '--templat', 'service'] },
      /'--templat'/,
      /Did you mean '--template'\?/,
    ))
  test('two folders', (context) =>
    refuses(context, { args: ['a', 'b'] }, /more than one folder: 'a', 'b'/))
  test('what the file system refuses', (context) =>
    refuses(context, { files: { shop: '' }, args: ['shop/app'] }, /create-espalier: E[A-Z]+/))
})

test('help has all options and templates, and the version is that of the package', async (context) => {
  const cwd = folderOf(context, {})
  const { code, stdout } = await create(cwd, ['--help'])
  assert.equal(code, 0)
  for (const word of ['--template', '--yes', '--version', 'minimal', 'service']) {
    assert.ok(stdout.includes(word), word)
  }
  assert.equal((await create(cwd, ['--version'])).stdout, `${version}\n`)
  assert.deepEqual(left(cwd), [])
})

describe('espalier new', () => {
  const espalier = (cwd: string, args: string[]) => runBuilt('dist/cli/main.js', cwd, args, {})

  test('makes the same', async (context) => {
    const cwd = folderOf(context, {})
    const { code, stdout } = await espalier(cwd, ['new', 'shop', '--template', 'service'])
    assert.equal(code, 0)
    assert.match(stdout, /shop is made from the template 'service'/)
    assert.deepEqual(left(cwd), ['shop'])
  })
  test('needs no folder', async (context) => {
    const cwd = folderOf(context, {})
    assert.equal((await espalier(cwd, ['new', '--yes'])).code, 0)
    assert.deepEqual(left(cwd), ['espalier-app'])
  })
  test('refuses the same', async (context) => {
    const cwd = folderOf(context, { 'shop/notes.txt': '' })
    const { code, stderr } = await espalier(cwd, ['new', 'shop'])
    assert.equal(code, 2)
    assert.match(stderr, /The folder 'shop' is not empty: notes\.txt/)
    const more = await espalier(cwd, ['new', 'a', 'b'])
    assert.equal(more.code, 2)
    assert.match(more.stderr, /'new' takes \[FOLDER\], and got 2 arguments/)
  })
})
