// A server in a process of its own, which is asked for figures.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Stand } from './peers.ts'
import type { OwnSize, ServerOptions } from './scenarios.ts'

export interface Launch {
  /** The program of Node. */
  readonly node: string
  readonly options: (ServerOptions | OwnSize) & {
    readonly promises?: boolean
    /** Milliseconds that the server by hand keeps an idle connection. Frameworks have their own default. */
    readonly keepAliveTimeout?: number
  }
  readonly flags?: readonly string[]
  /** Whether it may run on all processors. */
  readonly free?: boolean
}

/** What a server says when it listens: its port, and what the start of the application took, after the imports. */
export interface Ready {
  readonly port: number
  /** Microseconds. */
  readonly cpu: number
  /** Milliseconds. */
  readonly time: number
}

/** What a server can be asked for. */
export type Question =
  | 'cpu'
  | 'heap'
  | 'rss'
  | 'used'
  | 'watchCollector'
  | 'collections'
  | 'promises'
  | 'connections'
  | 'resources'

/** Whether processes can be bound to processors: servers to the first, generators of load to the second. */
const bound =
  availableParallelism() > 1 &&
  [0, 1].every((core) => spawnSync('taskset', ['-c', `${core}`, 'true']).status === 0)
if (!bound) console.error('taskset is missing, or there is one processor: processes are not bound')

/** A command that runs on one processor. */
export const onCore = (core: 0 | 1, command: readonly string[]): [string, string[]] => {
  const [program = '', ...args] = bound ? ['taskset', '-c', `${core}`, ...command] : command
  return [program, args]
}

export class Server {
  readonly #child: ChildProcess
  readonly #name: string
  ready: Ready = { port: 0, cpu: 0, time: 0 }

  private constructor(child: ChildProcess, name: string) {
    this.#child = child
    this.#name = name
  }

  static async start(stand: Stand, { node, options, flags = [], free }: Launch): Promise<Server> {
    const script = stand.script ?? join(stand.folder, 'serve.mjs')
    const { command = [node, '--expose-gc', ...flags], module = stand.name } = stand
    const [first = '', ...args] = [...command, script, module, JSON.stringify(options)]
    const [program, rest] = free ? [first, args] : onCore(0, [first, ...args])
    const child = spawn(program, rest, {
      // What a server logs goes to nowhere.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const server = new Server(child, stand.name)
    server.ready = await server.#message<Ready>()
    return server
  }

  get port(): number {
    return this.ready.port
  }

  ask(question: Question): Promise<number> {
    const answer = this.#message<number>()
    this.#child.send(question)
    return answer
  }

  async stop(): Promise<void> {
    const gone = new Promise((done) => this.#child.once('exit', done))
    this.#child.disconnect()
    await gone
  }

  #message<Value>(): Promise<Value> {
    return new Promise((done, fail) => {
      const ended = (code: number | null) => {
        fail(new Error(`the server of ${this.#name} ended with status ${code}`))
      }
      this.#child.once('exit', ended).once('error', fail)
      this.#child.once('message', (value) => {
        this.#child.off('exit', ended).off('error', fail)
        done(value as Value)
      })
    })
  }
}

/** Uses a server, and stops it. */
export async function withServer<Result>(
  stand: Stand,
  launch: Launch,
  use: (server: Server) => Promise<Result>,
): Promise<Result> {
  const server = await Server.start(stand, launch)
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}
