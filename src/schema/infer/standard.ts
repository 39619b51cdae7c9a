import type { Json } from '../../types/json.ts'

/** The type of a Standard Schema by mode: what goes into it, and what comes out. A reply goes into it,
 *  and what comes out leaves as JSON. */
export interface InferStandard<Types> {
  in: TypeAt<Types, 'input'>
  call: TypeAt<Types, 'input'>
  out: TypeAt<Types, 'output'>
  reply: TypeAt<Types, 'input'>
  member: TypeAt<Types, 'input'>
  json: Json<TypeAt<Types, 'output'>>
  exact: unknown
}

type TypeAt<Types, Side extends string> = Types extends { readonly [Key in Side]: infer Type }
  ? Type
  : unknown

/** What is wrong with a Standard Schema, by what goes into it, where all that comes is text: a sentence for each name, `never`
 *  where nothing is.
 *  @example type Wrong = TextMistake<{ n: number; 'X-A': string }, 'headers'>
 *  // "'n' takes no text, …" | "'X-A' is never there, …" */
export type TextMistake<Input, Part extends TextPartName> = Input extends object
  ? {
      [Name in keyof Input]-?: FieldMistake<Name, Exclude<Input[Name], undefined | null>, Part>
    }[keyof Input]
  : never

/** The parts of a request that are text. */
export type TextPartName = 'params' | 'querystring' | 'query' | 'headers'

type FieldMistake<Name, Value, Part extends TextPartName> = Name extends string
  ? 0 extends 1 & Value
    ? never
    : [Value] extends [never]
      ? never
      : [Value] extends [NoText]
        ? `'${Name}' takes no text, and '${Part}' has nothing else: z.coerce.number(), for one, reads it`
        : Part extends 'headers'
          ? UpperName<Name>
          : never
  : never

type NoText =
  number | bigint | boolean | symbol | Date | readonly (number | bigint | boolean | Date)[]

type UpperName<Name extends string> = string extends Name
  ? never
  : Name extends Lowercase<Name>
    ? never
    : `'${Name}' is never there, since names of headers come in lower case`
