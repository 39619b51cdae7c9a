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

/** All that can be referred to in a shared schema. Not the parts of one that may be null, nor what stands in the options of a
 *  transform: the type of such a schema of `t` does not show them, so that the compiler refuses the reference. */
export function referencesTo({ id, sketch, definitions }: SharedSketch): Sketch[] {
  const ref = (reference: string, target: Sketch): Sketch => ({ kind: 'ref', reference, target })
  const parts = sketch.kind === 'object' && !sketch.nullable ? sketch.fields : []
  return [
    ref(`${id}#`, sketch),
    ...parts.map(({ name, schema: part }) => ref(`${id}#/properties/${name}`, part)),
    ...(sketch.kind === 'array' && !sketch.nullable ? [ref(`${id}#/items`, sketch.items)] : []),
    ...Object.entries(sketch.kind === 'transform' ? {} : definitions).map(([name, part]) =>
      ref(`${id}#/definitions/${name}`, part),
    ),
  ]
}
