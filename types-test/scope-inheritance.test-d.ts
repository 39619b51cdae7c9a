// What a scope has is seen by its handlers and by all scopes below it, and by no other scope.
import espalier, { t } from 'espalier'
import { expectError, expectType } from 'tsd'
import { isAny, type Equal } from './support.js'

class Clock {
  now(): number {
    return 0
  }
}

const root = espalier()
  .decorate('clock', new Clock())
  .decorateRequest('answer', 42)
  .decorateReply('ok', () => true)

// A server has what it was decorated with.
expectType<Clock>(root.clock)
expectError(espalier().clock)

// Decorating gives a new type; the server as it was before is not changed by it.
const bare = espalier()
const withLabel = bare.decorate('label', 'x')
expectType<string>(withLabel.label)
expectError(bare.label)

// A handler sees what its scope adds to requests.
root.get('/request', (request) => {
  expectType<false>(isAny(request))
  expectType<number>(request.answer)
  expectError(request.question)
  return 1
})

// A handler sees what its scope adds to replies, also after `code`.
root.get('/reply', (_request, reply) => {
  expectType<false>(isAny(reply))
  expectType<boolean>(reply.ok())
  expectType<boolean>(reply.code(200).header('x', 1).ok())
  expectError(reply.fail())
  return 1
})

// The server of a request, of a reply and of `this` is that of the scope.
root.get('/server', function (request, reply) {
  expectType<false>(isAny(this))
  expectType<false>(isAny(request.server))
  expectType<Clock>(this.clock)
  expectType<Clock>(request.server.clock)
  expectType<Clock>(reply.server.clock)
  expectType<number>(reply.request.answer)
  expectError(request.server.calendar)
  expectError(this.calendar)
  return 1
})

// A child sees what its ancestors have.
root.register(async (child) => {
  expectType<false>(isAny(child))
  expectType<Clock>(child.clock)
  expectError(child.calendar)
  return child.get('/', (request, reply) => {
    expectType<number>(request.answer)
    expectType<boolean>(reply.ok())
    expectError(request.question)
    return 1
  })
})

// A grandchild sees both generations above it.
root.register((child) =>
  child.decorateRequest('second', 'b').register((grandchild) => {
    expectType<false>(isAny(grandchild))
    return grandchild.decorateRequest('third', true).get('/', (request) => {
      expectType<number>(request.answer)
      expectType<string>(request.second)
      expectType<boolean>(request.third)
      expectError(request.fourth)
      return 1
    })
  }),
)

// What a child adds is not seen by its parent: not on requests, replies or the server.
const parent = root.register(async (child) =>
  child
    .decorate('calendar', 1)
    .decorateRequest('question', 'x')
    .decorateReply('fail', () => false)
    .get('/child', (request) => request.question),
)
parent.get('/after', (request, reply) => {
  expectType<number>(request.answer)
  expectError(request.question)
  expectError(reply.fail())
  return 1
})
expectType<Clock>(parent.clock)
expectError(parent.calendar)

// What a grandchild adds is seen neither by its parent nor by its grandparent.
root
  .register((child) =>
    child
      .register((grandchild) => grandchild.decorateRequest('deep', 1))
      .get('/parent', (request) => {
        expectType<number>(request.answer)
        expectError(request.deep)
        return 1
      }),
  )
  .get('/grandparent', (request) => {
    expectType<number>(request.answer)
    expectError(request.deep)
    return 1
  })

// What a child adds is not seen by its sibling.
root
  .register(async (child) => child.decorateRequest('question', 'x'))
  .register(async (sibling) =>
    sibling.get('/sibling', (request) => {
      expectType<number>(request.answer)
      expectError(request.question)
      return 1
    }),
  )

// So siblings may use one name for different things, while an ancestor's name is taken.
root
  .register((child) =>
    child.decorateRequest('mine', 1).get('/one', (request) => {
      expectType<number>(request.mine)
      return 1
    }),
  )
  .register((child) =>
    child.decorateRequest('mine', 'x').get('/two', (request) => {
      expectType<string>(request.mine)
      return 1
    }),
  )
  .register((child) => {
    expectError(child.decorateRequest('answer', 1))
    expectError(child.decorate('clock', 1))
    expectError(child.decorateReply('ok', 1))
    return child
  })

