// The process of a server: `node serve.mjs <peer> <what it is started with>`. The harness asks it for figures by messages.
import { createHook } from 'node:async_hooks'
import { GCProfiler, getHeapStatistics } from 'node:v8'

const [peer, json] = process.argv.slice(2)
const options = JSON.parse(json)

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
  for (let times = 0; times < 4; times++) globalThis.gc()
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
process.on('message', (name) => process.send(answers[name]()))
process.on('disconnect', () => process.exit())

const { start, startOwn } = await import(`./${peer}.mjs`)
if (options.promises) counter.enable()
const before = { cpu: cpu(), time: performance.now() }
const port = await ('routes' in options ? startOwn(options) : start(options))
process.send({ port, cpu: cpu() - before.cpu, time: performance.now() - before.time })
