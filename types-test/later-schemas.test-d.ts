// A scope may add a shared schema whose id one below it has taken before: each route has that of its own scope.
import espalier, { t } from 'espalier'
import { expectType } from 'tsd'

const Text = t.Object({ text: t.String() }, { $id: 'kind' })
const Count = t.Object({ count: t.Integer() }, { $id: 'kind' })
const kind = { schema: { response: { 200: t.Ref('kind#') } } }

const loaded = await espalier().register(async (scope) =>
  scope
    .addSchema(Text)
    .get('/below', kind, () => ({ text: '' }))
    .register(async (below) => below.get('/deep', kind, () => ({ text: '' }))),
)
const app = loaded.addSchema(Count).get('/above', kind, () => ({ count: 1 }))
expectType<{ text: string }>((await app.inject('GET /below')).json())
expectType<{ text: string }>((await app.inject('GET /deep')).json())
expectType<{ count: number }>((await app.inject('GET /above')).json())
