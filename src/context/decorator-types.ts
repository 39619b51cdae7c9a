import type { Saying, Verdict } from '../types/checks.ts'

/** What a decorator of a value is read as: a getter's is what it gives, a function's does not name
 *  its `this`, which is what it is called on; later decorators would make that another type.
 *  @example type Tenant = Decorated<{ getter: () => Tenant }> // Tenant */
export type Decorated<Value> = Value extends {
  getter: (this: never) => infer Given
}
  ? Given
  : OmitThisParameter<Value>

/** What a decorator adds to a server, a request or a reply. One with a getter alone cannot be
 *  assigned. An alias of flat parameters, which does not grow along a chain. A value that may be null
 *  gives one object, not a union of two: a few such decorators would multiply to thousands. A name that
 *  is only known to be a text, or a symbol, adds nothing. */
export type DecoratorEntry<Name extends string | symbol, Value> =
  Unknown<Name> extends true
    ? {}
    : HasGetterOnly<Value> extends true
      ? { readonly [Key in Name]: Decorated<Value> }
      : { [Key in Name]: Decorated<Value> }

type Unknown<Name> = string extends Name ? true : symbol extends Name ? true : false

/** A value of type `any` is none that has a getter. */
type HasGetterOnly<Value> = [Value] extends [{ getter: unknown; setter?: never }]
  ? unknown extends Value
    ? false
    : true
  : false

/** What the name of a decorator of requests or replies must be besides: a sentence where its value is an object, which the boot
 *  refuses. One that may be null is a placeholder.
 *  @template Known is inferred together with the value: until then nothing is decided, and then it is at once, also for
 *  a value of a type parameter of the function around */
export type UnlessShared<Value, Known, Prefix> =
  Verdict<Known extends unknown ? [...Own<Value, Prefix>] : never> extends Verdict<[]>
    ? Saying<'All requests would share this object. Decorate with null, and set it in a hook'>
    : unknown

/** Is empty for an object. In a plugin for any scope, whose prefix is not known, the boot finds it. */
type Own<Value, Prefix> = null extends Value
  ? [1]
  : undefined extends Value | (string extends Prefix ? undefined : never)
    ? [1]
    : Extract<Value, object> extends
          ((...given: never) => unknown) | { getter: (this: never) => unknown }
      ? [1]
      : []

/** Stands beside the type parameter of a decorator's value, to give functions their `this`; that of methods of an object is
 *  the object. It takes no part in inference otherwise: parameters without a type become `never`. */
export type DecoratorContext<Self, Value = unknown> =
  | ((this: Self, ...parameters: never) => unknown)
  | {
      getter: (this: Self) => unknown
      setter?: (this: Self, value: never) => void
    }
  | (Methods<Value> & NoValue)

/** Gives the methods of an object, and of those in it, that as `this`. */
type Methods<Value> = ThisType<Value> & {
  readonly [Name in keyof NoInfer<Value>]?: Value[Name] extends (...parameters: never) => unknown
    ? unknown
    : Methods<Value[Name]>
}

/** Nothing is of this type. */
interface NoValue {
  new (none: never): never
  readonly apply: never
}

/** The name of a new decorator, or a sentence where it is taken. One of a type parameter is not known to be.
 *  @template Known as `UnlessShared` has it */
export type FreshName<Name, Taken, Kind extends string, Known = {}> =
  Verdict<Known extends unknown ? [...Free<Name, Taken>] : never> extends Verdict<[]>
    ? `${Kind} decorator ${Name extends string ? `'${Name}'` : 'of this symbol'} already exists`
    : Name

/** Is empty for a name that is taken. */
type Free<Name, Taken> = Name extends Taken ? [] : [1]
