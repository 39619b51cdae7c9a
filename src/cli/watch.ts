import {
  accessSync,
  constants,
  type FSWatcher,
  readdirSync,
  readFileSync,
  statSync,
  watch,
} from 'node:fs'
import { basename, join, relative } from 'node:path'

/** How many milliseconds to wait for more: editors and tools write several files at once. */
const pause = 100

/** Watches the sources below the working folder: JavaScript, TypeScript, JSON, and `.env`.
 *  Dependencies and hidden folders are left out. */
export class Watch {
  readonly #onChange: (paths: readonly string[]) => void
  readonly #ignored: string | undefined
  readonly #folders = new Map<string, FSWatcher>()
  /** What has changed has these texts now. */
  readonly #texts = new Map<string, string | undefined>()
  readonly #touched = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  /** @param onChange gets the paths of the files that have changed since its last call
   *  @param ignored a file whose changes do not count */
  constructor(onChange: (paths: readonly string[]) => void, ignored?: string) {
    this.#onChange = onChange
    this.#ignored = ignored === undefined ? undefined : relative('', ignored)
    this.#add('.', () => undefined)
  }

  #add(folder: string, onFile: (path: string) => void): void {
    this.#folders.get(folder)?.close()
    if (!isReadable(folder)) return
    const watcher = watch(folder, (event, name) => {
      if (name === null) return
      const path = join(folder, name)
      // What a new folder has may have been written before it is watched.
      if (event === 'rename' && isFolder(path)) this.#add(path, (file) => this.#touch(file))
      else this.#touch(path)
    })
    // Windows tells by an error that the folder was deleted.
    watcher.on('error', () => watcher.close())
    this.#folders.set(folder, watcher)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (!entry.isDirectory()) onFile(path)
      else if (isWatched(entry.name)) this.#add(path, onFile)
    }
  }

  #touch(path: string): void {
    if (!isSource(path) || path === this.#ignored) return
    this.#touched.add(path)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#tell(), pause)
  }

  #tell(): void {
    const changed = [...this.#touched].filter((path) => this.#isChanged(path))
    this.#touched.clear()
    if (changed.length > 0) this.#onChange(changed)
  }

  /** A file written as it was is not changed: an application may write one at each start. */
  #isChanged(path: string): boolean {
    const text = readText(path)
    const isSame = this.#texts.has(path) && this.#texts.get(path) === text
    this.#texts.set(path, text)
    return !isSame
  }
}

const isSource = (path: string): boolean => {
  const name = basename(path)
  return /^[^.].*\.([cm]?[jt]sx?|json)$|^\.env(\.|$)/.test(name)
}

const isWatched = (folder: string): boolean => folder !== 'node_modules' && !folder.startsWith('.')

function isFolder(path: string): boolean {
  const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  return isThere && isWatched(basename(path))
}

/** A folder may be gone by now, or belong to somebody else: that of a database. */
function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
