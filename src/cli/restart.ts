import { type ChildProcess, spawn } from 'node:child_process'
import { Watch } from './watch.ts'

/** How many milliseconds a process may take to end. */
const longestEnd = 5000

export interface Restarts {
  /** A file that the command writes itself. */
  readonly written?: string
  readonly env?: NodeJS.ProcessEnv
  /** Is called before a restart, with the files that have changed. */
  readonly onChange?: (paths: readonly string[]) => void
  /** Gets what the process sends. */
  readonly onMessage?: (message: unknown) => void
  /** Is called when the process has ended by itself. */
  readonly onEnd?: () => void
}

/** Runs this command in a process of its own, now and after each change below the working folder,
 *  until this process is stopped. A process has loaded the modules of an application once and for
 *  all, so each run needs another.
 *  @param args the arguments of the command */
export function restartOnChange(args: readonly string[], restarts: Restarts): Promise<never> {
  const runs = new Runs(args, restarts)
  new Watch((paths) => runs.restart(paths), restarts.written)
  runs.start()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => runs.end(signal))
  }
  return new Promise(() => undefined)
}

class Runs {
  readonly #args: readonly string[]
  readonly #restarts: Restarts
  #child: ChildProcess | undefined
  #isStale = false
  /** What this process ends by. */
  #signal: NodeJS.Signals | undefined

  constructor(args: readonly string[], restarts: Restarts) {
    this.#args = args
    this.#restarts = restarts
  }

  start(): void {
    const { env = process.env, onMessage, onEnd } = this.#restarts
    const [, program = ''] = process.argv
    const child = spawn(process.execPath, [...process.execArgv, program, ...this.#args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env,
    })
    this.#child = child
    this.#isStale = false
    child.on('message', (message) => onMessage?.(message))
    child.once('exit', () => {
      this.#child = undefined
      if (this.#signal !== undefined) endBy(this.#signal)
      else if (this.#isStale) this.start()
      else onEnd?.()
    })
  }

  restart(paths: readonly string[]): void {
    if (this.#signal !== undefined) return
    this.#restarts.onChange?.(paths)
    if (this.#child === undefined) {
      this.start()
    } else if (!this.#isStale) {
      this.#isStale = true
      stop(this.#child)
    }
  }

  /** Ends the process and then this one. A second signal does not wait. */
  end(signal: NodeJS.Signals): void {
    const isSecond = this.#signal !== undefined
    this.#signal = signal
    if (this.#child === undefined) endBy(signal)
    else if (isSecond) this.#child.kill('SIGKILL')
    else stop(this.#child)
  }
}

/** Lets a process end, and ends it if it does not. */
function stop(child: ChildProcess): void {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), longestEnd)
  child.once('exit', () => clearTimeout(timer))
}

/** Ends this process by a signal, which shells see. */
function endBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
