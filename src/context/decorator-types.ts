import type { Saying, CheckResult } from '../types/checks.ts'

/** The type of a decorator when it is read: for an accessor, the type of the getter's result; for a
 *  function, its type without `this`, which each later decorator would change.
 *  @example type Tenant = Decorated<{ getter: () => Tenant }> // Tenant */
export type Decorated<Value> = Value extends {
  getter: (this: never) => infer Given
}
  ? Given
  : OmitThisParameter<Value>

/** The field that a decorator adds to a server, a request or a reply. It is readonly for an
 *  accessor without setter. A value that may be null makes one object type and not a union of two:
 *  a few such decorators would make a union of thousands. A name that is only known to be a string
 *  or a symbol adds nothing. */
export type DecoratorEntry<Name extends string | symbol, Value> = string extends Name
  ? {}
  : symbol extends Name
    ? {}
    : HasGetterOnly<Value> extends true
      ? { readonly [Key in Name]: Decorated<Value> }
      : { [Key in Name]: Decorated<Value> }

/** Is false for `any`. */
type HasGetterOnly<Value> = [Value] extends [{ getter: unknown; setter?: never }]
  ? unknown extends Value
    ? false
    : true
  : false

/** Part of the type of the name of a request or reply decorator: an error message if the value is
 *  an object, which is refused at boot. A value that may be null is allowed, as a placeholder.
 *  @template Known is inferred together with the value. The check waits for it, and is not deferred
 *  for a value of a type parameter */
export type UnlessShared<Value, Known, Prefix> =
  CheckResult<Known extends unknown ? [...Own<Value, Prefix>] : never> extends CheckResult<[]>
    ? Saying<'All requests would share this object. Decorate with null, and set it in a hook'>
    : unknown

/** Is empty for an object. In a plugin with an unknown prefix, objects are left to the check at
 *  boot. */
type Own<Value, Prefix> = null extends Value
  ? [1]
  : undefined extends Value | (string extends Prefix ? undefined : never)
    ? [1]
    : Extract<Value, object> extends
          ((...given: never) => unknown) | { getter: (this: never) => unknown }
      ? [1]
      : []

/** Gives `this` to functions in the value of a decorator; in the methods of an object, `this` is
 *  the object. It does not take part in inference: parameters without a type become `never`. */
export type DecoratorContext<Self, Value = unknown> =
  | ((this: Self, ...parameters: never) => unknown)
  | {
      getter: (this: Self) => unknown
      setter?: (this: Self, value: never) => void
    }
  | (Methods<Value> & NoValue)

/** Gives the methods of an object, and of nested objects, `this`. */
type Methods<Value> = ThisType<Value> & {
  readonly [Name in keyof NoInfer<Value>]?: Value[Name] extends (...parameters: never) => unknown
    ? unknown
    : Methods<Value[Name]>
}

/** No value has this type. */
interface NoValue {
  new (none: never): never
  readonly apply: never
}

/** The name of a new decorator, or an error message if it is taken. A name of a type parameter is
 *  allowed.
 *  @template Known as in `UnlessShared` */
export type FreshName<Name, Taken, Kind extends string, Known = {}> =
  CheckResult<Known extends unknown ? [...Free<Name, Taken>] : never> extends CheckResult<[]>
    ? `${Kind} decorator ${Name extends string ? `'${Name}'` : 'of this symbol'} already exists`
    : Name

type Free<Name, Taken> = Name extends Taken ? [] : [1]
