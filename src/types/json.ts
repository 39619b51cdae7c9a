/** The type of a value after JSON.stringify and JSON.parse; never, if that throws.
 *  @template Above the objects around the value, each in a tuple of its own
 *  @example type Day = Json<{ at: Date; go(): void }> // { at: string } */
export type Json<Value, Above = never> = unknown extends Value
  ? Value
  : Value extends { toJSON(...args: never): infer Text }
    ? Json<Text, Above>
    : Value extends Primitive
      ? Value
      : Value extends readonly unknown[]
        ? [keyof Value] extends [KeyOfList]
          ? Value extends Plain
            ? Value
            : JsonList<Value, Above>
          : Json<ItemsOf<Value>, Above>
        : Value extends ThrownIf<keyof Value>
          ? {
              [Key in Exclude<keyof Value, keyof Error> as NamedInJson<Key, Value[Key]>]: Json<
                Value[Key],
                Above
              >
            }
          : Value extends Plain
            ? Value
            : Value extends Hidden
              ? {}
              : Value extends object
                ? true extends StandsIn<Above, Value>
                  ? RecurringJson<Value>
                  : {
                      [Key in keyof Value as NamedInJson<Key, Value[Key]>]: Json<
                        Value[Key],
                        Above | [Value]
                      >
                    }
                : never

/** An object type that contains itself. It needs a name, since declaration files would expand it
 *  for ever. */
export type RecurringJson<Value> = {
  [Key in keyof Value as NamedInJson<Key, Value[Key]>]: Json<Value[Key], [Value]>
}

type StandsIn<Above, Value> = Above extends [infer Each]
  ? [Each, Value] extends [Value, Each]
    ? true
    : never
  : never

/** A type that is JSON already. It is left unchanged with its name, since it may contain itself. */
type Plain = string | number | boolean | null | Plain[] | PlainFields
interface PlainFields {
  readonly [name: string]: Plain | undefined
  readonly [symbol: symbol]: never
}

/** Array items are resolved when they are read, since an array may contain arrays of its own
 *  type. */
type JsonList<Value extends readonly unknown[], Above> = number extends Value['length']
  ? JsonItem<Value[number], Above>[]
  : { [Index in keyof Value]: JsonItem<Value[Index], Above> }

/** The keys of lists and tuples without other properties. */
type KeyOfList = keyof unknown[] | `${number}`

/** A list or tuple without its other properties. */
type ItemsOf<
  Value extends readonly unknown[],
  Length = Value['length'],
  Items extends unknown[] = [],
> = number extends Length
  ? Value[number][]
  : Length extends Items['length']
    ? Items
    : ItemsOf<Value, Length, [...Items, Value[Items['length']]]>

type JsonItem<Value, Above> = unknown extends Value
  ? Value
  : Value extends Unnamed
    ? null
    : Json<Value, Above>

/** Is compared before objects, since a branded string is both. */
type Primitive = string | number | boolean | null | void

/** What JSON omits from objects, and replaces by null in lists. */
type Unnamed = undefined | symbol | ((...args: never) => unknown)

/** The members of an Error are not its own. Only `stack` tells it from an object with a name and a
 *  message. */
type ThrownIf<Key> = 'stack' extends Key ? Error : never

/** Maps, sets, promises, bytes and the like: their members belong to their classes. */
type Hidden = RegExp | (object & { readonly [Symbol.toStringTag]: string })

type NamedInJson<Key, Value> = Key extends symbol
  ? never
  : unknown extends Value
    ? Key
    : [Value] extends [Exclude<Unnamed, undefined>]
      ? never
      : Key
