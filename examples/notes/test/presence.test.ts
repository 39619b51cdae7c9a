// Who is here, over WebSockets.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { ClientError } from 'espalier/client'
import { socket } from 'espalier/socket'
import { WebSocket } from 'ws'
import { buildApp, type App } from '../src/app.ts'
import { presence } from '../src/database/tables.ts'
import { needsPostgres, newPlace, signUp, startService } from './support.ts'

const service = await startService()
const [ada, eve] = [await service.signUp('ada'), await service.signUp('eve')]
after(() => service.close())

const opener = (cookie: string, url = service.url) =>
  socket<App>(url, { WebSocket, headers: { cookie } })

/** Opens the page of somebody. `sees` waits for a list. */
async function enter({ cookie }: { cookie: string } = ada, url = service.url, limit = 0) {
  const signal = AbortSignal.timeout(20_000)
  const onOpen = () => void window.send({ doing: 'back' })
  const reconnect = { limit, wait: () => 50, onOpen }
  const window = await opener(cookie, url)('/presence', {}, { signal, reconnect })
  const lists = window[Symbol.asyncIterator]()
  const sees = async (...expected: string[]) => {
    for (;;) {
      const { value } = await lists.next()
      assert.ok(value, `closed before ${expected}`)
      const found = value.people.map(({ name, doing }) => `${name} ${doing}`)
      if (found.join() === expected.join()) return
    }
  }
  return { window, sees }
}

/** Closes the page of somebody. */
async function leave({ window }: Pick<Awaited<ReturnType<typeof enter>>, 'window'>) {
  window.close()
  await window.closed
}

test('without a session nobody gets in', async () => {
  await assert.rejects(
    opener('session=guess')('/presence'),
    (error) => error instanceof ClientError && /401/.test(error.message),
  )
})

test('all see who comes, what each does, and who goes', async () => {
  const first = await enter()
  await first.sees('ada ')
  const second = await enter(eve)
  await first.sees('ada ', 'eve ')
  second.window.send({ doing: 'making tea' })
  await first.sees('ada ', 'eve making tea')
  await leave(second)
  await first.sees('ada ')
  await leave(first)
})

test('a message that does not fit closes the socket', async () => {
  const { window } = await enter()
  window.send({ doing: 'x'.repeat(101) })
  assert.equal((await window.closed).code, 1007)
})

test('windows of a process that has crashed are forgotten', async () => {
  const me = await eve.api('GET /session')
  assert.equal(me.statusCode, 200)
  const userId = me.json().id
  const seenAt = new Date(Date.now() - 61_000)
  await service.app.db.insert(presence).values({ id: randomUUID(), userId, doing: 'gone', seenAt })
  const first = await enter()
  await first.sees('ada ', 'eve gone')
  await service.app.presence.renew()
  await first.sees('ada ')
  await leave(first)
})

test('it is seen in another process', { skip: needsPostgres }, async () => {
  const other = buildApp(service.config)
  const url = await other.listen({ port: 0, host: '127.0.0.1' })
  const first = await enter()
  const second = await enter(eve, url)
  await first.sees('ada ', 'eve ')
  await leave(second)
  await first.sees('ada ')
  await other.close()
  await leave(first)
})

test('who was cut off comes back to the next process, and says again what they do', async () => {
  const { config, remove } = await newPlace()
  const first = buildApp(config)
  const url = await first.listen({ port: 0, host: '127.0.0.1' })
  const { window, sees } = await enter(await signUp(first, url, 'bob'), url, 1000)
  await sees('bob ')
  await first.close()
  const next = buildApp(config)
  await next.listen({ port: Number(new URL(url).port), host: '127.0.0.1' })
  await sees('bob back')
  await leave({ window })
  await next.close()
  await remove()
})
