// A reply has a value that `t.Sensitive` marks, and the response does not reveal it.
import { t } from 'espalier'
import { app } from './scope.js'

const Account = t.Object({ name: t.String(), password: t.Sensitive(t.String()) })
const one = { schema: { response: { 200: Account } } }
const all = { schema: { response: { 200: t.Object({ items: t.Array(Account) }) } } }
const name = 'a'
const password = 'b'

app.get('/a', one, () => ({ name, password })) // <- The returned 'password' is sensitive: leave it out by t.Omit, or name it as one that leaves by t.Reveal
app.get('/b', one, () => ({ name })) // <- 'password' of the response schema is sensitive: leave it out by t.Omit, or name it as one that leaves by t.Reveal
app.get('/c', one, async (_request, reply) => reply.send({ name, password })) // <- a sensitive value, which leaves only where the response has it by t.Reveal
app.get('/d', all, () => ({ items: [{ name, password }] })) // <- The returned 'items[].password' is sensitive
