// A plugin is registered without its options, or with wrong ones.
import { plugin, shared } from 'espalier'
import { app } from './scope.js'

const sized = plugin<{}, { size: number }>()(async (scope) => scope.get('/size', () => 1))
const inScope = (child: typeof app, options: { size: number }) => child.get('/s', () => options)
const limited = plugin()(async (_scope, _options: { max?: number; min?: number }) => {})
const sharing = shared(async (scope: typeof app, options: { size: number }) =>
  scope.decorate('s', options.size),
)

app.register(sized) // <- Property 'size' is missing in type '{}'
app.register(sized, {}) // <- Property 'size' is missing in type '{}'
app.register(sized, { size: 'large' }) // <- Type '{ size: "large"; }' is not assignable to type '{ size: number; }'
app.register(sized, { sise: 1 }) // <- Property 'size' is missing in type '{ sise: number; }'
app.register(inScope, { size: 'large' }) // <- Type '{ size: "large"; }' is not assignable
app.register(sized, { size: 1, prefx: '/v1' }) // <- but 'prefx' does not exist in type 'OptionsTaken<"size", "">'. Did you mean to write 'prefix'?
app.register(sized, { size: 1, prefix: '/v1', max: 2 }) // <- 'max' does not exist in type 'OptionsTaken<"size", "/v1">'
app.register(inScope, { size: 1, max: 2 }) // <- 'max' does not exist in type 'OptionsTaken<"size", "">'
app.register(limited, { min: 1, mux: 2 }) // <- 'mux' does not exist in type 'OptionsTaken<"
app.register(limited, { mux: 2 }) // <- Type '{ mux: number; }' has no properties in common with type '{ max?: number; min?: number; }
app.register(limited, { min: 1, prefx: '/v1' }) // <- Did you mean to write 'prefix'?
app.register(sharing, { size: 1, logLevl: 'warn' }) // <- 'logLevl' does not exist in type
app.register(sized, { size: 1, prefix: 1 }) // <- Type 'number' is not assignable to type 'string'
app.register(sized, () => ({ size: 1, prefix: '/v1' })) // <- "A function of options gives no prefix: write { prefix, … } in its place"
app.register(async (scope) => scope.get('/t', () => 1), { perfix: '/v1' }) // <- "The plugin takes no options, and 'perfix' is none of register"
app.register(sharing) // <- Property 'size' is missing in type '{}'
app.register({}) // <- Type '{}' provides no match for the signature
app.register(async (scope, options, done) => done()) // <- "A plugin that is async, or returns a promise, takes no 'done': drop one of the two"
plugin()(async (scope, options, done) => done()) // <- "A plugin that is async, or returns a promise, takes no 'done': drop one of the two"
plugin().shared(async (scope, options, done) => done()) // <- "A plugin that is async, or returns a promise, takes no 'done': drop one of the two"
shared(async (scope: typeof app, options, done) => done()) // <- "A plugin that is async, or returns a promise, takes no 'done': drop one of the two"
