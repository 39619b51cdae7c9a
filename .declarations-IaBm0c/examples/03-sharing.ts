// The sharing wrapper breaks encapsulation: what a shared plugin registers becomes visible in the
// context that registers it, at run time and in the types. Here `bar` reaches the parent's `/two`.
import espalier, { plugin, shared } from 'espalier'
import { startWhenRun } from './start.ts'

// A plugin in a file of its own says what it needs. Registering it where that is missing, or of
// another type, does not compile.
const audit = plugin<{ request: { answer: number } }>().shared(async (child) =>
  child.decorateRequest('audited', function (this: { answer: number }) {
    return `the answer was ${this.answer}`
  }),
)

export const app = espalier()
  .decorateRequest('answer', 42)
  .register(async function open(child) {
    return child
      .decorateRequest('foo', 'foo')
      .register(
        shared(async function nested(same) {
          return same
            .decorateRequest('bar', 'bar')
            .get('/three', ({ answer, foo, bar }) => ({ answer, foo, bar }))
        }),
      )
      .get('/two', ({ answer, foo, bar }) => ({ answer, foo, bar }))
  })
  .register(audit)
  .get('/audit', (request) => ({ text: request.audited() }))

await startWhenRun(import.meta.url, app, (url) => [
  `curl ${url}/two      # {"answer":42,"foo":"foo","bar":"bar"}`,
  `curl ${url}/three`,
  `curl ${url}/audit`,
])
