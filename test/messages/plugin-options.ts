// A plugin is registered without its options, or with wrong ones.
import { plugin, shared } from 'espalier'
import { app } from './scope.js'

const sized = plugin<{}, { size: number }>()(async (scope) => scope.get('/size', () => 1))
const inScope = (child: typeof app, options: { size: number }) => child.get('/s', () => options)
const sharing = shared(async (scope: typeof app, options: { size: number }) =>
  scope.decorate('s', options.size),
)

app.register(sized) // <- Property 'size' is missing in type '{}'
app.register(sized, {}) // <- Property 'size' is missing in type '{}'
app.register(sized, { size: 'large' }) // <- Type '{ size: "large"; }' is not assignable to type '{ size: number; }'
app.register(sized, { sise: 1 }) // <- Property 'size' is missing in type '{ sise: number; }'
app.register(inScope, { size: 'large' }) // <- Type '{ size: "large"; }' is not assignable
app.register(sharing) // <- Property 'size' is missing in type '{}'
app.register({}) // <- Type '{}' provides no match for the signature
