// The built command as a child process. Each text that it prints is waited for behind the one before.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import '../../support/built.mjs'
import { folderOf } from '../../support/files.ts'

const root = resolve(import.meta.dirname, '../../..')
const { FORCE_COLOR: _1, NODE_OPTIONS: _2, PORT: _3, HOST: _4, ...env } = process.env

const application = (body: string) => `
  import espalier, { t } from '${pathToFileURL(join(root, 'dist/index.js')).href}'
  export async function buildApp() {
    const app = espalier()
    ${body}
    return app
  }`
const route = (path: string, schema = '{}') =>
  application(`app.get('${path}', { schema: ${schema} }, () => '${path}')`)

/** The command on an application, `app.mjs`. */
function dev(context: TestContext, files: Readonly<Record<string, string>>, ...args: string[]) {
  const folder = folderOf(context, files)
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
  const command = [join(root, 'dist/cli/main.js'), 'dev', 'app.mjs', ...args]
  const child = spawn(process.execPath, command, { cwd: folder, env })
  context.after(() => child.kill('SIGKILL'))
  let output = ''
  let isOver = false
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
      child.emit('printed')
    })
  }
  // The processes that it has started hold its streams.
  const closed = once(child, 'close').then((ended) => {
    isOver = true
    child.emit('printed')
    return ended
  })
  /** What it prints until a line that has a text, that line included. */
  const until = async (text: string): Promise<string> => {
    for (;;) {
      const at = output.indexOf('\n', Math.max(0, output.indexOf(text)))
      if (output.includes(text) && at >= 0) {
        const found = output.slice(0, at + 1)
        output = output.slice(at + 1)
        return found
      }
      assert.ok(!isOver, `it ended without '${text}': ${output}`)
      await once(child, 'printed')
    }
  }
  return { folder, child, write, until, closed }
}

const urlIn = (text: string): string => /http:\S+/.exec(text)?.[0] ?? ''

describe('espalier dev', { concurrency: true }, () => {
  test('shows the tree once, then what has changed, and boot errors, until it is stopped', async (context) => {
    const files = { 'app.mjs': route('/first') }
    const { child, write, until, closed } = dev(context, files, '--port', '0')
    const first = await until('http://')
    assert.match(first, /^root\n└── GET \/first\n\nhttp:\/\/localhost:\d+\n$/)
    assert.equal(await (await fetch(`${urlIn(first)}/first`)).text(), '/first')

    write('app.mjs', route('/second', '{ querystring: { page: t.Integer() } }'))
    const second = await until('http://')
    assert.match(
      second,
      /^\napp\.mjs has changed\n- GET \/first\n\+ GET \/second {2}validates querystring\nhttp/,
    )
    assert.equal(await (await fetch(`${urlIn(second)}/second?page=1`)).text(), '/second')

    write('app.mjs', application(`app.register(async () => { throw new Error('no database') })`))
    const failed = await until('after the next change')
    assert.match(
      failed,
      /^\napp\.mjs has changed\nespalier: 'app\.mjs' does not boot: .*no database/,
    )

    // The one that did not boot is not what is compared.
    write('app.mjs', route('/second', '{ querystring: { page: t.Number() } }'))
    const third = await until('http://')
    assert.match(third, /^\napp\.mjs has changed\n~ GET \/second {2}validates querystring\nhttp/)

    child.kill('SIGINT')
    // A shell says 130.
    assert.deepEqual(await closed, [null, 'SIGINT'])
    await assert.rejects(fetch(`${urlIn(third)}/second?page=1`))
  })

  test('starts once after several writes, and not for dependencies or what is as it was', async (context) => {
    const files = { 'app.mjs': route('/1'), 'node_modules/a/index.js': '', '.env': '' }
    const { folder, child, write, until, closed } = dev(context, files, '--port', '0')
    await until('http://')
    write('app.mjs', route('/2'))
    write('node_modules/a/index.js', '1')
    write('app.mjs', route('/3'))
    assert.match(await until('http://'), /^\napp\.mjs has changed\n- GET \/1\n\+ GET \/3\nhttp/)

    mkdirSync(join(folder, 'routes'))
    write('routes/a.json', '1')
    write('app.mjs', route('/3'))
    assert.match(
      await until('http://'),
      /^\nroutes.a\.json has changed\nNo route has changed\nhttp/,
    )
    child.kill()
    await closed
  })

  test('takes port and host from .env, which it watches too', async (context) => {
    const files = { 'app.mjs': route('/'), '.env': 'HOST=127.0.0.1\nPORT=0\n' }
    const { child, write, until, closed } = dev(context, files)
    assert.match(await until('http://'), /\nhttp:\/\/127\.0\.0\.1:\d+\n$/)
    write('.env', 'PORT=x\n')
    const failed = await until('after the next change')
    assert.match(failed, /^\n\.env has changed\nespalier: The port is 'x'\n {2}Give a number/)
    child.kill()
    await closed
  })

  test('ends a process that does not end by itself', async (context) => {
    const stuck = application(`app.addHook('preClose', () => {
      console.log('closing')
      for (;;) {}
    })`)
    const { child, write, until, closed } = dev(context, { 'app.mjs': stuck }, '--port', '0')
    await until('http://')
    write('app.mjs', route('/next'))
    await until('closing')
    assert.match(await until('http://'), /^\+ GET \/next\nhttp/)
    child.kill()
    await closed
  })

  test('leaves no process behind when it is killed', async (context) => {
    const { child, until, closed } = dev(context, { 'app.mjs': route('/') }, '--port', '0')
    const url = urlIn(await until('http://'))
    child.kill('SIGKILL')
    await closed
    await assert.rejects(fetch(url))
  })
})
