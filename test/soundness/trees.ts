// Random trees of contexts. Names are few, so that siblings often have the same, and each context's are its own.
import fc from 'fast-check'

export type Kind = 'server' | 'request' | 'reply' | 'schema' | 'response'
export type Phase = 'onRequest' | 'preValidation' | 'preHandler'
export type PluginForm = 'plain' | 'async' | 'callback' | 'shared' | 'portable' | 'portableShared'

/** What a context does, before it is known which names are free. */
export type Move =
  | { readonly do: 'declare'; readonly kind: Kind; readonly dice: number }
  | { readonly do: 'derive'; readonly phase: Phase; readonly dice: number }
  | { readonly do: 'hook'; readonly phase: Phase }
  | { readonly do: 'route' }
  | {
      readonly do: 'register'
      readonly form: PluginForm
      readonly hasPrefix: boolean
      readonly moves: readonly Move[]
    }

const phases: readonly Phase[] = ['onRequest', 'preValidation', 'preHandler']
const forms: readonly PluginForm[] = [
  'plain',
  'plain',
  'async',
  'callback',
  'shared',
  'shared',
  'portable',
  'portableShared',
]

const declare = fc
  .tuple(fc.constantFrom<Kind>('server', 'request', 'reply', 'schema', 'response'), fc.nat(99))
  .map(([kind, dice]): Move => ({ do: 'declare', kind, dice }))

const derive = fc
  .tuple(fc.constantFrom(...phases), fc.nat(99))
  .map(([phase, dice]): Move => ({ do: 'derive', phase, dice }))

const hook = fc.constantFrom(...phases).map((phase): Move => ({ do: 'hook', phase }))

/** The moves of a context: mostly declarations first, so that nothing is declared late. */
export function moves(depth: number): fc.Arbitrary<readonly Move[]> {
  const own = fc.array(
    fc.oneof({ weight: 5, arbitrary: declare }, { weight: 2, arbitrary: derive }),
    { maxLength: 4 },
  )
  const probes = fc.array(fc.oneof(hook, fc.constant<Move>({ do: 'route' })), { maxLength: 2 })
  if (depth <= 0) return fc.tuple(own, probes).map((parts) => parts.flat())
  const plugins = fc.array(register(depth - 1), { maxLength: 3 })
  const late = fc.array(fc.oneof(declare, derive, hook), { maxLength: 2 })
  const isLate = fc.nat(3).map((dice) => dice === 0)
  return fc.tuple(own, probes, plugins, isLate, late).map(([first, asked, below, adds, more]) => {
    // A shared plugin declares too, so it comes before those that look.
    const isShared = (move: Move) => move.do === 'register' && /shared/i.test(move.form)
    if (adds) return [...first, ...asked, ...below, ...more]
    const others = below.filter((move) => !isShared(move))
    return [...first, ...below.filter(isShared), ...asked, ...others]
  })
}

function register(depth: number): fc.Arbitrary<Move> {
  return fc
    .tuple(fc.constantFrom(...forms), fc.boolean(), moves(depth))
    .map(([form, hasPrefix, inner]) => ({ do: 'register', form, hasPrefix, moves: inner }))
}

/** The tree of a seed. */
export function makeTree(seed: number): readonly Move[] {
  return fc.sample(moves(3), { seed, numRuns: 1 })[0] ?? []
}
