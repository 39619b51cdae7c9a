import { shared, plugin, t, type Server } from 'espalier'
export const clock = plugin().shared(async (app) =>
  app.decorate('now', () => new Date()).get('/now', () => ({ at: new Date() })),
)
export const posts = async (app: Server) =>
  app.get(
    '/posts/:slug',
    { schema: { querystring: { type: 'object', properties: { q: { type: 'string' } } } } },
    ({ params }) => ({ slug: params.slug }),
  )
export const tree = t.Recursive((This) => t.Object({ next: t.Array(This) }), { $id: 'tree' })
export const local = shared((app: Server) => app.get('/local', () => 1))
const Base = t.Object({
  a: t.Optional(t.String({ format: 'date' })),
  r: t.Readonly(t.Integer()),
  e: t.Enum({ x: 'x', y: 1 } as const),
  n: t.Integer({ nullable: true }),
})
export const many = async (app: Server) =>
  app
    .post(
      '/many',
      {
        schema: {
          body: t.Intersect([Base, t.Object({ z: t.Never() })]),
          response: {
            200: t.Partial(Base),
            201: t.Pick(Base, ['a']),
            202: t.Omit(Base, ['a']),
            '4xx': t.Required(Base),
            300: t.KeyOf(Base),
            301: t.Composite([Base]),
            default: t.Unsafe<{ a: 1 }>({ type: 'object' }),
          },
        },
      },
      () => ({}),
    )
    .post(
      '/more',
      {
        schema: {
          body: t.Not(t.Null()),
          querystring: {
            f: t.TemplateLiteral('a${string}'),
            g: t.Const({ a: 1 }),
            h: t.Index(Base, ['r']),
            i: t.Mapped(t.Union([t.Literal('k')]), () => t.Any()),
            j: t.ReadonlyOptional(t.Unknown()),
          },
        },
      },
      () => 1,
    )
export const code = t
  .Transform(t.String())
  .Decode((v) => Number(v))
  .Encode(String)
