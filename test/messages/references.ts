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
