// A handler without declared responses gives a promise inside of what it returns.
import { app } from './scope.js'

const find = async (id: number) => ({ id })

app.get('/a', () => ({ user: find(1) })) // <- A promise in the payload has to be awaited: it would be sent as '{}'
app.get('/b', async () => [1, 2].map((id) => find(id))) // <- A promise in the payload has to be awaited
app.get('/c', { handler: async () => ({ user: find(1) }) }) // <- A promise in the payload has to be awaited
app.route({ method: 'GET', url: '/d', handler: () => ({ user: find(1) }) }) // <- A promise in the payload has to be awaited
app.setErrorHandler(() => ({ user: find(1) })) // <- A promise in the payload has to be awaited
app.get('/e', () => ({ users: [1, 2].map((id) => find(id)) })) // <- A promise in the payload has to be awaited
app.get('/f', async () => ({ first: { user: find(1) } })) // <- A promise in the payload has to be awaited
app.get('/g', () => [{ user: find(1) }]) // <- A promise in the payload has to be awaited
