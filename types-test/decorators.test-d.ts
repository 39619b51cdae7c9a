// Decorators are values, functions and getters, typed by what is read.
import espalier, { plugin, t } from 'espalier'
import { expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier()

// A value has its type, widened as in any other call.
expectType<number>(app.decorate('size', 1).size)
expectType<'a'>(app.decorate('kind', 'a' as const).kind)
expectError<1>(app.decorate('size', 1).size)

// A placeholder says what a hook will put there.
interface User {
  name: string
}
const users = app.decorateRequest('user', null as User | null)
users.addHook('onRequest', async (request) => {
  expectType<User | null>(request.user)
  request.user = { name: 'ada' }
  expectError((request.user = 1))
})

// A function keeps its parameters and its result.
const math = app.decorate('add', (one: number, other: number) => one + other)
expectType<number>(math.add(1, 2))
expectError(math.add('1', 2))

// A generic function stays generic.
const wrapping = app.decorate('wrap', <Value>(value: Value) => ({ value }))
expectType<{ value: string }>(wrapping.wrap('x'))
expectError<{ value: number }>(wrapping.wrap('x'))

// A class stays a class, an instance an instance.
class Db {
  readonly url: string
  constructor(url: string) {
    this.url = url
  }
}
const classes = app.decorate('Db', Db).decorate('db', new Db(''))
expectType<Db>(new classes.Db('x'))
expectType<Db>(classes.db)
expectError(new classes.Db(1))

// A server's function has the server as `this`, with the decorators that were there before.
app
  .decorate('size', 1)
  .decorate('double', function () {
    expectType<false>(isAny(this))
    expectType<number>(this.size)
    expectType<''>(this.prefix)
    expectError(this.triple)
    return this.size * 2
  })
  .double()
  .toFixed()

// A request's function has the request as `this`.
app
  .decorateRequest('answer', 42)
  .decorateRequest('isRight', function (guess: number) {
    expectType<false>(isAny(this))
    expectType<number>(this.answer)
    expectType<string>(this.id)
    expectError(this.question)
    return guess === this.answer
  })
  .get('/right', (request) => {
    expectType<boolean>(request.isRight(1))
    expectError(request.isRight('1'))
    return 1
  })

// A reply's function has the reply as `this`, which sends.
app
  .decorateReply('fail', function (message: string) {
    expectType<false>(isAny(this))
    expectError(this.succeed())
    return this.code(400).send({ message })
  })
  .get('/fail', (_request, reply) => {
    expectError(reply.fail(1))
    return reply.fail('x')
  })

// A getter is read as what it gives, on the server, on requests and on replies.
const getters = app
  .decorate('now', { getter: (): number => Date.now() })
  .decorateRequest('tenant', { getter: () => ({ name: 'a' }) })
  .decorateReply('elapsed', { getter: () => 1 })
expectType<number>(getters.now)
expectError(getters.now())
getters.get('/tenant', (request, reply) => {
  expectType<{ name: string }>(request.tenant)
  expectType<number>(reply.elapsed)
  expectError(request.tenant.getter)
  return 1
})

// A getter has its holder as `this`.
app
  .decorateRequest('answer', 42)
  .decorateRequest('tenfold', {
    getter() {
      expectType<false>(isAny(this))
      expectType<number>(this.answer)
      expectError(this.question)
      return this.answer * 10
    },
  })
  .get('/tenfold', (request) => {
    expectType<number>(request.tenfold)
    expectError(request.tenfold())
    return 1
  })

// A getter with a setter has the type of what it gives.
const counting = app.decorate('count', { getter: () => 1, setter: (value: number) => void value })
expectType<number>(counting.count)
expectError((counting.count = 'x'))

// A name is taken where the scope has it, once for each of the three kinds.
const taken = app.decorate('a', 1).decorateRequest('b', 1).decorateReply('c', 1)
expectError(taken.decorate('a', 1))
expectError(taken.decorateRequest('b', 1))
expectError(taken.decorateReply('c', 1))
const elsewhere = taken.decorateReply('a', 'x').decorate('b', 'x').decorateRequest('c', 'x')
expectType<string>(elsewhere.b)

// The names of the framework itself are taken.
expectType<number>(app.decorate('params', 1).params)
expectError(app.decorate('get', 1))
expectError(app.decorate('prefix', '/x'))
expectError(app.decorate('register', 1))
expectError(app.decorateRequest('params', 1))
expectError(app.decorateRequest('query', 1))
expectError(app.decorateRequest('headers', 1))
expectError(app.decorateRequest('body', 1))
expectError(app.decorateRequest('server', 1))
expectError(app.decorateReply('send', 1))
expectError(app.decorateReply('code', 1))

// Nothing becomes thenable by a decorator.
expectType<number>(app.decorate('than', 1).than)
expectError(app.decorate('then', () => 1))
expectError(app.decorateReply('then', () => 1))

// Dependencies are names.
expectType<number>(app.decorate('size', 1, ['db']).size)
expectError(app.decorate('size', 1, [1]))

// Whether a decorator is there can be asked by name.
expectType<boolean>(app.hasDecorator('size'))
expectType<boolean>(app.hasRequestDecorator('user'))
expectType<boolean>(app.hasReplyDecorator(Symbol('fail')))
expectError(app.hasDecorator(1))

// Placeholders do not multiply: the request stays one type, and no union of one for each value.
type Members<Type, Whole = Type> = Type extends unknown ? ([Whole] extends [Type] ? 1 : 'many') : 0
app
  .decorateRequest('one', null as User | null)
  .decorateRequest('two', false as boolean)
  .addHook('onRequest', async (request) => {
    expectType<1>({} as Members<typeof request>)
    request.two = true
    if (request.one !== null) expectType<string>(request.one.name)
  })

// What has any type can be assigned; what is named by any text adds nothing.
declare const anything: any
declare const anyName: string
espalier()
  .decorateRequest('user', anything)
  .addHook('onRequest', async (request) => void (request.user = 1))
espalier()
  .decorateRequest(anyName, 5)
  .get('/', (request) => {
    expectError(request.whatever)
    return 1
  })
expectError(espalier().decorate(anyName, 5).whatever)

// A decorator of replies that gives the reply back gives the one that it is called on, which takes what its route says.
const Named = t.Object({ name: t.String() })
const chained = espalier()
  .decorateReply('cookie', function (name: string, value?: string) {
    return this.header('set-cookie', `${name}=${value}`)
  })
  .decorateReply('gone', function () {
    return this.code(410)
  })
  .decorateReply('itself', function () {
    return this
  })
  .decorateReply('loose', function (): unknown {
    return this
  })
chained.get('/a', { schema: { response: { 200: Named, 201: t.Null() } } }, (_request, reply) => {
  expectError(reply.cookie('a').send({ name: 1 }))
  expectError(reply.code(201).cookie('a').itself().send({ name: 'a' }))
  expectError(reply.cookie(1))
  expectType<unknown>(reply.loose())
  return reply.itself().cookie('a', 'b').cookie('c').send({ name: 'a' })
})
chained.get('/b', (_request, reply) => reply.cookie('a').gone().send('any'))
const cookies = plugin<{ reply: { cookie: (name: string) => unknown } }>()(async (scope) =>
  scope.get('/', (_request, reply) => {
    reply.cookie('a')
    return 1
  }),
)
chained.register(cookies)
expectError(espalier().decorateReply('cookie', 1).register(cookies))

// In a method of a decorated object, `this` is the object; in a function and in a getter it is what is decorated.
const service = espalier().decorate('service', {
  size: 1,
  grown(by: number) {
    return this.size + by
  },
  twice(): number {
    return this.grown(this.size)
  },
})
expectType<number>(service.service.grown(1))
expectType<number>(service.service.twice())
espalier()
  .decorate('none', { get: () => 1, other: null })
  .decorate('nothing', null)
espalier().decorateRequest('agent', {
  getter() {
    return this.headers['user-agent']
  },
})

// A name may be a symbol, which no other plugin can take.
const own: unique symbol = Symbol('own')
declare const unsure: symbol
const marked = espalier()
  .decorate(own, { n: 1 })
  .decorateRequest(own, 1)
  .decorateReply(own, 'x')
  .decorate(unsure, 1)
expectType<{ n: number }>(marked[own])
marked.get('/', (request, reply) => {
  expectType<number>(request[own])
  expectType<string>(reply[own])
  return null
})
expectError(marked.decorate(own, 1))
expectError(marked.decorateRequest(own, 1))
const byMark = plugin<{ server: { [own]: { n: number } } }>()(async (scope) =>
  scope.get('/n', () => scope[own].n),
)
marked.register(byMark)
expectError(espalier().register(byMark))
expectError(espalier().decorate(own, 'text').register(byMark))
