// Stands for `node:test` where Deno runs the behaviour tests: Deno has no limit of time for a test, and one that waits for
// ever would take all that follow with it.
import { test as own } from 'node:test'

const timeout = 6_000
/** The names of tests that would hold up the whole process. */
const skipped = process.env.SKIPPED_TESTS?.split('\n') ?? []

function limited(body) {
  return (...args) => {
    let timer
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no end after ${timeout} ms`)), timeout)
    })
    const run = async () => body(...args)
    return Promise.race([run(), late]).finally(() => clearTimeout(timer))
  }
}

export * from 'node:test'
export const test = (name, ...args) =>
  skipped.includes(name)
    ? own.skip(name)
    : own(name, ...args.map((each) => (typeof each === 'function' ? limited(each) : each)))
export default test
