// Scopes that are written in place, below shared schemas, some of which have further ones of their own.
import espalier, { t } from 'espalier'

const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'scoped-user' })
const Post = t.Object({ title: t.String(), by: t.Ref('scoped-user#') }, { $id: 'scoped-post' })
const Tag = t.Object({ tag: t.String() }, { $id: 'scoped-tag' })
const Count = t.Object({ count: t.Integer() }, { $id: 'scoped-tag' })
const Deep = t.Object(
  { tag: t.Ref('scoped-tag#'), by: t.Ref('scoped-user#') },
  { $id: 'scoped-deep' },
)

const one = { response: { 200: t.Ref('scoped-user#') } }
const john = { id: 1, name: 'John' }

export const scopes = espalier()
  .addSchema(User)
  .addSchema(Post)
  .register(async (scope) => scope.get('/one', { schema: one }, () => john))
  .register(
    async (scope) =>
      scope
        .get('/two', { schema: { response: { 200: t.Ref('scoped-post#') } } }, () => ({
          title: '',
          by: john,
        }))
        .register(async (below) => below.get('/three', { schema: one }, () => john)),
    { prefix: '/v1' },
  )
  .register(async (scope) =>
    scope
      .addSchema(Tag)
      .get('/tag', { schema: { response: { 200: t.Ref('scoped-tag#') } } }, () => ({ tag: '' }))
      .register(async (below) =>
        below
          .addSchema(Deep)
          .get('/deep', { schema: { response: { 200: t.Ref('scoped-deep#') } } }, () => ({
            tag: { tag: '' },
            by: john,
          })),
      ),
  )
  .register(async (scope) =>
    scope
      .addSchema(Count)
      .get('/count', { schema: { response: { 200: t.Ref('scoped-tag#') } } }, () => ({ count: 1 })),
  )
  .get('/host', { constraints: { host: 'a' } }, () => ({ of: 'a' as const }))
  .register(async (scope) =>
    scope
      .addSchema(Tag)
      .get('/host', { schema: { response: { 200: t.Ref('scoped-tag#') } } }, () => ({ tag: '' })),
  )
export interface Scopes {
  readonly app: typeof scopes
}
