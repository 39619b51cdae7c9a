import type { Host } from '../host.ts'
import type { ListenOptions } from './listen.ts'

/** Listens, until the signal of the options is aborted: the server is closed then. Resolves to empty text
 *  where that comes first.
 *  @throws what listening throws */
export async function listenUntil(host: Host, options: ListenOptions): Promise<string> {
  const { signal } = options
  if (signal === undefined) return host.listen(options)
  const stop = (): Promise<void> => host.close()
  if (signal.aborted) return stop().then(() => '')
  const abort = (): void => {
    stop().catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
    })
  }
  signal.addEventListener('abort', abort, { once: true })
  return host.listen(options).catch((error: unknown) => {
    if (signal.aborted) return ''
    throw error
  })
}
