import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Makes a folder with what `write` puts into the folder that it is given. A failure leaves
 *  nothing behind. */
export function fillFolder(target: string, write: (folder: string) => void): void {
  if (existsSync(target)) {
    fillExisting(target, write)
    return
  }
  const made = mkdirSync(dirname(target), { recursive: true })
  try {
    draftIn(dirname(target), (draft) => {
      write(draft)
      renameSync(draft, target)
    })
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true })
    throw error
  }
}

/** The folder may be the current one of a shell, so it is not replaced: the files move into it. */
function fillExisting(target: string, write: (folder: string) => void): void {
  const moved: string[] = []
  try {
    draftIn(target, (draft) => {
      write(draft)
      for (const name of readdirSync(draft)) {
        renameSync(join(draft, name), join(target, name))
        moved.push(join(target, name))
      }
    })
  } catch (error) {
    for (const path of moved) rmSync(path, { recursive: true })
    throw error
  }
}

/** Gives a new folder to work in, and removes what is left of it. */
function draftIn(parent: string, work: (draft: string) => void): void {
  const own = mkdtempSync(join(parent, '.create-espalier-'))
  try {
    // A temporary folder is for its owner only. This one has the usual permissions.
    const draft = join(own, 'draft')
    mkdirSync(draft)
    work(draft)
  } finally {
    rmSync(own, { recursive: true })
  }
}
