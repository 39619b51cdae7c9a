// The client of routes for WebSockets.
export { socket } from './socket.ts'
export type {
  ClientSocket,
  ClientSocketClosed,
  MessageCheck,
  OpenSocket,
  Messages,
  RawClientSocket,
  ReconnectOptions,
  SocketCallOptions,
  SocketMessages,
  SocketOptions,
  SocketPath,
  WebSocketClass,
} from './types.ts'
