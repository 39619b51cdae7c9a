// What a schema is to the generator: a small tree, from which its source text is written in each form, its
// instances are made, and what its type must refuse is known.

/** A value of JSON. */
export type Json = null | boolean | number | string | Json[] | JsonMap

export interface JsonMap {
  [name: string]: Json
}

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null'

/** Keywords that narrow the values and not the type, as source text. */
export type Rules = Readonly<Record<string, Json>>

interface Marks {
  readonly nullable?: true
  /** The value that ajv fills in; on the schemas of fields only, and of no alternatives. */
  readonly default?: Json
}

export interface Field {
  readonly name: string
  readonly schema: Sketch
  readonly required: boolean
}

export interface ObjectSketch extends Marks {
  readonly kind: 'object'
  readonly fields: readonly Field[]
  /** Whether it says `type: 'object'`. Those of `t` always do. */
  readonly typed: boolean
  /** Fields that must be there without being described. */
  readonly requires?: readonly string[]
  readonly others?: boolean | Sketch
  readonly patterns?: Readonly<Record<string, Sketch>>
}

export interface TupleSketch extends Marks {
  readonly kind: 'tuple'
  readonly items: readonly Sketch[]
  /** Whether all items must be there. */
  readonly whole: boolean
  /** What may follow: anything, nothing, or values of a schema. */
  readonly rest: boolean | Sketch
}

export type Sketch =
  | (Marks & { readonly kind: 'any' })
  | (Marks & { readonly kind: 'null' | 'boolean' })
  | (Marks & { readonly kind: 'integer' | 'number' | 'string'; readonly rules: Rules })
  | (Marks & { readonly kind: 'const'; readonly value: Json })
  | (Marks & { readonly kind: 'enum'; readonly values: readonly Json[] })
  | (Marks & { readonly kind: 'types'; readonly names: readonly TypeName[] })
  | (Marks & { readonly kind: 'array'; readonly items: Sketch; readonly rules: Rules })
  | TupleSketch
  | ObjectSketch
  | (Marks & { readonly kind: 'record'; readonly value: Sketch })
  | (Marks & {
      readonly kind: 'union'
      readonly keyword: 'anyOf' | 'oneOf'
      readonly of: readonly Sketch[]
      /** The object that the alternatives stand beside. */
      readonly beside?: ObjectSketch
    })
  | (Marks & {
      readonly kind: 'all'
      readonly of: readonly Sketch[]
      readonly beside?: ObjectSketch
    })
  | (Marks & {
      readonly kind: 'branch'
      readonly base: ObjectSketch
      readonly condition: Sketch
      readonly then?: Sketch
      readonly otherwise?: Sketch
    })
  | (Marks & { readonly kind: 'not'; readonly base: Sketch; readonly not: Sketch })
  | (Marks & { readonly kind: 'ref'; readonly reference: string; readonly target: Sketch })
  | (Marks & { readonly kind: 'transform'; readonly inner: Sketch })
  | (Marks & { readonly kind: 'self' })

/** A shared schema, written in one of the forms. */
export interface SharedSketch {
  readonly id: string
  readonly form: Form
  readonly sketch: Sketch
  readonly definitions: Readonly<Record<string, Sketch>>
}

/** How a schema is written: with `t`, as plain JSON Schema, or as a list of properties of both sorts. */
export type Form = 't' | 'plain' | 'short'

/** The schemas directly inside of a sketch. What a reference names is not inside. */
export function childrenOf(sketch: Sketch): Sketch[] {
  const one = (child: Sketch | boolean | undefined) => (typeof child === 'object' ? [child] : [])
  switch (sketch.kind) {
    case 'array':
      return [sketch.items]
    case 'tuple':
      return [...sketch.items, ...one(sketch.rest)]
    case 'record':
      return [sketch.value]
    case 'object':
      return [
        ...sketch.fields.map(({ schema }) => schema),
        ...one(sketch.others),
        ...Object.values(sketch.patterns ?? {}),
      ]
    case 'union':
    case 'all':
      return [...sketch.of, ...one(sketch.beside)]
    case 'branch':
      return [sketch.base, sketch.condition, ...one(sketch.then), ...one(sketch.otherwise)]
    case 'not':
      return [sketch.base, sketch.not]
    case 'transform':
      return [sketch.inner]
    default:
      return []
  }
}

/** Whether a sketch or one inside of it is such. */
export function some(sketch: Sketch, is: (each: Sketch) => boolean): boolean {
  return is(sketch) || childrenOf(sketch).some((child) => some(child, is))
}
