// Loads a server, by wrk or, over HTTP/2, by h2load.
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workFolder } from './peers.ts'
import type { Scenario } from './scenarios.ts'
import { onCore } from './server.ts'

export interface Load {
  readonly requests: number
  /** Requests a second. */
  readonly rate: number
}

const connections = 64
/** What takes longer counts as failed. The default of wrk is 2 s, for which a busy machine may stand still. */
const timeout = '20s'

/** Whether there is a generator of load for a scenario. @throws when wrk is missing */
export function canLoad({ server }: Scenario): boolean {
  if (spawnSync('wrk', ['-v']).error) {
    throw new Error('wrk is missing: install the package "wrk" of your system')
  }
  if (!server?.http2 || !spawnSync('h2load', ['--version']).error) return true
  console.error('http2 is left out: h2load is missing (package "nghttp2-client")')
  return false
}

/** Loads a server for some seconds. @throws when it answers with another status */
export const load = (scenario: Scenario, port: number, seconds: number): Promise<Load> =>
  scenario.server?.http2 ? h2load(scenario, port, seconds) : wrk(scenario, port, seconds)

async function wrk(scenario: Scenario, port: number, seconds: number): Promise<Load> {
  const script = join(workFolder(), `${scenario.key}.lua`)
  writeFileSync(script, luaOf(scenario))
  const url = `http://127.0.0.1:${port}${scenario.path}`
  const size = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', timeout]
  const output = await run(['wrk', ...size, '-s', script, url])
  const line = output.trimEnd().split('\n').at(-1) ?? ''
  const { requests, micros, failed, sockets } = JSON.parse(line) as Record<
    'requests' | 'micros' | 'failed' | 'sockets',
    number
  >
  // wrk counts statuses from 400 on as failed.
  const wanted = scenario.answer.status >= 400 ? requests : 0
  if (failed !== wanted || sockets > 0) throw new Error(`${scenario.key} under load: ${line}`)
  return { requests, rate: (1e6 * requests) / micros }
}

/** What wrk sends, and what it prints at the end. */
function luaOf({ method = 'GET', body }: Scenario): string {
  return `wrk.method = '${method}'
${body === undefined ? '' : `wrk.headers['content-type'] = 'application/json'\nwrk.body = [==[${body}]==]`}
done = function(summary)
  local e = summary.errors
  local sockets = e.connect + e.read + e.write + e.timeout
  io.write(string.format('{"requests":%d,"micros":%d,"failed":%d,"sockets":%d}\\n',
    summary.requests, summary.duration, e.status, sockets))
end
`
}

async function h2load(scenario: Scenario, port: number, seconds: number): Promise<Load> {
  const url = `http://127.0.0.1:${port}${scenario.path}`
  const output = await run(['h2load', '-t1', '-c8', '-m8', `-D${seconds}`, url])
  const figure = (pattern: RegExp) => Number(pattern.exec(output)?.[1])
  const requests = figure(/(\d+) succeeded/)
  if (!(requests > 0) || figure(/(\d+) failed/) > 0) throw new Error(`under load: ${output}`)
  return { requests, rate: requests / seconds }
}

async function run(command: readonly string[]): Promise<string> {
  const child = spawn(...onCore(1, command), { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part))
  const status = await new Promise<number | null>((done, fail) => {
    child.once('error', fail).once('close', done)
  })
  if (status !== 0) throw new Error(`${command[0]} ended with status ${status}: ${output}`)
  return output
}
