import { writeFileSync } from 'node:fs'
import { UsageError } from '../errors/usage-error.ts'

/** Writes a file of a command. @throws UsageError if it cannot be written */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`'${file}' cannot be written: ${reason}`, 'Make its folder first', error)
  }
}
