import { EventEmitter, once } from 'node:events'

/** A destination of log lines, which keeps them. */
export class Lines {
  readonly all: any[] = []
  readonly #written = new EventEmitter()

  /** What pino writes to. */
  readonly stream = {
    write: (line: string): void => {
      this.all.push(JSON.parse(line))
      this.#written.emit('line')
    },
  }

  /** The messages of the lines. */
  get messages(): string[] {
    return this.all.map(({ msg }) => msg as string)
  }

  /** Waits until there is a line with a message. */
  async until(message: string): Promise<any> {
    for (;;) {
      const found: unknown = this.all.find(({ msg }) => msg === message)
      if (found !== undefined) return found
      await once(this.#written, 'line')
    }
  }
}