// A route sees what was there when it was declared.
espalier()
  .get('/early', (request) => {
    expectError(request.late)
    return 1
  })
  .decorateRequest('late', 1)
  .get('/late', (request) => {
    expectType<number>(request.late)
    return 1
  })

// A statement is checked against the scope as it is; what it adds is kept where its result is kept.
const statements = espalier()
statements.decorateRequest('dropped', 1)
const kept = statements.decorateRequest('kept', 1)
kept.get('/kept', (request) => {
  expectType<number>(request.kept)
  expectError(request.dropped)
  return 1
})

// Routes, hooks and compilers leave the decorators as they are.
const chain = root
  .get('/a', () => 1)
  .addHook('onRequest', async () => {})
  .setErrorHandler(() => 1)
  .setValidatorCompiler(() => () => true)
  .setSerializerCompiler(() => JSON.stringify)
  .after()
expectType<Clock>(chain.clock)
expectError(chain.calendar)

// A shared schema is seen below the scope that has it, and not above.
const withUser = espalier().addSchema(t.Object({ id: t.Integer() }, { $id: 'user' }))
withUser
  .register((child) =>
    child
      .addSchema(t.String({ $id: 'word' }))
      .post('/both', { schema: { body: { user: t.Ref('user#'), word: t.Ref('word#') } } }, (r) => {
        expectType<{ user: { id: number }; word: string }>(r.body)
        return 1
      }),
  )
  .post('/user', { schema: { body: t.Ref('user#') } }, ({ body }) => {
    expectType<{ id: number }>(body)
    return 1
  })
expectError(withUser.post('/word', { schema: { body: t.Ref('word#') } }, () => 1))

// A sibling's schema is not seen either.
withUser
  .register((child) => child.addSchema(t.String({ $id: 'word' })))
  .register((sibling) => {
    expectType<number>(sibling.getSchema('user').properties.id.static)
    expectError(sibling.getSchema('word'))
    expectError(sibling.post('/word', { schema: { body: t.Ref('word#') } }, () => 1))
    return sibling
  })

// Prefixes join from scope to scope, and are known inside of the plugin at once.
expectType<''>(espalier().prefix)
espalier().register(
  (outer) => {
    expectType<'/x'>(outer.prefix)
    return outer.register(
      (inner) => {
        expectType<'/x/y'>(inner.prefix)
        expectError<'/y'>(inner.prefix)
        return inner
      },
      { prefix: '/y' },
    )
  },
  { prefix: '/x' },
)

// A child without a prefix has that of its parent; a slash at the end is kept, once.
espalier().register(
  (outer) =>
    outer.register((inner) => {
      expectType<'/v1/'>(inner.prefix)
      expectError<''>(inner.prefix)
      return inner
    }),
  { prefix: '/v1/' },
)

// A prefix is part of the path of each route below it.
const prefixed = espalier().register(
  async (users) => users.get('/', () => 1).get('/:id', () => 'x'),
  { prefix: '/users' },
)
prefixed.inject('GET /users').then((response) => {
  expectType<number>(response.json())
})
prefixed.inject('GET /users/:id', { params: { id: 'a' } }).then((response) => {
  expectType<string>(response.json())
})
expectError(prefixed.inject('GET /:id', { params: { id: 'a' } }))

// The parameters of a prefix are parameters of its routes.
espalier().register(
  (user) =>
    user.get('/:post', ({ params }) => {
      expectType<{ user: string; post: string }>(params)
      expectError(params.other)
      return 1
    }),
  { prefix: '/u/:user' },
)

// Two scopes of the same additions have the same context, however many routes lie between.
expectType<Equal<typeof root.clock, typeof chain.clock>>(true)
expectError<Equal<typeof root.clock, number>>(true)
