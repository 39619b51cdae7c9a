import { existsSync } from 'node:fs'
import { listenUntil } from '../../server/transport/listen.ts'
import { isObject } from '../../types/objects.ts'
import { allowListening, checkModule, closeSoon, failure, load } from '../application.ts'
import type { Command, Given, Result } from '../command.ts'
import { restartOnChange } from '../restart.ts'
import { type Paint, printable } from '../terminal.ts'
import { type Parts, partsOf, showTree, treeText } from '../tree.ts'
import { UsageError } from '../../errors/usage-error.ts'

/** The variable of the process that runs the application. */
const isRunningName = 'ESPALIER_DEV'

/** What that process says when it listens. */
interface Started {
  readonly espalier: 'started'
  readonly tree: string
  readonly parts: Parts
  /** The URL of the server, and those of its documentation pages. */
  readonly urls: readonly string[]
}

export const dev: Command = {
  name: 'dev',
  positionals: ['MODULE'],
  summary: 'run an application, and again after each change',
  details: [
    'It shows the tree of contexts, and after a change of a file below this folder which routes are',
    'others. Files of node_modules and hidden folders do not count. It reads .env, if there is one.',
  ],
  options: {
    port: { short: 'p', value: 'PORT', help: 'the port; by default the variable PORT, or 3000' },
    host: { value: 'HOST', help: 'the address; by default the variable HOST, or localhost' },
  },
  run(given): Promise<Result> {
    // What the application prints is what this command prints.
    Reflect.deleteProperty(process.stdout, 'write')
    return process.env[isRunningName] === undefined ? repeat(given) : runOnce(given)
  },
}

/** Runs the application in other processes, and tells of each what has changed. */
function repeat({ positionals: [module = ''], text, paint }: Given): Promise<never> {
  checkModule(module)
  readPort(text('port'))
  const print = (line: string): boolean => process.stdout.write(`${line}\n`)
  let last: Started | undefined
  return restartOnChange(process.argv.slice(2), {
    env: { ...process.env, [isRunningName]: '1' },
    onChange: (paths) => print(`\n${paint('dim', changedText(paths))}`),
    onMessage: (message) => {
      if (!isStarted(message)) return
      print(last === undefined ? message.tree : differenceText(last.parts, message.parts, paint))
      if (String(last?.urls) !== String(message.urls)) print(urlsText(message.urls, paint))
      last = message
    },
    onEnd: () => print(paint('dim', 'It has ended, and starts again after the next change.')),
  })
}

/** Runs the application until this process is told to end. @throws UsageError */
async function runOnce({ positionals: [module = ''], text, paint }: Given): Promise<Result> {
  // It is not for processes of the application.
  Reflect.deleteProperty(process.env, isRunningName)
  if (existsSync('.env')) process.loadEnvFile()
  const { PORT, HOST = 'localhost' } = process.env
  const port = readPort(text('port') ?? PORT)
  const hostname = text('host') ?? HOST
  const application = await load(module)
  allowListening(application)
  const { host } = application
  const stopped = untilStopped()
  const started = listenUntil(host, { port, host: hostname }, undefined).then((address = '') => {
    const url = new URL(address)
    if (hostname === 'localhost') url.hostname = hostname
    const urls = ['', ...host.pages].map((path) => `${url.origin}${path}`)
    const tree = treeText(showTree(application), paint)
    const message: Started = { espalier: 'started', tree, parts: partsOf(application, paint), urls }
    process.send?.(message)
  })
  started.catch(() => undefined)
  try {
    await Promise.race([started, stopped]).catch((error: unknown) => {
      throw failure(`'${module}' does not boot`, error)
    })
    await stopped
  } finally {
    await closeSoon(host)
  }
  return { output: '', code: 0 }
}

/** Waits for a signal, or for the end of the process that has started this one. */
function untilStopped(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop())
    process.once('disconnect', stop)
    process.channel?.unref()
  })
}

/** @throws UsageError */
function readPort(text = '3000'): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError(`The port is '${text}'`, 'Give a number from 0 to 65535: --port 3000')
}

const isStarted = (message: unknown): message is Started =>
  isObject(message) && message['espalier'] === 'started'

function changedText(paths: readonly string[]): string {
  const [first = '', ...others] = paths.map(printable)
  return others.length === 0 ? `${first} has changed` : `${first} and ${others.length} more changed`
}

/** The parts that are gone, new or others, each on a line. */
function differenceText(before: Parts, after: Parts, paint: Paint): string {
  const gone = Object.entries(before).filter(([name]) => !(name in after))
  const lines = gone.map(([, { text }]) => `${paint('red', '-')} ${text}`)
  for (const [name, { text, schemas }] of Object.entries(after)) {
    const was = before[name]
    if (was === undefined) lines.push(`${paint('green', '+')} ${text}`)
    else if (was.text !== text || was.schemas !== schemas)
      lines.push(`${paint('yellow', '~')} ${text}`)
  }
  return lines.length === 0 ? 'No route has changed' : lines.join('\n')
}

function urlsText([url = '', ...pages]: readonly string[], paint: Paint): string {
  const documented = pages.map((page) => `${paint('cyan', page)}  documentation`)
  return [paint('cyan', url), ...documented].join('\n')
}
