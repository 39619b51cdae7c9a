// The bytes of attachments: one file each, whose name is the id of the attachment.
import { createWriteStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { plugin } from 'espalier'
import type { Config } from '../config.ts'

export class Files {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async write(id: string, file: File): Promise<void> {
    const path = join(this.#folder, id)
    try {
      await pipeline(file.stream(), createWriteStream(path, { flags: 'wx' }))
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  /** @throws Error if there is none: before the reply has begun, not while it is sent */
  async read(id: string) {
    const file = await open(join(this.#folder, id))
    return file.createReadStream()
  }

  remove(id: string): Promise<void> {
    return rm(join(this.#folder, id), { force: true })
  }
}

/** Adds `files` to the server. */
export const files = plugin<{ server: { config: Config } }>().shared(
  async (app) => {
    const folder = join(app.config.DATA, 'attachments')
    await mkdir(folder, { recursive: true })
    return app.decorate('files', new Files(folder))
  },
  { name: 'files' },
)
