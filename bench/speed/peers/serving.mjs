// What the process of a server does for the harness, which asks it for figures by messages.
import { createHook } from 'node:async_hooks'
import { GCProfiler, getHeapStatistics } from 'node:v8'

const profiler = new GCProfiler()
let promises = 0
const counter = createHook({
  init(_id, type) {
    if (type === 'PROMISE') promises++
  },
})

/** Microseconds that the process had of processors, user and system. */
function cpu() {
  const { user, system } = process.cpuUsage()
  return user + system
}

function heap() {
  const { Bun, gc = () => Bun.gc(true) } = globalThis
  for (let times = 0; times < 4; times++) gc()
  return process.memoryUsage().heapUsed
}

const resources = () => process.getActiveResourcesInfo()

const answers = {
  cpu,
  heap,
  /** Bytes on the heap. They grow by what is allocated, as long as nothing is collected. */
  used: () => getHeapStatistics().used_heap_size,
  watchCollector: () => (profiler.start(), null),
  collections: () => profiler.stop().statistics.length,
  promises: () => promises,
  rss: () => process.memoryUsage.rss(),
  /** Open connections of clients. */
  connections: () => resources().filter((kind) => kind === 'TCPSocketWrap').length,
  /** All that keeps the process: connections, timers, what it listens on. */
  resources: () => resources().length,
}
/** Starts a server, and says its port and what that took. Programs of servers get two arguments: the name of the peer,
 *  and what the server is started with. */
export async function serve(start, options) {
  process.on('message', (name) => process.send(answers[name]()))
  process.on('disconnect', () => process.exit())
  if (options.promises) counter.enable()
  const before = { cpu: cpu(), time: performance.now() }
  const port = await start(options)
  process.send({ port, cpu: cpu() - before.cpu, time: performance.now() - before.time })
}
