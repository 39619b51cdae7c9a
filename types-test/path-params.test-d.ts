// The parameters of a path are known from the path, and typed by the schema where there is one.
import espalier, { defineRoute, plugin, t } from 'espalier'
import { expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier()

// A path without parameters has none.
app.get('/plain', ({ params }) => {
  expectType<false>(isAny(params))
  expectType<{}>(params)
  expectError(params.id)
  return 1
})

// Each name with a colon is one, as a string.
app.get('/users/:user/posts/:post', ({ params }) => {
  expectType<false>(isAny(params))
  expectType<{ user: string; post: string }>(params)
  expectError(params.id)
  return 1
})

// A star takes the rest.
app.get('/files/:id/*', ({ params }) => {
  expectType<{ id: string; '*': string }>(params)
  expectError(params.rest)
  return 1
})
app.get('*', ({ params }) => {
  expectType<{ '*': string }>(params)
  return 1
})

// The last one may be optional.
app.get('/users/:id?', ({ params }) => {
  expectType<string | undefined>(params.id)
  expectError<string>(params.id)
  return 1
})
app.get('/:lang/users/:id?', ({ params }) => {
  expectType<string>(params.lang)
  expectType<string | undefined>(params.id)
  expectError(params.other)
  return 1
})

// A name ends at a dash, at a dot, and at a regular expression.
app.get('/:from-:to', ({ params }) => {
  expectType<{ from: string; to: string }>(params)
  expectError(params.until)
  return 1
})
app.get('/:name.:extension', ({ params }) => {
  expectType<{ name: string; extension: string }>(params)
  expectError(params.base)
  return 1
})
app.get('/:id(^\\d+$)', ({ params }) => {
  expectType<{ id: string }>(params)
  expectError(params.d)
  return 1
})

// What follows a regular expression is path again, be there parentheses within.
app.get('/:id(^(a|b(c))$)/:next', ({ params }) => {
  expectType<{ id: string; next: string }>(params)
  expectError(params.b)
  return 1
})
app.get('/at/:hour(^\\d{2})h:minute(^\\d{2})m', ({ params }) => {
  expectType<{ hour: string; minute: string }>(params)
  expectError(params.h)
  return 1
})
app.get('/file/:name(^\\w+).:extension', ({ params }) => {
  expectType<{ name: string; extension: string }>(params)
  expectError(params.w)
  return 1
})

// Two colons are a colon, also within a name, as the router has it.
app.get('/name::verb', ({ params }) => {
  expectType<{}>(params)
  expectError(params.verb)
  return 1
})
app.get('/:name::verb', ({ params }) => {
  expectType<string>(params['name::verb'])
  expectError(params.verb)
  return 1
})

// A path that is known at run time only may have any parameters.
declare const somewhere: string
app.get(somewhere, ({ params }) => {
  expectType<{ [name: string]: string }>(params)
  expectError<number>(params['id'])
  return 1
})

// A schema types them.
app.get('/users/:id', { schema: { params: { id: t.Integer() } } }, ({ params }) => {
  expectType<false>(isAny(params))
  expectType<{ id: number }>(params)
  expectError(params.name)
  return 1
})
app.get('/users/:id', { schema: { params: t.Object({ id: t.Integer() }) } }, ({ params }) => {
  expectType<{ id: number }>(params)
  expectError(params.name)
  return 1
})

// It must not name what the path has not, in any of its forms.
expectError(app.get('/users/:id', { schema: { params: { uid: t.Integer() } } }, () => 1))
expectError(app.get('/users/:id', { schema: { params: t.Object({ uid: t.Integer() }) } }, () => 1))
expectError(
  app.get('/users/:id', { schema: { params: { id: t.Integer(), uid: t.Integer() } } }, () => 1),
)
expectError(
  app.get(
    '/users/:id',
    { schema: { params: { type: 'object', properties: { uid: { type: 'integer' } } } } },
    () => 1,
  ),
)
expectError(app.get('/plain', { schema: { params: { id: t.Integer() } } }, () => 1))

// It may name an optional one, and the star.
app.get('/users/:id?', { schema: { params: { id: t.Optional(t.Integer()) } } }, ({ params }) => {
  expectType<number | undefined>(params.id)
  expectError(params.name)
  return 1
})
app.get('/files/*', { schema: { params: { '*': t.String() } } }, ({ params }) => {
  expectType<{ '*': string }>(params)
  expectError(params.id)
  return 1
})

// The parameters of the prefix count.
app.register(
  (user) => {
    user.get(
      '/:post',
      { schema: { params: { user: t.Integer(), post: t.Integer() } } },
      ({ params }) => {
        expectType<{ user: number; post: number }>(params)
        expectError(params.other)
        return 1
      },
    )
    expectError(user.get('/:post', { schema: { params: { other: t.Integer() } } }, () => 1))
    return user
  },
  { prefix: '/u/:user' },
)

// The same for every method, and for `route` under both names of its path.
app.delete('/users/:id', ({ params }) => {
  expectType<{ id: string }>(params)
  expectError(params.uid)
  return 1
})
app.all('/users/:id', ({ params }) => {
  expectType<{ id: string }>(params)
  expectError(params.uid)
  return 1
})
app.route({
  method: 'GET',
  url: '/users/:id',
  handler: ({ params }) => {
    expectType<{ id: string }>(params)
    expectError(params.uid)
    return 1
  },
})
app.route({
  method: 'GET',
  path: '/users/:id',
  schema: { params: { id: t.Integer() } },
  handler: ({ params }) => {
    expectType<{ id: number }>(params)
    expectError(params.uid)
    return 1
  },
})
expectError(
  app.route({
    method: 'GET',
    url: '/users/:id',
    schema: { params: { uid: t.Integer() } },
    handler: () => 1,
  }),
)

// What the path has is there, though plain JSON Schema does not require it.
const Id = { type: 'object', properties: { id: { type: 'integer' } } } as const
app.get('/users/:id', { schema: { params: Id } }, ({ params }) => {
  expectType<number>(params.id)
  expectError(params.name)
  return 1
})
app.get('/users/:id', { schema: { params: { id: { type: 'integer' } } } }, ({ params }) => {
  expectType<number>(params.id)
  expectError<string>(params.id)
  return 1
})
app.get('/users/:id?', { schema: { params: Id } }, ({ params }) => {
  expectType<number | undefined>(params.id)
  expectError<number>(params.id)
  return 1
})
app.get(somewhere, { schema: { params: Id } }, ({ params }) => {
  expectType<number | undefined>(params.id)
  expectError<number>(params.id)
  return 1
})

// A parameter that the schema does not name is text, unless the schema is closed.
const Org = t.Object({ org: t.Integer() })
app.get('/:org/:repo', { schema: { params: Org } }, ({ params }) => {
  expectType<{ org: number; repo: string }>({ ...params })
  expectError(params.other)
  return 1
})
app.get('/:org/:repo?', { schema: { params: { org: { type: 'integer' } } } }, ({ params }) => {
  expectType<{ org: number; repo?: string }>({ ...params })
  expectError<string>(params.repo)
  return 1
})
app.get('/:org/*', { schema: { params: { org: t.Integer() } } }, ({ params }) => {
  expectType<string>(params['*'])
  expectError(params.rest)
  return 1
})
const ClosedOrg = t.Object({ org: t.Integer() }, { additionalProperties: false })
app.get('/:org/:repo', { schema: { params: ClosedOrg } }, ({ params }) => {
  expectType<number>(params.org)
  expectError(params.repo)
  return 1
})
app.register(
  (user) => {
    user.get('/:post', { schema: { params: { post: { type: 'integer' } } } }, ({ params }) => {
      expectType<{ user: string; post: number }>({ ...params })
      expectError(params.other)
      return 1
    })
    return user
  },
  { prefix: '/by/:user' },
)

// The parameter of a prefix is one that the schema need not name, in all of its forms.
app
  .addSchema(t.Object({ id: t.Integer() }, { $id: 'id' }))
  .addSchema(t.Object({ id: t.Integer() }, { $id: 'only-id', additionalProperties: false }))
  .register(
    async (below) => {
      below.get('/:id', { schema: { params: { id: t.Integer() } } }, ({ params }) => {
        expectType<{ tenant: string; id: number }>({ ...params })
        expectError(params.other)
        return 1
      })
      below.get('/:id', { schema: { params: t.Object({ id: t.Integer() }) } }, ({ params }) => {
        expectType<{ tenant: string; id: number }>({ ...params })
        expectError(params.other)
        return 1
      })
      below.get('/:id', { schema: { params: t.Ref('id#') } }, ({ params }) => {
        expectType<{ tenant: string; id: number }>({ ...params })
        expectError(params.other)
        return 1
      })
      below.get('/:id', { schema: { params: { $ref: 'id#' } } }, ({ params }) => {
        expectType<{ tenant: string; id: number }>({ ...params })
        expectError(params.other)
        return 1
      })
      const both = t.Intersect([t.Object({ id: t.Integer() }), t.Object({})])
      below.get('/:id', { schema: { params: both } }, ({ params }) => {
        expectType<{ tenant: string; id: number }>({ ...params })
        expectError(params.other)
        return 1
      })
      const either = t.Union([
        t.Object({ id: t.Integer() }),
        t.Object({ id: t.Boolean() }),
        t.Null(),
      ])
      below.get('/:id', { schema: { params: either } }, ({ params }) => {
        expectError<string>(params?.tenant)
        if (params !== null) expectType<string>(params.tenant)
        if (params !== null) expectType<number | boolean>(params.id)
        return 1
      })
      const closed = t.Object({ id: t.Integer() }, { additionalProperties: false })
      below.get('/:id', { schema: { params: t.Ref('only-id#') } }, ({ params }) => {
        expectType<number>(params.id)
        expectError(params.tenant)
        return 1
      })
      const partly = t.Intersect([closed, t.Object({})])
      below.get('/:id', { schema: { params: partly } }, ({ params }) => {
        expectType<number>(params.id)
        expectError(params.tenant)
        return 1
      })
      const maybe = t.Union([closed, t.Object({ id: t.Boolean() })])
      below.get('/:id', { schema: { params: maybe } }, ({ params }) => {
        expectType<number | boolean>(params.id)
        expectError(params.tenant)
        return 1
      })
    },
    { prefix: '/tenants/:tenant' },
  )

// A flag or a literal beside it changes nothing in that.
app.get('/:on/:name', { schema: { params: { on: t.Boolean() } } }, ({ params }) => {
  expectType<{ on: boolean; name: string }>({ ...params })
  expectError(params.other)
  return 1
})
app.get('/:on/:name?', { schema: { params: t.Object({ on: t.Literal(1) }) } }, ({ params }) => {
  expectType<{ on: 1; name?: string }>({ ...params })
  expectError<string>(params.name)
  return 1
})

// Where the schema says of what type others are, one that it does not name is of that type, in calls too.
const Others = t.Object({ on: t.Boolean() }, { additionalProperties: t.Integer() })
const counts = { type: 'object', additionalProperties: { type: 'integer' } } as const
const numbered = app
  .get('/numbered/:on/:size', { schema: { params: Others } }, ({ params }) => {
    expectType<{ on: boolean; size: number }>({ ...params })
    expectError(params.other)
    return 1
  })
  .get('/numbered/:size', { schema: { params: counts } }, ({ params }) => {
    expectType<number>(params.size)
    expectType<number | undefined>(params['other'])
    expectError<string>(params.size)
    return 1
  })
  .get('/numbered/:size/of/:all?', { schema: { params: counts } }, ({ params }) => {
    expectType<number>(params.size)
    expectType<number | undefined>(params.all)
    expectError<number>(params.all)
    return 1
  })
app
  .addSchema('others', Others)
  .get('/shared/:on/:size', { schema: { params: t.Ref('others#') } }, ({ params }) => {
    expectType<boolean>(params.on)
    expectError(params.size)
    return 1
  })
const local = t.Object(
  {},
  { additionalProperties: t.Ref('#/$defs/size'), $defs: { size: t.Integer() } },
)
app.get('/local/:on/:size', { schema: { params: local } }, ({ params }) => {
  expectType<number>(params.size)
  return 1
})
numbered.inject('GET /numbered/:on/:size', { params: { on: true, size: 1 } })
expectError(numbered.inject('GET /numbered/:on/:size', { params: { on: true, size: 'a' } }))
numbered.inject('GET /numbered/:size', { params: { size: '1' } })
expectError(numbered.inject('GET /numbered/:size', { params: { size: 'a' } }))
expectError(numbered.inject('GET /numbered/:size/of/:all?', { params: { all: 1 } }))

// Nor may one of several schemas that hold together name what the path has not.
const Both = t.Intersect([t.Object({ id: t.Integer() }), t.Object({ tag: t.String() })])
app.get('/all/:id/:tag', { schema: { params: Both } }, ({ params }) => {
  expectType<number>(params.id)
  expectError(params.other)
  return 1
})
app.get(
  '/all/:id',
  { schema: { params: { allOf: [{ properties: { id: {} } }, { required: ['id'] }] } } },
  () => 1,
)
expectError(app.get('/all/:id', { schema: { params: Both } }, () => 1))
expectError(
  app.get('/all/:id', { schema: { params: { allOf: [{ properties: { uid: {} } }] } } }, () => 1),
)

// A path without parameters has those of its prefix, whatever its schema leaves out; so has one with a wildcard.
app.register(
  async (child) => {
    child.get('/', { schema: { params: t.Object({}) } }, ({ params }, _reply) => {
      expectType<string>(params.list)
    })
    child.get('/*', { schema: { params: t.Object({}) } }, ({ params }, _reply) => {
      expectType<string>(params['*'])
    })
    const closed = t.Object({}, { additionalProperties: false })
    child.get('/', { schema: { params: closed } }, ({ params }, _reply) => {
      expectError(params.list)
    })
  },
  { prefix: '/short/:list' },
)

// A plugin in a file of its own does not know its prefix: its schemas name the parameters of that beside all of the path.
const items = plugin()(async (below) =>
  below
    .get('/', { schema: { params: { list: t.Integer() } } }, ({ params }) => {
      expectType<{ list: number }>(params)
      return params.list
    })
    .get(
      '/:item',
      { schema: { params: t.Object({ list: t.Integer(), item: t.Integer() }) } },
      ({ params }) => {
        expectType<{ list: number; item: number }>(params)
        return params.item
      },
    )
    .get(
      '/plain/:item',
      {
        schema: {
          params: {
            type: 'object',
            properties: { list: { type: 'integer' }, item: {} },
            required: ['list'],
          },
        },
      },
      ({ params }) => {
        expectType<number>(params.list)
        return 1
      },
    ),
)
const one = defineRoute({
  method: 'GET',
  url: '/one',
  schema: { params: { list: t.Integer() } },
  handler: ({ params }) => params.list,
})
const lists = app.register(items, { prefix: '/lists/:list' })
lists.inject('GET /lists/:list', { params: { list: 1 } })
lists.inject('GET /lists/:list/:item', { params: { list: 1, item: 2 } })
expectError(lists.inject('GET /lists/:list/:item', { params: { item: 2 } }))
app.register((below) => below.route(one), { prefix: '/lists/:list' })
app.register((below) => below.get('/x', { schema: { params: { id: t.Integer() } } }, () => 1), {
  prefix: '/y' as string,
})
expectError(app.route(one))
plugin()(async (below) => {
  expectError(below.get('/:item', { schema: { params: { itm: t.Integer() } } }, () => 1))
  expectError(below.get('/:item', { schema: { params: t.Object({ itm: t.Integer() }) } }, () => 1))
  expectError(below.get('/:item', { schema: { params: { list: t.Integer() } } }, () => 1))
  return below
})

// A schema that is one of two: a handler reads either, and both are asked for their names.
declare const flag: boolean
const byNumber = t.Object({ id: t.Integer() })
const misnamed = t.Object({ ide: t.Integer() })
app.get(
  '/:id',
  { schema: { params: flag ? byNumber : t.Object({ id: t.String() }) } },
  (request) => {
    expectType<number | string>(request.params.id)
    return 1
  },
)
expectError(app.get('/:id', { schema: { params: flag ? byNumber : misnamed } }, () => 1))
expectError(
  app.get('/:id', { schema: { params: flag ? { id: t.String() } : { ide: t.String() } } }, () => 1),
)
