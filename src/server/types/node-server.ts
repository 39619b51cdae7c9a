import type { Server as HttpServer } from 'node:http'
import type { Http2SecureServer, Http2Server } from 'node:http2'

/** Any of Node's servers that can be below a server. */
export type NodeServer = HttpServer | Http2Server | Http2SecureServer

/** What a scope has in its type that says which of Node's servers it has. It is one of HTTP/1 without TLS where
 *  nothing does. */
export interface OnNode<Node> {
  readonly '~node': Node
}

/** Node's server, by what a scope has. */
export type NodeServerOf<Added> =
  Added extends OnNode<infer Node extends NodeServer> ? Node : HttpServer
