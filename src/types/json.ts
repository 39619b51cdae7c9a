/** What a value is after JSON.stringify and JSON.parse; never, where that throws.
 *  @template Above the objects around it, each in a tuple of its own
 *  @example type Day = Json<{ at: Date; go(): void }> // { at: string } */
export type Json<Value, Above = never> = unknown extends Value
  ? Value
  : Value extends { toJSON(...args: never): infer Text }
    ? Json<Text, Above>
    : Value extends Primitive
      ? Value
      : Value extends readonly unknown[]
        ? Value extends Plain
          ? Value
          : JsonList<Value, Above>
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

/** An object that is found inside of itself. It goes by a name in declarations, which have no other end for it. */
export type RecurringJson<Value> = {
  [Key in keyof Value as NamedInJson<Key, Value[Key]>]: Json<Value[Key], [Value]>
}

type StandsIn<Above, Value> = Above extends [infer Each]
  ? [Each, Value] extends [Value, Each]
    ? true
    : never
  : never

/** What is JSON already. It keeps the name that it may have: what is found inside of itself has no other end. */
type Plain = string | number | boolean | null | Plain[] | PlainFields
interface PlainFields {
  readonly [name: string]: Plain | undefined
  readonly [symbol: symbol]: never
}

/** The items of a list, unlike those of a tuple, wait until they are read: a list may be of lists of its own kind. */
type JsonList<Value extends readonly unknown[], Above> = number extends Value['length']
  ? JsonItem<Value[number], Above>[]
  : { [Index in keyof Value]: JsonItem<Value[Index], Above> }

type JsonItem<Value, Above> = unknown extends Value
  ? Value
  : Value extends Unnamed
    ? null
    : Json<Value, Above>

/** Asked for before objects: text that is branded is both. */
type Primitive = string | number | boolean | null | void

/** What JSON leaves out of objects, and has null for in lists. */
type Unnamed = undefined | symbol | ((...args: never) => unknown)

/** Errors have no members of their own. Without its `stack` one would be any object with a name and a message. */
type ThrownIf<Key> = 'stack' extends Key ? Error : never

/** Maps, sets, promises, bytes and the like, whose members are not theirs but those of their classes. */
type Hidden = RegExp | (object & { readonly [Symbol.toStringTag]: string })

type NamedInJson<Key, Value> = Key extends symbol
  ? never
  : unknown extends Value
    ? Key
    : [Value] extends [Exclude<Unnamed, undefined>]
      ? never
      : Key
