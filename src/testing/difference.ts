// How two types differ, in words that the compiler prints.
import type { AnyObject } from '../schema/infer/modes.ts'

/** A difference between a type and the one that is claimed. No value has this type. The compiler
 *  prints it where a claim does not hold. */
export interface Differs<_Place extends string, _Types> {
  readonly [differs]: never
}
declare const differs: unique symbol

/** The differences of two types, as a union; never if they are the same.
 *  @template Subject what the types are of: `reply 200`
 *  @template Path the names on the way into it
 *  @template Level bounds the recursion */
export type Difference<
  Found,
  Expected,
  Subject extends string,
  Path extends string = '',
  Level extends 0[] = [],
> =
  IsSame<Found, Expected> extends true
    ? never
    : Level['length'] extends 8
      ? Differs<Place<Subject, Path>, { expected: Expected; found: Found }>
      : IsSame<Extract<Found, Nothing>, Extract<Expected, Nothing>> extends true
        ? [Kind<Exclude<Found, Nothing>>, Kind<Exclude<Expected, Nothing>>] extends [
            infer One,
            infer Other,
          ]
          ? [One, Other] extends ['object', 'object']
            ? InObject<Exclude<Found, Nothing>, Exclude<Expected, Nothing>, Subject, Path, Level>
            : [One, Other] extends ['list', 'list']
              ? InList<Exclude<Found, Nothing>, Exclude<Expected, Nothing>, Subject, Path, Level>
              : Differs<Place<Subject, Path>, { expected: Expected; found: Found }>
          : never
        : Differs<Place<Subject, Path>, { expected: Expected; found: Found }>

type Nothing = null | undefined

/** Whether two types are one for the compiler. `any` is the same as nothing else. */
export type IsSame<One, Other> =
  (<Type>() => Type extends One ? 1 : 2) extends <Type>() => Type extends Other ? 1 : 2
    ? true
    : false

/** The types that are compared by their members. A union is not: which member is which? */
type Kind<Type> = 0 extends 1 & Type
  ? 'other'
  : IsUnion<Type> extends true
    ? 'other'
    : [Type] extends [never]
      ? 'other'
      : [Type] extends [readonly unknown[]]
        ? number extends Type['length']
          ? 'list'
          : 'other'
        : [Type] extends [AnyObject]
          ? 'object'
          : 'other'

type IsUnion<Type, All = Type> = Type extends unknown
  ? [All] extends [Type]
    ? false
    : true
  : false

type InList<Found, Expected, Subject extends string, Path extends string, Level extends 0[]> =
  IsReadonlyList<Found> extends IsReadonlyList<Expected>
    ? Difference<
        Found[number & keyof Found],
        Expected[number & keyof Expected],
        Subject,
        `${Path}[]`,
        [...Level, 0]
      >
    : Differs<Place<Subject, Path>, { expected: Expected; found: Found }>

type IsReadonlyList<List> = List extends unknown[] ? false : true

type InObject<Found, Expected, Subject extends string, Path extends string, Level extends 0[]> = {
  [Key in keyof Found | keyof Expected]-?: Key extends keyof Found
    ? Key extends keyof Expected
      ? InField<Found, Expected, Key, Subject, Below<Path, Key>, Level>
      : Differs<`${Place<Subject, Below<Path, Key>>} was not expected`, { found: Found[Key] }>
    : Differs<
        `${Place<Subject, Below<Path, Key>>} is missing`,
        { expected: Expected[Key & keyof Expected] }
      >
}[keyof Found | keyof Expected]

type InField<
  Found,
  Expected,
  Key extends keyof Found & keyof Expected,
  Subject extends string,
  Path extends string,
  Level extends 0[],
> =
  IsOptional<Found, Key> extends IsOptional<Expected, Key>
    ? IsReadonly<Found, Key> extends IsReadonly<Expected, Key>
      ? Difference<Found[Key], Expected[Key], Subject, Path, [...Level, 0]>
      : Changed<IsReadonly<Found, Key>, 'readonly', Place<Subject, Path>>
    : Changed<IsOptional<Found, Key>, 'optional', Place<Subject, Path>>

type Changed<Is, Word extends string, Where extends string> = Is extends true
  ? Differs<`${Where} is ${Word}`, { expected: `not ${Word}` }>
  : Differs<`${Where} is not ${Word}`, { expected: Word }>

type IsOptional<Type, Key extends keyof Type> = {} extends Pick<Type, Key> ? true : false

type IsReadonly<Type, Key extends keyof Type> = IsSame<Pick<Type, Key>, Readonly<Pick<Type, Key>>>

type Below<Path extends string, Key> = Path extends ''
  ? `${Key & (string | number)}`
  : `${Path}.${Key & (string | number)}`

type Place<Subject extends string, Path extends string> = Path extends ''
  ? Subject
  : Path extends '[]'
    ? `an item of ${Subject}`
    : `'${Path}' of ${Subject}`
