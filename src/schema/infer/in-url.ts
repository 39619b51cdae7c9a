/** A value as it may be written into a URL, where all is text: ajv makes numbers, booleans and null of
 *  it, and a list of a single value. Literals are what they are: those that are no text keep their type.
 *  @example type Query = InUrl<{ n: number; tags: string[] }>
 *  // { n: number | `${number}`; tags: string | string[] } */
export type InUrl<Value> =
  | EachInUrl<Value>
  | (number extends Value ? `${number}` : never)
  | (boolean extends Value ? 'true' | 'false' : never)

type EachInUrl<Value> = Value extends readonly (infer Item)[]
  ? ListInUrl<Value, Item>
  : Value extends object
    ? { [Key in keyof Value]: InUrl<Value[Key]> }
    : Value extends null
      ? null | ''
      : Value

/** A tuple with room for one value may be that value, too. */
type ListInUrl<List extends readonly unknown[], Item> = number extends List['length']
  ? InUrl<Item> | InUrl<Item>[]
  : { [Index in keyof List]: InUrl<List[Index]> }
