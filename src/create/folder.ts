import { createInterface } from 'node:readline'
import { UsageError } from '../errors/usage-error.ts'

const usual = 'espalier-app'

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/** Asks for the folder on a terminal. Elsewhere it takes the usual one.
 *  @throws UsageError if the input ends without an answer */
export function askFolder({ input, output }: Terminal, isAsked: boolean): Promise<string> {
  if (!isAsked || input.isTTY !== true || output.isTTY !== true) return Promise.resolve(usual)
  const reader = createInterface({ input, output })
  return new Promise((done, fail) => {
    reader.on('close', () => {
      fail(new UsageError('No folder was named', 'Name it behind the command, such as my-app'))
    })
    reader.question(`Folder (${usual}): `, (answer) => {
      done(answer.trim() || usual)
      reader.close()
    })
  })
}
