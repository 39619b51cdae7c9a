// What the claims of `espalier/testing` say in the built package, by each compiler.
import './support/built.mjs'
import { test } from 'node:test'
import { mistakes } from 'espalier/testing'

const program = `
import espalier, { t } from 'espalier'
import { expectRoute, type RouteOf } from 'espalier/testing'

const item = t.Object({ at: t.String(), of: t.Object({ id: t.Integer() }) })
const response = { 200: t.Object({ name: t.String(), items: t.Array(item), age: t.Optional(t.Integer()) }) }
const body = { name: t.String() }
const app = espalier().put('/:id', { schema: { body, response } }, () => ({ name: '', items: [] }))
interface Item { at: string; of: { id: number } }
type Added = { name: string; items: Item[]; age?: number }

const put = expectRoute(app, 'PUT /:id')
put.replies(200).toEqualTypeOf<Added>()
put
  .replies(200)
  // error: Differs<"'name' of reply 200", { expected: number; found: string; }>
  .toEqualTypeOf<{
    name: number; items: Item[]; age?: number }>()
// error: Differs<"'items[].of.id' of reply 200", { expected: string; found: number; }>
put.replies(200).toEqualTypeOf<Omit<Added, 'items'> & { items: { at: string; of: { id: string } }[] }>()
// error: Differs<"'age' of reply 200 is optional", { expected: "not optional"; }>
put.replies(200).toEqualTypeOf<Required<Added>>()
// error: Differs<"'age' of reply 200 was not expected", { found: number | undefined; }>
put.replies(200).toEqualTypeOf<{ name: string; items: Item[] }>()
// error: Differs<"'more' of reply 200 is missing", { expected: Date; }>
put.replies(200).toEqualTypeOf<Added & { more: Date }>()
// error: 'name' of reply 200 is not readonly
put.replies(200).toEqualTypeOf<{ readonly name: string; items: Item[]; age?: number }>()
// error: Differs<"reply 200", { expected: never;
put.replies(200).toEqualTypeOf<never>()
// error: Differs<"the body does not fit", { expected: string; found: { name: string; }; }>
put.reads('body').toExtend<string>()
// error: Saying<"The route takes this value as body">
put.rejects('body', { name: '' })
// error: Argument of type '201' is not assignable to parameter of type '200'
put.replies(201)
// error: Argument of type '"GET /:id"' is not assignable to parameter of type '"PUT /:id"'
expectRoute(app, 'GET /:id')
// error: Type '"GET /:id"' does not satisfy the constraint '"PUT /:id"'
type None = RouteOf<typeof app, 'GET /:id'>
// error: There is no route 'GET /:id' in the type of this server
const none: None = 1
`

for (const typescript of ['typescript-5.9', 'typescript', 'typescript-7']) {
  test(`a claim that does not hold is an error on its line, by ${typescript}`, async () => {
    await mistakes({ 'test/program.ts': program }, { typescript })
  })
}
