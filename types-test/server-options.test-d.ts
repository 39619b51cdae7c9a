// The options about sockets, and what a server tells of them.
import type { Server as HttpServer } from 'node:http'
import type { Http2SecureServer, Http2Server } from 'node:http2'
import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import espalier, { type EspalierOptions, type InitialConfig, type Server } from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier({
  http2: true,
  https: { allowHTTP1: true, key: 'k', cert: 'c' },
  trustProxy: ['10.0.0.0/8'],
  forceCloseConnections: 'idle',
  requestIdHeader: 'x-id',
  genReqId: (request) => String(request.headers['x-id']),
  clientErrorHandler(error, socket) {
    expectType<''>(this.prefix)
    socket.end(error.message)
  },
})
espalier({ trustProxy: (address, hop) => address === '10.0.0.1' && hop === 0 })
expectError(espalier({ trustProxy: {} }))
// A count of proxies says nothing of who connects.
expectError(espalier({ trustProxy: 1 }))
expectError(espalier({ forceCloseConnections: 'all' }))
expectError(espalier({ genReqId: () => 7 }))
expectError(espalier({ requestTimeOut: 7 }))

// Listening, in all forms.
expectType<Promise<string>>(app.listen())
expectType<Promise<string>>(
  app.listen({ port: '80', host: '::', ipv6Only: true, signal: new AbortController().signal }),
)
expectType<Promise<string>>(app.listen(3000))
app.listen({ port: 0 }, (error, address) => {
  expectType<Error | null>(error)
  expectType<string>(address)
})
app.listen((_error, address) => {
  expectType<string>(address)
})
app.listen(3000, '127.0.0.1', 511, (_error, address) => {
  expectType<string>(address)
})
expectError(app.listen({ prt: 3000 }))
expectError(app.listen({ signal: {} }))

// What a server tells.
expectType<InitialConfig>(app.initialConfig)
expectType<number>(app.initialConfig.bodyLimit)
expectType<string>(app.listeningOrigin)
expectAssignable<AsyncDisposable>(app)
expectError(app.setGenReqId(() => 7))

app.get('/', (request) => {
  expectType<false>(isAny(request.ips))
  expectType<string[] | undefined>(request.ips)
  expectType<number | null>(request.port)
  return request.ip
})

// Node's own server is of the kind that the options say, in all scopes.
const onHttp = espalier({ http2: false, trustProxy: true }).get('/', () => 'a')
expectType<HttpServer>(onHttp.server)
expectType<Server>(espalier({ https: null, http2: false }))
const onHttp2 = espalier({ http2: true, genReqId: (request) => request.url ?? '' })
expectType<Http2Server>(onHttp2.server)
const onHttps = espalier({ https: { key: 'k', cert: 'c' } })
expectType<HttpsServer>(onHttps.server)
expectType<HttpsServer>(
  espalier({ https: true })
    .decorate('db', 1)
    .get('/', () => 'a').server,
)
expectType<Http2SecureServer>(app.server)
const tls = { key: 'k' }
expectType<Http2SecureServer>(espalier({ http2: true, https: tls }).server)
onHttp2
  .register(async (child) => {
    expectType<Http2Server>(child.server)
    child.get('/', (request) => {
      expectType<Http2Server>(request.server.server)
      return 'a'
    })
  })
  .addHook('onRequest', async (request) => {
    expectType<Http2Server>(request.server.server)
  })
expectError(espalier({ https: { kye: 'k' } }))
expectError(espalier({ https: 'an object' }))
expectError(espalier({ http2: 'yes' }))

// What the options leave open is a server as any, which a function may say that it returns.
function build(options: EspalierOptions): Server {
  return espalier(options)
}
expectType<HttpServer>(build({}).server)
expectType<Server>(build({}) as ReturnType<typeof espalier>)

// Where it listens: on addresses, or at a path.
expectType<(AddressInfo | string)[]>(app.addresses())
// Routes have so much time, and a signal of the end of it.
espalier({ handlerTimeout: 1000 })
  .get('/', { handlerTimeout: 0 }, (request) => {
    expectType<AbortSignal>(request.signal)
    expectType<number>(request.routeOptions.handlerTimeout)
    return null
  })
  .addHook('onRequest', (request, _reply, done) => {
    expectType<AbortSignal>(request.signal)
    expectError((request.signal = AbortSignal.abort()))
    done()
  })
expectError(espalier({ handlerTimeout: '1s' }))
expectError(espalier().get('/', { handlerTimeout: '1s' }, () => null))
expectError(espalier().decorateRequest('signal', null))

// Errors are answered by problem details.
espalier({ problemDetails: true })
expectError(espalier({ problemDetails: 'yes' }))
