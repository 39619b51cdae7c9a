// The built command line, which starts fastest, as a child process, on applications in a folder of their own.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import '../support/built.mjs'
import { folderOf } from '../support/files.ts'
import { documentOf } from './diff-cases.ts'

const root = resolve(import.meta.dirname, '../..')
const urlOf = (path: string) => pathToFileURL(join(root, path)).href
const imports = `
  import espalier, { fastify, shared, t } from '${urlOf('dist/index.js')}'
  import { openapi } from '${urlOf('dist/openapi/index.js')}'
`
const { DEBUG: _1, FORCE_COLOR: _2, NO_COLOR: _3, ...environment } = process.env

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command in a folder until it ends. */
async function espalier(cwd: string, args: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const command = ['--import', import.meta.resolve('tsx'), join(root, 'dist/cli/main.js')]
  const options = { cwd, env: { ...environment, ...env }, timeout: 60_000 }
  return new Promise((done) => {
    execFile(process.execPath, [...command, ...args.split(' ')], options, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

/** An application of users, whose timer keeps the process alive. */
const users = (name = 't.String()') => `${imports}
  console.log('noise')
  setInterval(() => undefined, 1000)
  export async function build() {
    const app = espalier()
    app.register(openapi({ info: { title: 'Users', version: '1.2.3' }, docs: false }))
    app.addSchema({ $id: 'User', type: 'object', properties: { name: { type: 'string' } } })
    app.addHook('onRequest', async function authenticate() {})
    app.addHook('onReady', () => { throw new Error('onReady ran') })
    app.register(shared(async function db() {}, { name: 'db' }))
    app.register(async function users(scope) {
      scope.addHook('preHandler', async () => {})
      scope.get('/:id', { schema: { params: t.Object({ id: t.String() }), response: { 200: t.Ref('User'), 404: t.Object({}) } } }, () => ({}))
      scope.post('/', {
        prefixTrailingSlash: 'no-slash',
        schema: { body: t.Object({ name: ${name} }), response: { 201: t.Object({}) } },
        onRequest: async function guard() {},
      }, (_, reply) => reply.code(201).send({}))
      scope.register(async function admin(inner) {
        inner.route({ method: ['PUT', 'PATCH'], url: '/all', handler: () => 'ok' })
      }, { prefix: '/admin' })
    }, { prefix: '/users' })
    return app
  }`

const folder = (context: TestContext, files: Readonly<Record<string, string>> = {}) =>
  folderOf(context, { 'app.ts': users(), 'package.json': '{"type":"module"}', ...files })

describe('routes', () => {
  test('shows the tree, without colours in a pipe and without what the application prints', async (context) => {
    const { code, stdout, stderr } = await espalier(folder(context), 'routes app.ts')
    assert.equal(code, 0, stderr)
    assert.equal(
      stdout,
      `root (with espalier/openapi, db)
├── onRequest: authenticate
├── schemas: User
├── GET /openapi.json
├── GET /openapi.yaml
└── users  /users
    ├── preHandler: anonymous
    ├── GET  /users/:id  validates params; answers 200, 404
    ├── POST /users  validates body; answers 201; onRequest: guard
    └── admin  /users/admin
        └── PUT,PATCH /users/admin/all
`,
    )
    assert.match(stderr, /noise/)
  })

  test('shows names without what a terminal would obey', async (context) => {
    const application = `${imports}
      export const app = espalier()
      app.addSchema({ $id: 'a\\u001B[31m\\n::add-mask::b' })
      app.addHook('onRequest', { '\\u009B1m': async () => {} }['\\u009B1m'])`
    const { code, stdout } = await espalier(
      folder(context, { 'app.ts': application }),
      'routes app.ts',
    )
    assert.equal(code, 0)
    assert.match(stdout, /schemas: a\\u001b\[31m\\u000a::add-mask::b/)
    assert.match(stdout, /onRequest: \\u009b1m/)
  })

  test('gives the tree as JSON', async (context) => {
    const { stdout } = await espalier(folder(context), 'routes app.ts --json')
    const { name, plugins, hooks, schemas, children } = JSON.parse(stdout)
    assert.deepEqual(
      { name, plugins, hooks, schemas },
      {
        name: 'root',
        plugins: ['espalier/openapi', 'db'],
        hooks: { onRequest: ['authenticate'] },
        schemas: ['User'],
      },
    )
    assert.deepEqual(children[0].routes[1], {
      methods: ['POST'],
      url: '/users',
      validates: ['body'],
      responses: ['201'],
      hooks: { onRequest: ['guard'] },
    })
  })

  test('has colours where they are forced', async (context) => {
    const { stdout } = await espalier(folder(context), 'routes app.ts', { FORCE_COLOR: '1' })
    assert.ok(stdout.startsWith('\u001B[1mroot\u001B[22m'))
  })
})

describe('openapi emit', () => {
  test('prints the document, and changes what the caller says', async (context) => {
    const args = 'openapi emit app.ts --version 3.0 --title Other --api-version 2'
    const { code, stdout, stderr } = await espalier(folder(context), args)
    assert.equal(code, 0, stderr)
    const { openapi, info, paths } = JSON.parse(stdout)
    assert.match(openapi, /^3\.0\./)
    assert.deepEqual(info, { title: 'Other', version: '2' })
    assert.ok(paths['/users/{id}'].get)
  })

  test('tells that a file cannot be written', async (context) => {
    const { code, stderr } = await espalier(folder(context), 'openapi emit app.ts -o none/api.json')
    assert.equal(code, 2)
    assert.match(
      stderr,
      /'none\/api\.json' cannot be written: ENOENT.*\n {2}Make its folder first$/m,
    )
  })

  test('titles a document by the package where the application registers none', async (context) => {
    const source = `${imports} export const app = espalier().get('/found', () => 'ok')`
    const cwd = folder(context, {
      'src/app.ts': source,
      'package.json': '{"type":"module","name":"shop","version":"4.5.6"}',
    })
    const { stdout } = await espalier(cwd, 'openapi emit src/app.ts --yaml')
    assert.deepEqual(parse(stdout).info, { title: 'shop', version: '4.5.6' })
  })

  test('writes YAML by the ending of the file, and checks it', async (context) => {
    const cwd = folder(context)
    const absent = await espalier(cwd, 'openapi emit app.ts -o api.yaml --check')
    assert.equal(absent.code, 1)
    assert.match(absent.stdout, /^api\.yaml does not exist\n/)
    assert.ok(!existsSync(join(cwd, 'api.yaml')))

    assert.equal(
      (await espalier(cwd, 'openapi emit app.ts -o api.yaml')).stdout,
      'api.yaml is written\n',
    )
    const text = readFileSync(join(cwd, 'api.yaml'), 'utf8')
    assert.match(text, /^openapi: 3\.1/)

    // Another layout of the same document is no difference.
    writeFileSync(join(cwd, 'api.yaml'), JSON.stringify(parse(text), null, 4))
    const same = await espalier(cwd, 'openapi emit app.ts -o api.yaml --check')
    assert.deepEqual([same.code, same.stdout], [0, 'api.yaml is up to date\n'])

    writeFileSync(join(cwd, 'app.ts'), users('t.String({ minLength: 1 })'))
    const other = await espalier(cwd, 'openapi emit app.ts -o api.yaml --check')
    assert.equal(other.code, 1)
    assert.match(
      other.stdout,
      /differs .*\n {2}Renew it: espalier openapi emit app\.ts -o api\.yaml\n/,
    )
  })
})

describe('openapi diff', () => {
  test('reads a document of git, and the module of an application', async (context) => {
    const cwd = folder(context)
    await espalier(cwd, 'openapi emit app.ts -o openapi.json')
    const git = (...args: string[]) =>
      promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd })
    await git('init', '-q')
    await git('add', 'openapi.json')
    await git('commit', '-qm', 'Add')
    writeFileSync(join(cwd, 'app.ts'), users('t.String({ minLength: 1 })'))
    const { code, stdout } = await espalier(cwd, 'openapi diff HEAD:openapi.json app.ts')
    assert.equal(code, 1)
    assert.match(
      stdout,
      /^breaking {2}POST \/users {2}body application\/json, property name: minLength 1 was added\n/,
    )

    const unknown = await espalier(cwd, 'openapi diff origin/main:openapi.json app.ts')
    assert.equal(unknown.code, 2)
    assert.match(
      unknown.stderr,
      /git does not show 'origin\/main:openapi\.json'.*\n {2}.*fetch-depth: 0/,
    )
    const absent = await espalier(cwd, 'openapi diff HEAD:api.json app.ts')
    assert.match(absent.stderr, /Commit the document there first: .* -o api\.json/)
  })

  test('below the top of a repository, reads from git by ./ and tells GitHub the path from the top', async (context) => {
    const files = { 'api/openapi.json': JSON.stringify(documentOf({})) }
    const top = folder(context, {
      ...files,
      'api/new.json': JSON.stringify({ ...documentOf({}), paths: {} }),
    })
    const git = (...args: string[]) =>
      promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
        cwd: top,
      })
    await git('init', '-q')
    await git('add', '.')
    await git('commit', '-qm', 'Add')
    const cwd = join(top, 'api')
    const absent = await espalier(cwd, 'openapi diff HEAD:openapi.json new.json')
    assert.match(absent.stderr, /\n {2}Begin the path by \.\//)
    const env = { GITHUB_WORKSPACE: top }
    const { stdout } = await espalier(
      cwd,
      'openapi diff HEAD:./openapi.json new.json --format github',
      env,
    )
    assert.match(stdout, /^::error file=api\/new\.json,/)
  })
})

describe('openapi lint', () => {
  test('tells problems by the rules of the project, and ends with 1 on an error', async (context) => {
    const cwd = folder(context, {
      'redocly.yaml': 'rules:\n  operation-operationId: error\n  info-license: warn\n',
      'openapi.json': JSON.stringify(documentOf({})),
    })
    const { code, stdout, stderr } = await espalier(cwd, 'openapi lint openapi.json')
    assert.equal(code, 1, stderr)
    assert.match(stdout, /^error {3}#\/paths\/~1users\/post.*\(operation-operationId\)$/m)
    assert.match(stdout, /^1 errors, 1 warnings$/m)

    const remedy = 'Wrap it: secured(hook, schemes), or secured(hook, {}) if it refuses none'
    const said = 'and nothing says whether it refuses clients.'
    const hint = (place: string, text: string) => {
      return {
        level: 'warning',
        rule: 'security-of-hooks',
        place,
        text: `${text}, ${said} ${remedy}`,
      }
    }
    const first = 'GET /users/:id (and before 3 other routes)'
    const hints = [
      hint('#/paths/~1users~1{id}/get', `The hook onRequest 'authenticate' runs before ${first}`),
      hint('#/paths/~1users~1{id}/get', `A hook preHandler runs before ${first}`),
      hint('#/paths/~1users/post', "The hook onRequest 'guard' runs before POST /users"),
    ]
    const module = await espalier(cwd, 'openapi lint app.ts --json')
    assert.equal(module.code, 0, module.stderr)
    assert.deepEqual(JSON.parse(module.stdout).problems, [
      {
        level: 'warning',
        rule: 'info-license',
        place: '#/info',
        text: 'Info object should contain `license` field.',
      },
      ...hints,
    ])
  })
})

test('a linter of an unknown version is refused', async (context) => {
  const core = 'node_modules/@redocly/openapi-core'
  const cwd = folder(context, {
    'openapi.json': JSON.stringify(documentOf({})),
    [`${core}/package.json`]: '{"main":"index.js"}',
    [`${core}/index.js`]: '',
  })
  const { code, stderr } = await espalier(cwd, 'openapi lint openapi.json')
  assert.equal(code, 2)
  assert.match(
    stderr,
    /This version of '@redocly\/openapi-core' is unknown\n {2}Run: npm install .*@2$/m,
  )
})

describe('an error', () => {
  const files = {
    'app.ts': `throw new Error('told')`,
    'pending.ts': 'await new Promise(() => undefined)',
    'later.ts': `setTimeout(() => { throw new Error('told') }); await new Promise(() => undefined)`,
    'exit.ts': 'process.exit(0)',
  }

  test('is printed with a remedy, without a stack, and ends with 2', async (context) => {
    assert.deepEqual(await espalier(folder(context, files), 'routes none.ts'), {
      code: 2,
      stdout: '',
      stderr: `espalier: There is no file 'none.ts'
  Name a module that exports a server as the default export, as \`app\` or as \`server\`, or a function \`buildApp\`, \`build\` or \`createApp\` that makes one
`,
    })
  })

  test('is printed with a stack where the caller asks for it', async (context) => {
    const cwd = folder(context, files)
    const stack = /^Error: told\n {4}at .*app\.ts:1/m
    assert.doesNotMatch((await espalier(cwd, 'routes app.ts')).stderr, stack)
    assert.match((await espalier(cwd, 'routes app.ts --stack')).stderr, stack)
    assert.match((await espalier(cwd, 'routes app.ts', { DEBUG: '*' })).stderr, stack)
  })

  test('is told of what the application throws elsewhere', async (context) => {
    const { code, stderr } = await espalier(folder(context, files), 'routes later.ts')
    assert.equal(code, 2)
    assert.match(stderr, /^espalier: The application throws: told\n {2}at .*later\.ts:1:.*\n.*\n$/)
  })

  test('tells that the application ended the process', async (context) => {
    const { code, stderr } = await espalier(folder(context, files), 'openapi emit exit.ts')
    assert.equal(code, 2)
    assert.match(stderr, /^espalier: The application ended the process too early\n.*process\.exit/)
  })

  test('tells that a module never finishes loading', async (context) => {
    const { code, stderr } = await espalier(folder(context, files), 'routes pending.ts')
    assert.equal(code, 2)
    assert.match(
      stderr,
      /^espalier: The application never finishes loading\n {2}Look for an `await`/,
    )
  })
})
