// A payload, a decorator or a need that can never be had.
import { plugin } from 'espalier'
import { app } from './scope.js'

declare const big: bigint

app.get('/a', () => big) // <- A bigint has no JSON: send its text, or a number
app.get('/b', () => ({ n: big })) // <- A bigint has no JSON: send its text, or a number
app.get('/c', async () => new Blob(['x'])) // <- A Blob would be sent as '{}': send a Response of it
app.get('/d', () => ({ form: new FormData() })) // <- A form would be sent as '{}': send a Response of it
app.get('/e', () => () => 1) // <- A function has no JSON
app.get('/f', (_request, reply) => reply.send({ n: big })) // <- A bigint has no JSON: send its text, or a number
app.decorateRequest('cart', { items: [''] }) // <- All requests would share this object. Decorate with null, and set it in a hook
app.decorateReply('cart', ['']) // <- All requests would share this object. Decorate with null, and set it in a hook
plugin<{ server: { db: string }; derivd: { user: 'preHandler' } }>() // <- Needs have no part 'derivd'
plugin<{ request: { user: string }; derived: { user: 'onRequets' } }>() // <- The types of 'derived.user' are incompatible
