// One worker for each processor. SIGHUP replaces them one after the other; SIGTERM ends all.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

const size = Number(process.env['WORKERS'] ?? availableParallelism())
/** Milliseconds that a worker has to listen, and to end. */
const bootTime = 30_000
const endTime = Number(process.env['END_MS'] ?? 30_000)
/** The program is broken if so many workers in a row end before they listen. */
const mostFailures = 5

const log = (text: string): void => {
  console.error(`[primary ${process.pid}] ${text}`)
}

/** The workers that listen. Others are starting or ending. */
const current = new Set<Worker>()
let isEnding = false
let isRolling = false
let failures = 0

/** Starts a worker. @returns whether it listens */
async function start(): Promise<boolean> {
  const worker = cluster.fork()
  const ended = new AbortController()
  worker.once('exit', (code, signal) => {
    ended.abort()
    if (current.delete(worker)) void replaceDead(worker, signal ?? code)
  })
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(bootTime)])
  try {
    await once(worker, 'listening', { signal })
  } catch {
    worker.process.kill('SIGKILL')
    return false
  }
  current.add(worker)
  failures = 0
  return true
}

/** Starts workers until one listens. Waits longer after each failure. Gives up if none listens. */
async function startOne(): Promise<void> {
  while (!isEnding && !(await start())) {
    if (isEnding) return
    failures += 1
    log(`a worker ended before it listened: ${failures}`)
    if (failures >= mostFailures && current.size === 0) {
      log('giving up')
      return end(1)
    }
    await wait(Math.min(100 * 2 ** failures, 30_000))
  }
}

async function replaceDead({ process: { pid } }: Worker, why: string | number): Promise<void> {
  if (isEnding) return
  log(`worker ${pid} died (${why})`)
  await wait(100)
  await startOne()
}

/** Asks a worker to end, and makes it end when its time is over. */
async function stop(worker: Worker): Promise<void> {
  current.delete(worker)
  if (worker.isDead()) return
  const late = setTimeout(() => worker.process.kill('SIGKILL'), endTime)
  worker.process.kill('SIGTERM')
  await once(worker, 'exit')
  clearTimeout(late)
}

/** Replaces the workers. Each new one listens before an old one ends. */
async function roll(): Promise<void> {
  if (isRolling || isEnding) return
  isRolling = true
  let isWhole = true
  for (const old of [...current]) {
    isWhole &&= !isEnding && (!current.has(old) || (await start()))
    if (isWhole) await stop(old)
  }
  isRolling = false
  log(isWhole ? 'all workers are new' : 'a new worker does not listen: the old ones stay')
}

async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && stop(worker)))
  process.exit(code)
}

if (cluster.isPrimary) {
  process.on('SIGTERM', () => void end(0))
  process.on('SIGINT', () => void end(0))
  process.on('SIGHUP', () => void roll())
  await Promise.all(Array.from({ length: size }, startOne))
  if (!isEnding) log(`${current.size} workers listen`)
} else {
  await import('./main.ts')
}
