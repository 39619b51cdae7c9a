// The plugin is an exported function, so the declaration of an application names it.
import { plugin, t, type NeedsCtx, type Server } from 'espalier'
import type { Needs } from './needs.js'

const schema = { response: { 200: t.Object({ name: t.String(), used: t.Integer() }) } }

export async function tags(app: Server<NeedsCtx<Needs>>) {
  return app.get('/:tag', { schema }, ({ params }) => ({
    name: params.tag,
    used: app.db.find(1).id,
  }))
}
export const tagged = plugin<Needs>()(tags)
