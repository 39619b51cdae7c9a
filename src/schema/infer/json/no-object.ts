import type { Kind, TransformKind } from '@sinclair/typebox'
import type { JsonTypeName } from '../infer.ts'
import type { StandardMark, WalkedKind } from '../marks.ts'

/** The kinds of schemas of `t` that an object may fit. */
export type ObjectKind = Exclude<WalkedKind, OtherKind>

type OtherKind =
  'Null' | 'Boolean' | 'Integer' | 'Number' | 'String' | 'Literal' | 'Array' | 'Tuple'

/** Whether no object fits a schema, by its type or as it is one value. A Standard Schema does not say so, nor does a
 *  Transform or what is not known.
 *  @example type Wrong = TakesNoObject<{ type: 'array' }> // true */
export type TakesNoObject<Schema> = 0 extends 1 & Schema
  ? false
  : [Schema] extends [StandardMark | { readonly [TransformKind]: unknown }]
    ? false
    : [Schema] extends [{ readonly [Kind]: OtherKind }]
      ? true
      : [Schema] extends [{ readonly type: infer Type }]
        ? IsNoObject<Type>
        : false

type IsNoObject<Type> = 0 extends 1 & Type
  ? false
  : [Type] extends [OtherType | readonly OtherType[]]
    ? true
    : false

type OtherType = Exclude<JsonTypeName, 'object'>
