import type { Json } from '../../types/json.ts'
import type { CheckResult } from '../../types/checks.ts'
import type { StandardMark } from './marks.ts'

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

/** What goes into a Standard Schema. */
type StandardInput<Schema> = Schema extends {
  readonly '~standard': { readonly types?: infer Types }
}
  ? TypeAt<NonNullable<Types>, 'input'>
  : unknown

type TypeAt<Types, Side extends string> = Types extends { readonly [Key in Side]: infer Type }
  ? Type
  : unknown

/** What is wrong with a Standard Schema for a part of a request that is text; `never` for other schemas, and where nothing is. */
export type StandardError<Schema, Name extends TextPartName> = Schema extends StandardMark
  ? CheckResult<unknown> extends CheckResult<ReadsText<Schema, Name>>
    ? TextMistake<StandardInput<Schema>, Name>
    : never
  : never

/** A check for `CheckResult`. Of `any`, as which the compiler asks of all schemas at once, it must not hold. */
type ReadsText<Schema, Name extends TextPartName> = 0 extends 1 & Schema
  ? unknown
  : [TextMistake<StandardInput<Schema>, Name>] extends [never]
    ? true
    : unknown

/** What is wrong with a Standard Schema, by what goes into it, where all that comes is text: a sentence for each name, `never`
 *  where nothing is. Of several objects each has to be wrong.
 *  @example type Wrong = TextMistake<{ n: number; 'X-A': string }, 'headers'>
 *  // "'n' takes no text, …" | "'X-A' is never there, …" */
type TextMistake<Input, Name extends TextPartName> = 0 extends 1 & Input
  ? never
  : [Input] extends [never]
    ? never
    : [Input] extends [string | number | bigint | boolean | null | undefined | readonly unknown[]]
      ? NoObject<Name>
      : [Input] extends [object]
        ? {
            [Field in keyof Input]-?: FieldMistake<
              Field,
              Exclude<Input[Field], undefined | null>,
              Name
            >
          }[keyof Input]
        : never

/** Says that a part of a request is an object. */
export type NoObject<Name extends TextPartName> =
  `Of a request, '${Name}' is always an object, which never fits this schema`

/** The parts of a request that are text. */
export type TextPartName = 'params' | 'querystring' | 'query' | 'headers'

type FieldMistake<Field, Value, Name extends TextPartName> = Field extends string
  ? 0 extends 1 & Value
    ? never
    : [Value] extends [never]
      ? never
      : [Value] extends [NoText]
        ? `'${Field}' takes no text, and '${Name}' has nothing else: z.coerce.number(), for one, reads it`
        : Name extends 'headers'
          ? UpperName<Field>
          : never
  : never

type NoText =
  number | bigint | boolean | symbol | Date | readonly (number | bigint | boolean | Date)[]

type UpperName<Name extends string> = string extends Name
  ? never
  : Name extends Lowercase<Name>
    ? never
    : `'${Name}' is never there, since names of headers come in lower case`
