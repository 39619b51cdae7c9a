// A schema refers to a shared schema that this scope does not have.
import { t } from 'espalier'
import { app } from './scope.js'

app.post('/a', { schema: { body: t.Ref('usr#') } }, () => 1) // <- Unknown schema reference 'usr#'
app.get('/b', { schema: { response: { 200: t.Array(t.Ref('usr#')) } } }, () => []) // <- Unknown schema reference 'usr#'
app.post(
  '/c/:id',
  {
    schema: {
      params: { id: t.Integer() },
      body: { author: t.Ref('usr#'), title: t.String() }, // <- Unknown schema reference 'usr#'
    },
  },
  (request) => 1,
)
app.post('/d', { schema: { body: { $ref: 'usr#' } } }, () => 1) // <- Unknown schema reference 'usr#'
// Nor does anything compute what is made of a reference, but for a module.
app.post('/e', { schema: { body: t.Partial(t.Ref('user#')) } }, () => 1) // <- t.Partial of a reference is not computed here: give it the schema itself
app.post('/f', { schema: { body: { user: t.Optional(t.Omit(t.Ref('user#'), ['id'])) } } }, () => 1) // <- t.Omit of a reference is not computed here: give it the schema itself
app.get('/g', { schema: { response: { 200: t.Array(t.Pick(t.Ref('user#'), ['id'])) } } }, () => []) // <- t.Pick of a reference is not computed here: give it the schema itself
app.addSchema('some', t.Partial(t.Ref('user#'))) // <- t.Partial of a reference is not computed here: give it the schema itself
