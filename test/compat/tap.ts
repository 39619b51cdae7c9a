// Runs a file of tests in a process of its own, and reads what it prints in the Test Anything Protocol.
import { spawn } from 'node:child_process'

/** The tests of a file by name, and whether they passed. Several of one name are numbered. */
export type Outcome = Readonly<Record<string, boolean>>

export interface FileRun {
  readonly outcome: Outcome
  /** What it printed, to look at what failed. */
  readonly output: string
}

const limit = 120_000

/** Runs a file with the tests of `node:test` or of `tap`, for two minutes at most. */
export function runFile(folder: string, file: string): Promise<FileRun> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--test-reporter=tap', file], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'test', NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (chunk: Buffer): void => {
      output += String(chunk)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const timer = setTimeout(() => child.kill('SIGKILL'), limit)
    child.on('close', () => {
      clearTimeout(timer)
      resolve({ outcome: readTap(output), output })
    })
  })
}

/** Only tests at the top count: those within one are parts of it. */
export function readTap(output: string): Outcome {
  const outcome: Record<string, boolean> = {}
  for (const line of output.split('\n')) {
    const match = /^(not )?ok \d+ - (.*?)(?: # time=.*| # (?:SKIP|TODO).*)?(?: \{)?$/.exec(line)
    if (match === null || / # (SKIP|TODO)/i.test(line)) continue
    const name = match[2] ?? ''
    let key = name
    for (let again = 2; Object.hasOwn(outcome, key); again++) key = `${name} (${again})`
    outcome[key] = match[1] === undefined
  }
  return outcome
}
