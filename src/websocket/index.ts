// Routes for WebSockets, on the published @fastify/websocket.
export { websocket } from './plugin.ts'
export type { WebsocketDecorators, WebsocketPluginOptions, WebsocketPlugin } from './plugin.ts'
export type { RawSocket, SocketClosed, TypedSocket } from './typed-socket.ts'
export type { DeclareWebsocket, SocketHandler, SocketOf, WebsocketOptions } from './types.ts'
