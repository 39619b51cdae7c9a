/** What a value is after JSON.stringify and JSON.parse.
 *  @example type Day = Json<{ at: Date; go(): void }> // { at: string } */
export type Json<Value> = unknown extends Value
  ? Value
  : Value extends { toJSON(...args: never): infer Text }
    ? Json<Text>
    : Value extends Primitive
      ? Value
      : Value extends readonly unknown[]
        ? JsonList<Value>
        : Value extends object
          ? { [Key in keyof Value as NamedInJson<Key, Value[Key]>]: Json<Value[Key]> }
          : Value

/** The items of a list, unlike those of a tuple, wait until they are read: a list may be of lists of its own kind. */
type JsonList<Value extends readonly unknown[]> = number extends Value['length']
  ? Json<Value[number]>[]
  : { [Index in keyof Value]: Json<Value[Index]> }

/** Asked for before objects: text that is branded is both. */
type Primitive = string | number | boolean | null | undefined

type NamedInJson<Key, Value> = unknown extends Value
  ? Key
  : [Value] extends [symbol | ((...args: never) => unknown)]
    ? never
    : Key
