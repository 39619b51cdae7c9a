import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { endpoints } from '../../mcp/endpoint.ts'
import { type Application, withApplication } from '../application.ts'
import type { Command, Given, Result } from '../command.ts'
import { UsageError } from '../../errors/usage-error.ts'

/** The variable that says which file descriptor has the messages. */
const outputName = 'ESPALIER_MCP_OUTPUT'

export const mcp: Command = {
  name: 'mcp',
  positionals: ['MODULE'],
  summary: 'serve the tools of the plugin mcp() over stdin and stdout',
  details: [
    'A client of the Model Context Protocol starts it. All that the application prints goes to',
    'stderr. The onReady hooks run, and the server does not listen.',
  ],
  options: {
    header: {
      value: 'HEADER',
      isMany: true,
      help: "a header of all calls, as 'authorization: Bearer x'; may be there several times",
    },
    path: { value: 'PATH', help: 'the path of the endpoint, where there are several' },
  },
  async run(given): Promise<Result> {
    const output = process.env[outputName]
    if (output === undefined) return runApart()
    const headers = Object.fromEntries(given.texts('header').map(readHeader))
    const [module = ''] = given.positionals
    await withApplication(module, async (application) => {
      const { serveStdio } = choose(application, given)
      await application.host.ready()
      await serveStdio(Number(output), headers)
    })
    return { output: '', code: 0 }
  },
}

/** Runs the command in a process whose stdout is our stderr, since a logger may write to file
 *  descriptor 1 itself. Its file descriptor 3 is our stdout. */
async function runApart(): Promise<Result> {
  const { execPath, execArgv, argv, env } = process
  const child = spawn(execPath, [...execArgv, ...argv.slice(1)], {
    stdio: ['inherit', 2, 'inherit', 1],
    env: { ...env, [outputName]: '3' },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = (await once(child, 'exit')) as [number | null]
  return { output: '', code: code === 0 || code === null ? 0 : 2 }
}

function readHeader(text: string): [string, string] {
  const [, name = '', value = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*?)\s*$/.exec(text) ?? []
  if (name !== '') return [name.toLowerCase(), value]
  throw new UsageError(`--header is '${text}'`, "Write it as 'name: value'")
}

function choose({ host }: Application, given: Given) {
  const all = endpoints.get(host) ?? []
  const path = given.text('path')
  const found = path === undefined ? all : all.filter(({ endpoint }) => endpoint.path === path)
  const [first, ...others] = found
  if (first !== undefined && others.length === 0) return first
  const paths = all.map(({ endpoint }) => endpoint.path).join(', ')
  if (all.length === 0) {
    throw new UsageError('The application has no tools', 'Register mcp() of espalier/mcp in it')
  }
  throw new UsageError(`There are tools at ${paths}`, 'Choose one by --path')
}
