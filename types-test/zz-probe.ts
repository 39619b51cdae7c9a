import espalier, { t, shared, plugin } from 'espalier'
import { isAny, type Equal } from './support.js'
const root = espalier().decorateRequest('answer', 42)
const Ok = <T extends true>() => {}
// options function
root.register(
  (child, o) => {
    Ok<Equal<ReturnType<typeof isAny<typeof o>>, false>>()
    const q: string = o
    return child.get('/x', () => 1)
  },
  (from) => {
    const z: string = from
    return { prefix: '/x' }
  },
)
root.register(
  (child, o: { size: number }) => child,
  () => ({ size: 1 }),
)
const sharedSized = shared(async (s: typeof root, o: { size: number }) => s)
root.register(sharedSized) // should be error
root.register((child, o: { size: number }) => child) // should be error
root.register(plugin<{}, { size: number }>()((c) => c)) // should be error
root
  .register(
    shared(async (s, o: { size: number }) => s.decorateRequest('q', o.size)),
    { size: 1 },
  )
  .get('/', (r) => r.q.toFixed())
root.register(
  shared(async (s, o: { size: number }) => s.decorateRequest('q', o.size)),
  { size: 'a' },
) // error
root
  .register(
    plugin<{}, { size: number }>().shared(async (s, o) => s.decorateRequest('q', o.size)),
    { size: 1 },
  )
  .get('/', (r) => r.q.toFixed())
root.register(sharedSized, () => ({ size: 1 }))
root.register(
  plugin<{}, { size: number }>()((c, o) => c),
  () => ({ size: 1 }),
)
// inline with options given, no annotation
root.register(
  (child, o) => {
    const q: string = o
    return child
  },
  { size: 1, prefix: '/x' },
)
