import espalier, { t } from 'espalier'
import { type Bindings, bindingsInMemory } from './bindings.ts'
import compiled from './compiled.mjs'
import { notes } from './notes.ts'

/** The application. Without bindings, as `espalier compile` calls it, it keeps notes in memory. */
export function buildApp(bindings: Bindings = bindingsInMemory()) {
  return espalier({ compiled })
    .decorate('bindings', bindings)
    .get('/health', { schema: { response: { 200: { ok: t.Boolean() } } } }, () => ({ ok: true }))
    .register(notes, { prefix: '/notes' })
}
