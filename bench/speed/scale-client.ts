// The process of many clients. `scale-crowd.ts` starts it, and sends it tasks.
import { connect, type Socket } from 'node:net'
import { AnswerReader } from './scale-answer.ts'
import { bytesOf, kinds } from './scale-mix.ts'
import { type Outcome, runRequests } from './scale-run.ts'

/** What the clients are told to do. */
export interface Tasks {
  /** To open idle connections: each sends one request, and waits. Gives how many are open. */
  readonly open: (port: number, connections: number) => Promise<number>
  /** To send so many requests on one connection each, which is closed then. */
  readonly warm: (port: number, requests: number) => Promise<null>
  /** How many of them the server has closed. */
  readonly lost: () => number
  readonly close: () => Promise<null>
  readonly run: (port: number, requests: number) => Promise<Outcome>
}

const sockets = new Set<Socket>()
let lost = 0

/** So many are opened at a time: a server has a queue of so many that it has not accepted yet. */
const atOnce = 200

function openOne(port: number): Promise<void> {
  const scenario = kinds[0]?.scenario
  return new Promise((done, fail) => {
    if (!scenario) return fail(new Error('nothing is asked'))
    const reader = new AnswerReader()
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.on('connect', () => socket.write(bytesOf(scenario)))
    socket.on('error', fail).on('close', () => {
      if (sockets.delete(socket)) lost++
      fail(new Error('the server closed a connection before it answered'))
    })
    socket.on('data', (part) => {
      if (!reader.add(part)) return
      if (!reader.is(scenario.answer)) return fail(new Error(`a wrong answer: ${reader.begin}`))
      sockets.add(socket)
      done()
    })
  })
}

const tasks: Tasks = {
  async open(port, connections) {
    let left = connections
    const openSome = async () => {
      while (left-- > 0) await openOne(port)
    }
    await Promise.all(Array.from({ length: atOnce }, openSome))
    return sockets.size
  },
  async warm(port, requests) {
    for (let sent = 0; sent < requests; sent += atOnce) {
      await tasks.open(port, atOnce)
      await tasks.close()
    }
    return null
  },
  lost: () => lost,
  async close() {
    const closed = [...sockets].map((socket) => new Promise((done) => socket.once('close', done)))
    for (const socket of sockets) socket.end()
    sockets.clear()
    await Promise.all(closed)
    return null
  },
  run: runRequests,
}

process.on('message', ({ name, args }: { name: keyof Tasks; args: [number, number] }) => {
  const send = (message: object) => process.send?.(message)
  Promise.resolve(tasks[name](...args)).then(
    (value) => send({ value }),
    (error: unknown) => send({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
