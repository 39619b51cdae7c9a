// Many clients in a process of their own, on the processor of the generators of load.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Tasks } from './scale-client.ts'
import { onCore, type Server } from './server.ts'

type Value<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>
type Reply = { readonly value?: unknown; readonly error?: string }

export class Crowd {
  readonly #child: ChildProcess

  constructor() {
    const script = join(import.meta.dirname, 'scale-client.ts')
    const command = [process.execPath, ...process.execArgv, script]
    this.#child = spawn(...onCore(1, command), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  }

  /** Sends a task, and waits for its end. @throws when it fails */
  async do<Name extends keyof Tasks>(
    name: Name,
    ...args: Parameters<Tasks[Name]>
  ): Promise<Value<Name>> {
    const reply = new Promise<Reply>((done, fail) => {
      this.#child.once('message', (message) => done(message as Reply))
      this.#child.once('exit', (code) => fail(new Error(`the clients ended with status ${code}`)))
    })
    this.#child.send({ name, args })
    const { value, error } = await reply
    this.#child.removeAllListeners()
    if (error !== undefined) throw new Error(`clients, ${name}: ${error}`)
    return value as Value<Name>
  }

  stop(): void {
    this.#child.removeAllListeners()
    if (this.#child.connected) this.#child.disconnect()
  }
}

/** Uses clients, and stops them. */
export async function withCrowd<Result>(use: (crowd: Crowd) => Promise<Result>): Promise<Result> {
  const crowd = new Crowd()
  try {
    return await use(crowd)
  } finally {
    crowd.stop()
  }
}

/** Waits until a server has no connection of a client, and gives how many it has after ten seconds at most. */
export async function drained(server: Server): Promise<number> {
  const end = performance.now() + 10_000
  for (;;) {
    const open = await server.ask('connections')
    if (open === 0 || performance.now() > end) return open
    await new Promise((done) => setTimeout(done, 20))
  }
}
