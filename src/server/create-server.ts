import { ServerFace } from './face.ts'
import { Host } from './host.ts'
import { normalizeOptions, type EspalierOptions } from './options.ts'
import { takeSeat } from './seat.ts'

/** Makes a server: the root of a context tree. */
export function createServer(options: EspalierOptions = {}): ServerFace {
  const server = new ServerFace()
  const host = new Host(server, normalizeOptions(options), (context, self) => {
    takeSeat(context.faces.server, { host: self, context })
  })
  return host.root.faces.server as ServerFace
}
