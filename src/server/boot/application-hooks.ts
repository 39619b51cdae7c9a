/** The hooks of the application that the host runs itself. */
export type HostHook = 'onReady' | 'onListen' | 'preClose'

/** Whether a hook is one of those. */
export function isHostHook(name: string): name is HostHook {
  return name === 'onReady' || name === 'onListen' || name === 'preClose'
}

/** Tells of an error that ends nothing. */
type Report = (error: unknown) => void

/** One hook as it is run; it rejects with an error that names its place. */
type Run = () => Promise<void>

/** The hooks of the application, each list in the order in which they were added. */
export class ApplicationHooks {
  readonly #hooks: Readonly<Record<HostHook, Run[]>> = { onReady: [], onListen: [], preClose: [] }

  add(name: HostHook, run: Run): void {
    this.#hooks[name].push(run)
  }

  has(name: HostHook): boolean {
    return this.#hooks[name].length > 0
  }

  /** Runs one list; the first error ends it. What is added meanwhile is not run. */
  async run(name: HostHook): Promise<void> {
    for (const run of [...this.#hooks[name]]) await run()
  }

  /** Runs one list to its end: an error is reported, and the others still run. */
  async runAll(name: HostHook, report: Report): Promise<void> {
    for (const run of this.#hooks[name]) {
      try {
        await run()
      } catch (error) {
        report(error)
      }
    }
  }

  /** Runs one list to its end, and waits for no more of it than does not wait itself. */
  async runBehind(name: HostHook, report: Report): Promise<void> {
    if (!this.has(name)) return
    await Promise.race([
      this.runAll(name, report),
      new Promise<void>((resolve) => setImmediate(resolve)),
    ])
  }
}
