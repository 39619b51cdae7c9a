// Many requests on raw sockets, one after the other on each: one client in a hundred leaves early.
import { connect, type Socket } from 'node:net'
import { AnswerReader } from './scale-answer.ts'
import { bytesOf, type Kind, kinds } from './scale-mix.ts'

/** What came of requests. */
export interface Outcome {
  /** Rightly. */
  answered: number
  /** Their clients left early. */
  left: number
  wrong: number
  /** The connection was lost before the answer was whole. */
  broken: number
  /** No answer came for as long as we had patience. */
  waiting: number
  /** The first answer that was wrong, or the first error. */
  first?: string | undefined
}

const lanes = 64
const patience = 10_000
/** After it a client leaves the slow handler. */
const meanwhile = 2

const bytes = new Map(kinds.map((kind) => [kind, bytesOf(kind.scenario)]))
const mix = kinds.flatMap((kind) => Array.from({ length: kind.weight }, () => kind))

interface Request {
  readonly kind: Kind
  readonly bytes: Buffer
  readonly leaves: boolean
  /** Whether the client that leaves resets the connection, or closes it. */
  readonly resets: boolean
}

function requestOf(number: number): Request {
  const leaves = number % 100 === 99
  const turn = Math.floor(number / 100)
  const kind = (leaves ? kinds[turn % kinds.length] : mix[number % mix.length]) as Kind
  const resets = Math.floor(turn / kinds.length) % 2 === 0
  return { kind, bytes: bytes.get(kind) ?? Buffer.alloc(0), leaves, resets }
}

/** The requests of all lanes, and what came of them. */
class Run {
  readonly outcome: Outcome = { answered: 0, left: 0, wrong: 0, broken: 0, waiting: 0 }
  readonly #requests: number
  #next = 0
  #stopped = false

  constructor(requests: number) {
    this.#requests = requests
  }

  take(): Request | undefined {
    return this.#next < this.#requests ? requestOf(this.#next++) : undefined
  }

  get settled(): number {
    const { answered, left, wrong, broken } = this.outcome
    return answered + left + wrong + broken
  }

  get isStopped(): boolean {
    return this.#stopped
  }

  get isOver(): boolean {
    return this.#stopped || this.#next >= this.#requests
  }

  /** What has no answer yet gets none. */
  stop(): void {
    this.#stopped = true
  }

  fail(why: string, request: Request, what: 'wrong' | 'broken' | 'waiting'): void {
    this.outcome[what]++
    this.outcome.first ??= `${request.kind.scenario.key}: ${why}`
  }
}

/** One connection after the other. */
class Lane {
  readonly #port: number
  readonly #run: Run
  readonly #end: (lane: Lane) => void
  #socket: Socket
  #request: Request | undefined
  #reader = new AnswerReader()
  #error = ''

  constructor(port: number, run: Run, end: (lane: Lane) => void) {
    this.#port = port
    this.#run = run
    this.#end = end
    this.#socket = this.#open()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #open(): Socket {
    this.#error = 'the server closed the connection'
    return connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
      .on('connect', () => this.#ask())
      .on('data', (part) => this.#read(part))
      .on('error', ({ message }) => (this.#error = message))
      .on('close', () => this.#closed())
  }

  #ask(): void {
    this.#request = this.#run.take()
    const { bytes, kind, leaves } = this.#request ?? {}
    if (!bytes) return void this.#socket.end()
    this.#reader = new AnswerReader()
    if (!leaves || kind?.leaves === 'answered') this.#socket.write(bytes)
    else if (kind?.leaves === 'half') {
      this.#socket.write(bytes.subarray(0, -500), () => this.#leave())
    } else {
      const delay = kind?.leaves === 'working' ? meanwhile : 0
      this.#socket.write(bytes, () => setTimeout(() => this.#leave(), delay))
    }
  }

  #read(part: Buffer): void {
    const request = this.#request
    if (!request) return
    if (request.leaves) {
      if (request.kind.leaves === 'answered') this.#leave()
      return
    }
    if (!this.#reader.add(part)) return
    if (this.#reader.is(request.kind.scenario.answer)) this.#run.outcome.answered++
    else this.#run.fail(this.#reader.begin, request, 'wrong')
    this.#ask()
  }

  #leave(): void {
    const request = this.#request
    if (!request) return
    this.#request = undefined
    this.#run.outcome.left++
    if (request.resets) this.#socket.resetAndDestroy()
    else this.#socket.destroy()
  }

  #closed(): void {
    const what = this.#run.isStopped ? 'waiting' : 'broken'
    if (this.#request) this.#run.fail(this.#error, this.#request, what)
    this.#request = undefined
    if (this.#run.isOver) this.#end(this)
    else this.#socket = this.#open()
  }
}

/** Sends requests to a server, and tells what came of them. Gives up when nothing comes for some seconds. */
export async function runRequests(port: number, requests: number): Promise<Outcome> {
  const run = new Run(requests)
  const open = new Set<Lane>()
  await new Promise<void>((done) => {
    let before = -1
    const watch = setInterval(() => {
      if (run.settled > before) return void (before = run.settled)
      run.stop()
      for (const lane of open) lane.destroy()
    }, patience)
    const end = (lane: Lane) => {
      open.delete(lane)
      if (open.size > 0) return
      clearInterval(watch)
      done()
    }
    for (let count = 0; count < Math.min(lanes, requests); count++)
      open.add(new Lane(port, run, end))
  })
  return run.outcome
}
