import espalier, { t } from '../src/index.ts'
const show = async (name: string, entry: any, make: (reply: any) => any, status = 404) => {
  try {
    const app = espalier().get('/', { schema: { response: { [status]: entry } } } as any, ((_r: any, reply: any) => make(reply.code(status))) as any)
    const r = await app.inject('/')
    console.log(name, r.statusCode, r.headers['content-type'], JSON.stringify(r.body))
  } catch (e: any) { console.log(name, 'ERR', e.message) }
}
await show('null send()', t.Null(), (r) => r.send())
await show('null send(null)', t.Null(), (r) => r.send(null))
await show('null 200', t.Null(), (r) => r.send(null), 200)
await show('null 204', t.Null(), (r) => r.send(null), 204)
await show('nullable obj', t.Union([t.Object({ a: t.Integer() }), t.Null()]), (r) => r.send(null), 200)
await show('nullable str', t.Union([t.String(), t.Null()]), (r) => r.send(null), 200)
await show('nullable str text', t.Union([t.String(), t.Null()]), (r) => r.send('x'), 200)
await show('integer', t.Integer(), (r) => r.send(5), 200)
await show('enum', t.Union([t.Literal('a'), t.Literal(1)]), (r) => r.send('a'), 200)
await show('date', (t as any).Date?.() , (r) => r.send(new Date()), 200)
await show('never', t.Never(), (r) => r.send(), 200)
await show('bare', { description: 'x' }, (r) => r.send(), 200)
await show('array of null', t.Array(t.Null()), (r) => r.send([null]), 200)
console.log(Object.keys(t).join(' '))
