// Random schemas that others refer to, and what can be referred to in them.
import fc from 'fast-check'
import { leaf, object, schema, type Place } from './schemas.ts'
import type { SharedSketch, Sketch } from './sketch.ts'

/** A schema that others may refer to, as a whole and in parts. */
export const shared = (id: string, refs: readonly Sketch[]): fc.Arbitrary<SharedSketch> => {
  const place: Place = { depth: 1, refs, isAlternative: true, names: ['e', 'f', 'g'] }
  return fc
    .tuple(
      fc.oneof(object(place), schema(place)),
      leaf,
      fc.constantFrom('t' as const, 'plain' as const),
    )
    .map(([sketch, tag, form]) => ({ id, form, sketch, definitions: { tag } }))
}

/** All that can be referred to in a shared schema, also where it may be null or has a transform. */
export function referencesTo({ id, sketch, definitions }: SharedSketch): Sketch[] {
  const ref = (reference: string, target: Sketch): Sketch => ({ kind: 'ref', reference, target })
  const inner = encoded(sketch)
  const parts = inner.kind === 'object' ? inner.fields : []
  return [
    ref(`${id}#`, sketch),
    ...parts.map(({ name, schema: part }) => ref(`${id}#/properties/${name}`, part)),
    ...(inner.kind === 'array' ? [ref(`${id}#/items`, inner.items)] : []),
    ...Object.entries(definitions).map(([name, part]) => ref(`${id}#/definitions/${name}`, part)),
  ]
}

const encoded = (sketch: Sketch): Sketch =>
  sketch.kind === 'transform' ? encoded(sketch.inner) : sketch
