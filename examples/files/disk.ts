// A disk of the example: files in memory, as many as fit.
import { EventEmitter, on } from 'node:events'

/** A file without its content. */
export interface FileInfo {
  readonly name: string
  readonly size: number
}

/** What has happened to a file. */
export interface Change {
  readonly change: 'added' | 'removed'
  readonly file: FileInfo
}

/** A file does not fit. The framework answers with this status (RFC 4918, 11.5). */
export class DiskFull extends Error {
  readonly statusCode = 507
}

export class Disk {
  readonly #capacity: number
  readonly #files = new Map<string, Uint8Array>()
  readonly #events = new EventEmitter()

  /** @param capacity the most bytes that all files may have */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  list(): FileInfo[] {
    return [...this.#files].map(([name, content]) => ({ name, size: content.byteLength }))
  }

  read(name: string): Uint8Array | undefined {
    return this.#files.get(name)
  }

  /** @throws DiskFull */
  write(name: string, content: Uint8Array): FileInfo {
    const others = this.list().filter((file) => file.name !== name)
    const used = others.reduce((sum, { size }) => sum + size, 0)
    if (used + content.byteLength > this.#capacity) throw new DiskFull('The disk is full')
    const file = { name, size: content.byteLength }
    this.#files.set(name, content)
    this.#events.emit('change', { change: 'added', file })
    return file
  }

  /** What happens from now on. @param signal ends it */
  async *changes(signal: AbortSignal): AsyncGenerator<Change> {
    for await (const [change] of on(this.#events, 'change', { signal })) yield change as Change
  }
}
