// An application that is bundled, with servers of both names and a logger.
import espalier, { t } from 'espalier'
import Fastify from 'fastify'

const lines = []
const stream = { write: (line) => lines.push(JSON.parse(line).msg) }
const own = espalier({ logger: { stream } }).get(
  '/:id',
  { schema: { params: { id: t.Integer() }, response: { 200: { id: t.Integer() } } } },
  ({ params }) => ({ id: params.id }),
)
const other = Fastify({ logger: { stream } })
other.get('/', async () => 'here')

const answers = [own.inject('/7'), own.inject('/x'), other.inject('/')]
const [found, refused, here] = await Promise.all(answers)
const code = await other.listen({ port: -1 }).catch((error) => error.code)
await Promise.all([own.close(), other.close()])
console.log(JSON.stringify([found.body, refused.json().code, here.body, lines.length, code]))
