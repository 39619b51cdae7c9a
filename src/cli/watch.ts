import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { resolve } from 'node:path'

/** Files whose change may change what a command says of an application. */
const isSource = (path: string): boolean =>
  /\.([cm]?[jt]sx?|json)$/.test(path) && !/(^|[\\/])(node_modules|\.git)[\\/]/.test(path)

/** Runs this command in a process of its own, now and after each change below the working folder,
 *  until the process is stopped. A process has loaded the modules of an application once and for
 *  all, so each run needs another.
 *  @param args the arguments of the command
 *  @param written the file that the command writes */
export function runOnChange(args: readonly string[], written: string): Promise<never> {
  const [, program = ''] = process.argv
  let isRunning = false
  let isStale = false
  const runOnce = (): void => {
    if (isRunning) {
      isStale = true
      return
    }
    isRunning = true
    isStale = false
    const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
      stdio: 'inherit',
    })
    child.once('close', () => {
      isRunning = false
      if (isStale) runOnce()
    })
  }
  let timer: NodeJS.Timeout | undefined
  watch('.', { recursive: true }, (_, path) => {
    if (path === null || !isSource(path) || resolve(path) === resolve(written)) return
    clearTimeout(timer)
    // Editors and tools write several files at once.
    timer = setTimeout(runOnce, 100)
  })
  runOnce()
  return new Promise(() => undefined)
}
