// The client of routes for WebSockets.
export { socket } from './socket.ts'
export type {
  ClientSocket,
  ClientSocketClosed,
  MessageCheck,
  OpenSocket,
  RawClientSocket,
  ReconnectOptions,
  SocketCallOptions,
  SocketOptions,
  SocketPath,
  WebSocketClass,
} from './types.ts'
