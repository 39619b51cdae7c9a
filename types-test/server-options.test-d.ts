// The options about sockets, and what a server tells of them.
import espalier, { type InitialConfig } from 'espalier'
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
