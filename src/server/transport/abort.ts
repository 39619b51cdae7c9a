import { errorCodes } from '../../errors/codes.ts'
import type { Host } from '../host.ts'
import { writeFailure } from '../logging/host-log.ts'
import type { ListenOptions } from './listen.ts'

/** Listens, until the signal of the options is aborted: the server is closed then. Resolves to undefined
 *  where that comes first, and in Fastify's dialect where `close` does.
 *  @throws what listening throws */
export async function listenUntil(host: Host, options: ListenOptions): Promise<string | undefined> {
  const { signal } = options
  const mayBeClosed = host.dialect.boot.isThenable && !host.isClosing
  const stop = (): Promise<void> => host.close()
  if (signal?.aborted === true) return stop().then(() => undefined)
  const abort = (): void => {
    stop().catch(writeFailure)
  }
  signal?.addEventListener('abort', abort, { once: true })
  return host.listen(options).catch((error: unknown) => {
    const isClosed = mayBeClosed && error instanceof errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER
    if (isClosed || signal?.aborted === true) return undefined
    throw error
  })
}
