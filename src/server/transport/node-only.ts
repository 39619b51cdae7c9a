// What needs a server of Node, or stands in for one. A part that bundles for workers leave out:
// `parts.ts`.
export { adaptHttp2 } from './http2-exchange.ts'
export { noteQueued } from './idle-connections.ts'
export { chainRequest, injectRequest } from './inject.ts'
export { listenUntil, readListen } from './listen.ts'
export { Transport } from './transport.ts'
