// t.BigInt: a bigint for handlers, a number or a bigint for those who read JSON.
import espalier, {
  httpError,
  t,
  type Input,
  type Output,
  type Payload,
  type Received,
} from 'espalier'
import { client, exactJson } from 'espalier/client'
import { expectAssignable, expectError, expectType } from 'tsd'
import type { Equal } from './support.js'

const Id = t.BigInt({ minimum: 1n, maximum: 100 })
expectType<true>({} as Equal<Output<typeof Id>, bigint>)
expectType<true>({} as Equal<Payload<typeof Id>, bigint>)
expectType<true>({} as Equal<Input<typeof Id>, number | bigint>)
expectType<true>({} as Equal<Received<typeof Id>, number | bigint>)

expectError(t.BigInt({ minimum: '1' }))
expectError(t.BigInt({ default: '1' }))

const Body = t.Object({
  id: t.BigInt(),
  none: t.BigInt({ nullable: true }),
  some: t.Optional(t.BigInt()),
  five: t.BigInt({ default: 5n }),
  list: t.Array(t.BigInt()),
  either: t.Union([t.BigInt(), t.String()]),
})
interface Read {
  id: bigint
  none: bigint | null
  some?: bigint
  five: bigint
  list: bigint[]
  either: bigint | string
}
expectType<true>({} as Equal<Output<typeof Body>, { [Key in keyof Read]: Read[Key] }>)
expectAssignable<Input<typeof Body>>({ id: 1, none: null, list: [1n, 2], either: 1n })

const Lost = httpError('Lost', 410, { id: t.BigInt() })
expectType<bigint>(new Lost({ id: 1n }).id)
expectError(new Lost({ id: '1' }))

const app = espalier()
  .addSchema(t.BigInt({ $id: 'id' }))
  .addResponses(Lost)
  .get(
    '/users/:id',
    {
      schema: {
        params: { id: t.BigInt() },
        querystring: { after: t.Optional(t.BigInt()) },
        response: { 200: t.Object({ id: t.BigInt(), parent: t.Ref('id') }) },
      },
    },
    ({ params, query }) => {
      expectType<bigint>(params.id)
      expectType<bigint | undefined>(query.after)
      return { id: params.id, parent: 1n }
    },
  )

// A plain schema of the same format is a number.
espalier().post(
  '/',
  { schema: { body: { type: 'integer', format: 'int64' } } },
  ({ body }) => `${body satisfies number}`,
)

expectError(
  espalier().get('/', { schema: { response: { 200: t.Object({ id: t.BigInt() }) } } }, () => ({
    id: 1,
  })),
)

const api = client<typeof app>('', { json: exactJson })
const response = await api('GET /users/:id', { params: { id: 1n }, query: { after: 2 } })
if (response.statusCode === 200) {
  expectType<number | bigint>(response.json().id)
  expectType<number | bigint>(response.json().parent)
}
if (response.statusCode === 410) expectType<number | bigint>(response.json().id)
const injected = await app.inject('GET /users/:id', { params: { id: '12' } }, { json: exactJson })
if (injected.statusCode === 200) expectType<number | bigint>(injected.json().id)
expectError(client('', { json: {} }))
