// What servers of both names answer and log, however their packages came to be where they are.
const day = '2026-01-31'

/** What a server answers over a real socket, and the lines that it logs meanwhile. */
exports.answers = async function answers(factory, params) {
  const lines = []
  const stream = { write: (line) => lines.push(JSON.parse(line)) }
  const schema = { params, response: { 200: params } }
  const app = factory({ logger: { stream } })
  app.get('/users/:id/:day', { schema }, async (request) => ({ ...request.params, secret: 1 }))
  app.get('/broken', async () => {
    throw new RangeError('broken')
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const answers = []
  for (const path of [`/users/7/${day}`, `/users/x/${day}`, '/users/7/now', '/broken', '/lost']) {
    const response = await fetch(address + path)
    answers.push(`${response.status} ${await response.text()}`)
  }
  await app.close()
  const told = lines.map(({ msg, err }) => [msg.replace(address, 'here'), err?.type].join(' '))
  // Clients may hear of an answer before the server logs its end.
  return { answers, log: told.sort() }
}

/** The schema of the parameters, for servers that take plain JSON Schema. */
exports.params = {
  type: 'object',
  properties: { id: { type: 'integer' }, day: { type: 'string', format: 'date' } },
  required: ['id', 'day'],
}

exports.print = (...parts) => Promise.all(parts).then((all) => console.log(JSON.stringify(all)))
