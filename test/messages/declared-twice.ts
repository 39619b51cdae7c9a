// A name is declared that is taken.
import { plugin, t } from 'espalier'
import { app, Db, User } from './scope.js'

const auth = plugin().shared((scope) => scope.decorateRequest('answer', 1))
app.decorate('db', new Db()) // <- Server decorator 'db' already exists
app.decorate('get', new Db()) // <- Server decorator 'get' already exists
app.decorateRequest('answer', 1) // <- Request decorator 'answer' already exists
app.decorateRequest('body', 1) // <- Request decorator 'body' already exists
app.decorateReply('fail', 1) // <- Reply decorator 'fail' already exists
app.register(async (child) => child.decorateRequest('answer', 1)) // <- Request decorator 'answer' already exists
app.addSchema(User) // <- Schema 'user' is already registered here
app.addSchema('user', t.Object({ id: t.Integer() })) // <- Schema 'user' is already registered here
app.addSchema(t.Object({ id: t.Integer() })) // <- $id
app.derive('preHandler', () => ({ answer: 1 })) // <- Request decorator 'answer' already exists
app.register(auth) // <- The plugin adds the request decorator 'answer', which this scope has already
