import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import espalier from '../../src/index.ts'

const loopback = { port: 0, host: '127.0.0.1' }
const big = 'x'.repeat(20_000_000)

/** A promise that is kept from outside. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

function connectTo(url: string): Socket {
  return connect(Number(new URL(url).port), '127.0.0.1')
}

function requestFor(...paths: readonly string[]): string {
  return paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`).join('')
}

/** How often a text stands in another. */
function count(all: string, part: string): number {
  return all.split(part).length - 1
}

/** A server, one connection to it, and requests on that which the handlers have and nothing has answered. */
async function pipelined(paths: readonly string[]) {
  const [arrived, replies] = [gate(), gate()]
  let left = paths.length
  const wait = async (body: string): Promise<string> => {
    left -= 1
    if (left === 0) arrived.open()
    await replies.opened
    return body
  }
  const app = espalier()
    .get('/small', () => wait('small'))
    .get('/big', () => wait(big))
    .get('/at-once', () => {
      left -= 1
      if (left === 0) arrived.open()
      return big
    })
  const socket = connectTo(await app.listen(loopback))
  socket.write(requestFor(...paths))
  await arrived.opened
  return { app, socket, answer: replies.open }
}

const pipelines: readonly (readonly string[])[] = [
  ['/small', '/small'],
  ['/small', '/at-once'],
  ['/big', '/small'],
  ['/small', '/big'],
  ['/big', '/big', '/small', '/at-once', '/small'],
]
for (const paths of pipelines) {
  test(`closing waits for all replies of a connection: ${paths.join(', ')}`, async () => {
    const { app, socket, answer } = await pipelined(paths)
    const closed = app.close()
    answer()
    const all = await text(socket)
    assert.equal(count(all, 'HTTP/1.1 200 OK'), paths.length)
    const bodies = paths.map((path) => (path === '/small' ? 5 : big.length))
    const lengths = [...all.matchAll(/content-length: (\d+)/g)].map(([, length]) => Number(length))
    assert.deepEqual(lengths, bodies)
    const heads = [...all.matchAll(/HTTP\/1\.1 .*?\r\n\r\n/gs)].map(([head]) => head.length)
    const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)
    assert.equal(all.length, sum(heads) + sum(bodies))
    await closed
  })
}

test('closing waits until a client that reads slowly has the whole of a reply', async () => {
  const { app, socket, answer } = await pipelined(['/big'])
  socket.pause()
  answer()
  const closed = app.close()
  let looks = 0
  const { server } = app
  // The server has looked for idle connections several times before anything is read.
  await new Promise<void>((resolve) => {
    const close = server.closeIdleConnections.bind(server)
    const timer = setInterval(() => {
      close()
      looks += 1
      if (looks < 5) return
      clearInterval(timer)
      resolve()
    }, 10)
  })
  const all = await text(socket)
  assert.equal(all.length - all.indexOf('\r\n\r\n') - 4, big.length)
  await closed
})

test('a connection on which nothing was ever sent does not keep a server from closing', async () => {
  const app = espalier()
  const url = await app.listen(loopback)
  const accepted = once(app.server, 'connection')
  const socket = connectTo(url)
  await accepted
  await Promise.all([app.close(), once(socket.resume(), 'close')])
})

test('a head, or a body, that does not come while a server closes is given up in time', async () => {
  const app = espalier({ requestTimeout: 300 }).post('/', () => 'ok')
  const url = await app.listen(loopback)
  const [head, body] = [connectTo(url), connectTo(url)]
  const accepted = [once(app.server, 'request'), once(app.server, 'connection')]
  head.write('GET / HTTP/1.1\r\nhost: ')
  body.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\n')
  await Promise.all(accepted)
  const closed = app.close()
  const answers = await Promise.all([text(head), text(body)])
  for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 408 /)
  await closed
})

test('a second close is harmless, and waits as the first does', async () => {
  const { app, socket, answer } = await pipelined(['/small'])
  const closings = [app.close(), app.close()]
  answer()
  assert.match(await text(socket), /small$/)
  await Promise.all([...closings, app.close()])
})

/** Sends requests on one kept connection, one after the other, until it is told or made to stop.
 *  @returns the replies, and why it stopped if it had to */
async function askOnAndOn(url: string, agent: Agent): Promise<{ oks: number; last: string }> {
  for (let oks = 0; ;) {
    let reply: IncomingMessage
    try {
      const request = get(url, { agent })
      ;[reply] = (await once(request, 'response')) as [IncomingMessage]
    } catch (error) {
      return { oks, last: String((error as NodeJS.ErrnoException).code) }
    }
    // A reply that was begun is whole: it would throw here.
    const body = await text(reply)
    if (reply.statusCode === 503) {
      assert.equal(reply.headers.connection, 'close')
      return { oks, last: '503' }
    }
    assert.equal(body, 'done')
    oks += 1
    if (reply.headers.connection === 'close') return { oks, last: 'close' }
  }
}

test('closing under the load of 50 kept connections loses no request that a handler had', async () => {
  const [warm, closing] = [gate(), gate()]
  let [begun, ended] = [0, 0]
  const app = espalier()
    .addHook('onResponse', async () => void (ended += 1))
    .get('/', async () => {
      begun += 1
      if (begun > 500) warm.open()
      await new Promise((resolve) => setTimeout(resolve, begun % 7))
      return 'done'
    })
    .addHook('preClose', async () => {
      closing.open()
    })
  const url = await app.listen(loopback)
  const agents = Array.from({ length: 50 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const clients = Promise.all(agents.map((agent) => askOnAndOn(url, agent)))
  await warm.opened
  const closed = app.close()
  await closing.opened
  const outcomes = await clients
  await closed
  for (const agent of agents) agent.destroy()
  const oks = outcomes.reduce((sum, each) => sum + each.oks, 0)
  assert.equal(oks, begun)
  assert.equal(ended, begun)
  // Between two requests, a connection may be closed before the next one is read.
  const known = ['503', 'close', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE']
  assert.deepEqual(
    outcomes.filter(({ last }) => !known.includes(last)),
    [],
  )
})
