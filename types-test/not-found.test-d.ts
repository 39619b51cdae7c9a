// A not-found handler sees what its scope has, and knows nothing of the request.
import espalier, { type NotFoundHandlerFor } from 'espalier'
import { expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier()
  .decorate('db', { name: 'x' })
  .decorateRequest('answer', 42)
  .decorateReply('ok', () => true)

app.setNotFoundHandler(function (request, reply) {
  expectType<false>(isAny(this))
  expectType<false>(isAny(request))
  expectType<false>(isAny(reply))
  expectType<{ name: string }>(this.db)
  expectType<number>(request.answer)
  expectType<boolean>(reply.ok())
  expectType<unknown>(request.params)
  expectType<unknown>(request.body)
  expectError(request.question)
  return reply.code(404).send({ any: 'thing' })
})
app.setNotFoundHandler(async () => 'nothing here')
app.setNotFoundHandler((_request, reply) => {
  reply.send('x')
})

// Its own hooks come first.
app.setNotFoundHandler(
  {
    preValidation: async (request) => {
      expectType<number>(request.answer)
    },
    preHandler: [
      (request, _reply, done) => {
        expectType<number>(request.answer)
        done()
      },
    ],
  },
  (request) => {
    expectType<number>(request.answer)
    return {}
  },
)
expectError(app.setNotFoundHandler({ onSend: async () => {} }, () => 1))
expectError(app.setNotFoundHandler(1))
expectError(app.setNotFoundHandler())
expectError(app.setNotFoundHandler({ preHandler: 1 }, () => 1))

// It is chained; that of a child sees what the child has.
const chained = app.get('/a', () => 1).setNotFoundHandler(() => 1)
expectType<number>((await chained.inject('GET /a')).json())
app.register((child) =>
  child.decorateRequest('mine', 'x').setNotFoundHandler((request) => {
    expectType<string>(request.mine)
    return {}
  }),
)

// A handler may leave the answer to it.
app.get('/b', (_request, reply) => reply.callNotFound())
app.get('/c', async (_request, reply) => reply.callNotFound())

// One in a file of its own says what it needs of its scope.
const missing: NotFoundHandlerFor<{ reply: { render: (view: string) => string } }> = (
  request,
  reply,
) => {
  expectType<string>(reply.render(request.url))
  expectError(reply.rendr('x'))
  return reply.code(404).send(reply.render('404'))
}
espalier()
  .decorateReply('render', (view: string) => view)
  .setNotFoundHandler(missing)
expectError(espalier().setNotFoundHandler(missing))

// One that returns nothing and takes no reply answers nothing; one that takes the reply may send it.
const silent = espalier()
expectError(silent.setNotFoundHandler(() => {}))
expectError(silent.setNotFoundHandler(async () => {}))
expectError(silent.setNotFoundHandler((request) => request.log.info('missing')))
expectError(silent.setNotFoundHandler({}, () => {}))
expectError(silent.setNotFoundHandler({}, async (request) => request.log.info('missing')))
silent.setNotFoundHandler((_request, reply) => {
  reply.send('missing')
})
silent.setNotFoundHandler({}, async (_request, reply) => {
  await reply.send('missing')
})
silent.setNotFoundHandler((...args) => {
  args[1].send('missing')
})
silent.setNotFoundHandler((_request: unknown, reply: any) => console.error(reply))
silent.setNotFoundHandler(() => {
  throw new Error('missing')
})
silent.setNotFoundHandler({}, () => null)
silent.setNotFoundHandler(({ url }) => (url === '/' ? 'missing' : undefined))
function around<T>(get: () => T, load: () => Promise<T>) {
  silent.setNotFoundHandler(get).setNotFoundHandler({}, load)
  silent.setNotFoundHandler(() => get()).setNotFoundHandler({}, async () => await load())
}
around(String, async () => '')
