import { defineRoute, plugin, t } from 'espalier'
import type { Needs } from './needs.js'
export const byId = defineRoute<Needs>()({
  method: 'GET',
  url: '/:id',
  schema: { params: { id: t.Integer() }, response: { 200: t.Ref('user#') } },
  handler(request) {
    return this.db.find(request.params.id)
  },
})
export const ping = defineRoute({ method: ['GET', 'POST'], url: '/ping', handler: () => 'pong' })
export const listed = plugin<Needs>()(async (app) => app.addRoutes([byId, ping]))
