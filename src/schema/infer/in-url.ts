import type { HeaderValues } from '../../http/route-call.ts'

/** The query string that a call accepts. */
export type TextPart<Value> = Value extends object
  ? { [Key in keyof Value]: InUrl<Value[Key]> }
  : Value

/** The path parameters that a call accepts. Each is one text, which ajv may coerce to null or to a
 *  list of one.
 *  @example type Params = PathPart<{ id: number; tags: string[] }>
 *  // { id: number | `${number}`; tags: string } */
export type PathPart<Value> = Value extends object
  ? { [Key in keyof Value]: InPath<Value[Key]> }
  : Value

type InPath<Value> = Value extends readonly (infer Item)[]
  ? InPath<Item>
  : Value extends null
    ? ''
    : InUrl<Value>

/** Path parameters without lists and null, which no path can carry. A Standard Schema may accept
 *  them. */
export type ScalarParams<Value> = Value extends object
  ? { [Key in keyof Value]: Exclude<Value[Key], readonly unknown[] | null> }
  : Value

/** The headers that a call accepts. A header is one text, even if it comes in several lines (RFC
 *  9110, 5.3). ajv coerces it to a list of one, so a longer list would not arrive as such. */
export type TextHeaders<Value> = Value extends object
  ? { [Key in keyof Value]: InHeader<Value[Key]> }
  : Value

type InHeader<Value> =
  InUrl<Exclude<Value, readonly unknown[]>> | ItemInHeader<Extract<Value, readonly unknown[]>>

type ItemInHeader<List> = List extends readonly (infer Item)[]
  ? InUrl<Item> | readonly [InUrl<Item>]
  : never

/** A value in a URL, where everything is text. ajv coerces it to numbers, booleans and null, and a
 *  single value to a list.
 *  @example type Query = { n: InUrl<number>; one: InUrl<1>; tags: InUrl<string[]> }
 *  // { n: number | `${number}`; one: 1 | '1'; tags: string | string[] } */
export type InUrl<Value> = Value extends readonly (infer Item)[]
  ? ListInUrl<Value, Item>
  : Value extends object
    ? 'An object cannot be written into a URL or a header'
    : Value extends null
      ? null | ''
      : // Calls leave out undefined fields.
        Value extends undefined
        ? undefined
        : Value extends number | boolean
          ? Value | `${Value}`
          : Value

/** A list of one may be written as its item. */
type ListInUrl<List extends readonly unknown[], Item> = number extends List['length']
  ? InUrl<Item> | InUrl<Item>[]
  : { [Index in keyof List]: InUrl<List[Index]> }

/** The headers that a call accepts: the names of the schema, as written there or in lower case, and
 *  any others.
 *  @example type Headers = HeaderPart<{ 'X-A': string }>
 *  // { 'X-A': string; 'x-a'?: string; … } | { 'x-a': string; 'X-A'?: string; … } */
export type HeaderPart<Value> = Value extends unknown
  ? [keyof Value] extends [Lowercase<keyof Value & string>]
    ? WithOthers<Value>
    : | WithOthers<Value & Partial<LowerCased<Value>>>
      | WithOthers<LowerCased<Value> & Partial<Value>>
  : never

type LowerCased<Value> = {
  [Name in keyof Value as Name extends string ? Lowercase<Name> : Name]: Value[Name]
}

type WithOthers<Declared> = Declared & OthersBeside<Declared[keyof Declared]>

/** An index signature applies to the declared headers too, so it includes their types. */
type OthersBeside<Value> = { readonly [name: string]: HeaderValues[string] | Value }
