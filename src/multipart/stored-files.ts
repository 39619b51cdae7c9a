import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Storage {
  /** Up to how many bytes a file stays in memory. */
  readonly memory: number
  /** The folder of larger files. */
  readonly folder: string | undefined
}

/** The files of one request: small ones are kept in memory, others in a folder. */
export class StoredFiles {
  readonly #storage: Storage
  readonly #paths: string[] = []

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Reads a file to its end.
   *  @param check is called with each new size, and may throw */
  async store(
    content: AsyncIterable<Buffer>,
    { name, type }: { readonly name: string; readonly type: string },
    check: (size: number) => void,
  ): Promise<File> {
    const { memory } = this.#storage
    let chunks: Buffer[] = []
    let size = 0
    let target: FileHandle | undefined
    let path = ''
    try {
      for await (const chunk of content) {
        size += chunk.length
        check(size)
        chunks.push(chunk)
        if (size <= memory) continue
        if (target === undefined) [target, path] = await this.#open()
        await target.appendFile(Buffer.concat(chunks))
        chunks = []
      }
    } finally {
      await target?.close()
    }
    return new File(target === undefined ? chunks : [await openAsBlob(path)], name, { type })
  }

  async #open(): Promise<[FileHandle, string]> {
    const path = join(this.#storage.folder ?? tmpdir(), `espalier-${randomUUID()}`)
    this.#paths.push(path)
    return [await open(path, 'wx', 0o600), path]
  }

  /** Removes the files from their folder. */
  async remove(): Promise<void> {
    await Promise.all(this.#paths.splice(0).map((path) => rm(path, { force: true })))
  }
}
