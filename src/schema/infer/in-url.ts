import type { HeaderValues } from '../../http/route-call.ts'

/** A query string as a call may give it. */
export type TextPart<Value> = Value extends object
  ? { [Key in keyof Value]: InUrl<Value[Key]> }
  : Value

/** The same for path parameters. Each is one text, of which ajv makes null, and a list of one.
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

/** Path parameters without what no path can have: a Standard Schema may take a list or null as well. */
export type ScalarParams<Value> = Value extends object
  ? { [Key in keyof Value]: Exclude<Value[Key], readonly unknown[] | null> }
  : Value

/** The same for headers. A header is one text, however many lines it comes in (RFC 9110, 5.3), of which ajv makes a list
 *  of one: a list of more would arrive as that. */
export type TextHeaders<Value> = Value extends object
  ? { [Key in keyof Value]: InHeader<Value[Key]> }
  : Value

type InHeader<Value> =
  InUrl<Exclude<Value, readonly unknown[]>> | ItemInHeader<Extract<Value, readonly unknown[]>>

type ItemInHeader<List> = List extends readonly (infer Item)[]
  ? InUrl<Item> | readonly [InUrl<Item>]
  : never

/** A value as it may be written into a URL, where all is text: ajv makes numbers, booleans and null of
 *  it, and a list of a single value.
 *  @example type Query = { n: InUrl<number>; one: InUrl<1>; tags: InUrl<string[]> }
 *  // { n: number | `${number}`; one: 1 | '1'; tags: string | string[] } */
export type InUrl<Value> = Value extends readonly (infer Item)[]
  ? ListInUrl<Value, Item>
  : Value extends object
    ? 'An object cannot be written into a URL or a header'
    : Value extends null
      ? null | ''
      : // Says that a field that may be left out may also be undefined, which calls leave out.
        Value extends undefined
        ? undefined
        : Value extends number | boolean
          ? Value | `${Value}`
          : Value

/** A tuple with room for one value may be that value, too. */
type ListInUrl<List extends readonly unknown[], Item> = number extends List['length']
  ? InUrl<Item> | InUrl<Item>[]
  : { [Index in keyof List]: InUrl<List[Index]> }

/** Headers as a call may give them: the names of a schema as they are written there, or all in lower
 *  case, and any others.
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

/** What the headers of a schema may be is repeated, since an index signature holds for them too. */
type OthersBeside<Value> = { readonly [name: string]: HeaderValues[string] | Value }
