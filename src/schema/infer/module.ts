import type {
  Hint,
  Kind,
  TIndex,
  TIndexPropertyKeys,
  TKeyOf,
  TModule,
  TOmit,
  TPartial,
  TPick,
  TProperties,
  TransformKind,
  TRef,
  TRequired,
  TSchema,
} from '@sinclair/typebox'
import type { WalkedKind } from './marks.ts'
import type { Closed, HasDefault } from './shape.ts'

/** A `t.Module` whose schemas keep what matters of their options: TypeBox makes each of them anew in its types, without
 *  these. Left to it is what has to be computed inside of them. */
export type Module<Properties extends TProperties> =
  TModule<Properties> extends TModule<Properties, infer Made>
    ? TModule<
        Properties,
        {
          [Name in keyof Properties]: Extract<
            Entry<Properties[Name], Properties, Made[Name & keyof Made]>,
            TSchema
          >
        }
      >
    : never

/** An `$id` is not kept: the name of the entry takes its place. */
type Entry<Schema, Properties extends TProperties, Made> = Schema extends Settled
  ? Schema extends { readonly $id: string }
    ? Made
    : Schema
  : Schema extends ComputedOf<infer How extends keyof Results<{}, never, []>, infer Parameters>
    ? Parameters extends readonly [TRef<infer Name>, ...infer Rest]
      ? [Properties[Name]] extends [Settled]
        ? Results<Properties, Name, Rest>[How]
        : Made
      : Made
    : Made

/** A schema in which nothing is to be computed. A transform and a recursion are left as they are. */
type Settled = SettledNode | { readonly [TransformKind]: unknown } | { readonly [Hint]: unknown }

interface SettledNode {
  readonly [Kind]: Exclude<WalkedKind, 'Ref'>
  readonly properties?: { readonly [name: string]: Inner }
  readonly patternProperties?: { readonly [pattern: string]: Inner }
  readonly items?: Inner | readonly Inner[]
  readonly anyOf?: readonly Inner[]
  readonly allOf?: readonly Inner[]
}

type Inner = Settled | { readonly [Kind]: 'Ref' }

interface ComputedOf<out How, out Parameters> {
  readonly [Kind]: 'Computed'
  readonly target: How
  readonly parameters: Parameters
}

/** What is made of a schema that is referred to. */
interface Results<Properties extends TProperties, Name extends string, Rest> {
  Partial: TPartial<Properties[Name]> & Kept<Properties[Name]>
  Required: TRequired<Properties[Name]> & Kept<Properties[Name]>
  Pick: TPick<Properties[Name], Key<Rest>> & Kept<Properties[Name]>
  Omit: TOmit<Properties[Name], Key<Rest>> & Kept<Properties[Name]>
  Index: TIndex<Properties[Name], TIndexPropertyKeys<Key<Rest>>>
  KeyOf: TKeyOf<Properties[Name]>
}

type Key<Rest> = Rest extends readonly [infer Only extends TSchema] ? Only : TSchema

/** The options of an object that what is made of it has, too. */
type Kept<Schema> = Schema extends { readonly [Kind]: 'Object' }
  ? (Schema extends Closed ? Closed : unknown) &
      (Schema extends HasDefault ? { default: unknown } : unknown)
  : unknown
