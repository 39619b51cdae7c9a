// Mistakes in the schemas of routes, as error messages in the places of the mistakes.
import type { Kind, TransformKind } from '@sinclair/typebox'
import type { CheckResult } from '../../types/checks.ts'
import type { JsonTypeName } from './infer.ts'
import type { StandardMark, TypeBox1, WalkedKind } from './marks.ts'
import type { InferStandard } from './modes.ts'
import type { FullSchema, ListedProperties } from './part.ts'

/** The mistakes in a part of a route's schema, where a value cannot be a schema: an object with a
 *  message in the place of each mistake, or a single message. `never` if there are none.
 *  @example type Wrong = PartMistake<{ name: 'string' }>
 *  // { name: "'string' is no schema, as { type: 'string' } is one" } */
export type PartMistake<Part> = 0 extends 1 & Part
  ? never
  : Part extends StandardMark
    ? never
    : Part extends FullSchema
      ? SchemaMistake<Part>
      : Part extends SoundMap | MayBeFull<Part>
        ? never
        : Part extends Callable
          ? Uncalled
          : Part extends object
            ? Unless<MethodOf<Part>, MapMistake<ListedProperties<Part>, []>>
            : SchemaMistake<Part>

/** A type whose schema keywords are optional: a schema with a wide type, and no short form. */
type MayBeFull<Part> = [keyof Part & FullKeyword] extends [never]
  ? never
  : {} extends Pick<Part, keyof Part & FullKeyword>
    ? Part
    : never

type FullKeyword = '$ref' | 'type' | 'properties' | 'items' | 'anyOf' | 'oneOf' | 'allOf'

/** The mistakes in a schema that is no short form.
 *
 *  `extends Sound` comes first: it is a relation between types, which instantiates nothing. A value
 *  that fails it (a `type` that is any text, for instance) is checked exactly. `Level` bounds the
 *  depth of that check. */
export type SchemaMistake<Value, Level extends unknown[] = []> = 0 extends 1 & Value
  ? never
  : unknown extends Value
    ? never
    : Value extends boolean | undefined | Sound | { readonly [Kind]: unknown } | TypeBox1
      ? never
      : Value extends StandardMark
        ? 'This is a Standard Schema, which stands for a whole part, not for a field of one'
        : Value extends Callable
          ? Uncalled
          : Value extends readonly unknown[]
            ? NoSchema<Value>
            : Value extends object
              ? Unless<MethodAmong<Value>, KeywordMistakes<Value, Level>>
              : NoSchema<Value>

/** An object with methods is no JSON Schema. It comes from another library, for which the
 *  application may have a validator compiler. */
type Unless<Method, Mistakes> = [Method] extends [never] ? Mistakes : never

type MethodOf<Value, Except = Builder> = {
  [Key in keyof Value]-?: 0 extends 1 & Value[Key]
    ? never
    : Exclude<Extract<Value[Key], Callable>, Except>
}[keyof Value]

/** The methods of a schema. Beside the keywords the result type of a function is not checked, since
 *  the compiler may not know it yet. */
type MethodAmong<Schema> =
  MethodOf<Pick<Schema, keyof Schema & Holding>> | MethodOf<Omit<Schema, Holding>, never>

/** Functions that the user meant to call, or wrote for a type (`String` for text). */
type Builder =
  | ((...args: never) => { readonly [Kind]: unknown } | TypeBox1 | StandardMark)
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | ArrayConstructor
  | ObjectConstructor
  | DateConstructor

type Callable = ((...args: never) => unknown) | (abstract new (...args: never) => unknown)

type Uncalled = 'This is a function and no schema: it has to be called, as in t.String()'

type NoSchema<Value> = Value extends JsonTypeName
  ? `'${Value}' is no schema, as { type: '${Value}' } is one`
  : Value extends string
    ? `A text is no schema, as { type: 'string' } is one`
    : 'A schema is an object or a boolean'

/** A JSON Schema without mistakes. It lists annotations too: a type without any common property
 *  does not match an interface of optional properties. */
interface Sound {
  readonly '~standard'?: never
  readonly type?: JsonTypeName | readonly JsonTypeName[] | undefined
  readonly properties?: SoundMap | undefined
  readonly patternProperties?: SoundMap | undefined
  readonly additionalProperties?: Sound | boolean | undefined
  readonly propertyNames?: Sound | boolean | undefined
  readonly items?: Sound | boolean | readonly (Sound | boolean)[] | undefined
  readonly additionalItems?: Sound | boolean | undefined
  readonly contains?: Sound | boolean | undefined
  readonly anyOf?: readonly (Sound | boolean)[] | undefined
  readonly oneOf?: readonly (Sound | boolean)[] | undefined
  readonly allOf?: readonly (Sound | boolean)[] | undefined
  readonly not?: Sound | boolean | undefined
  readonly if?: Sound | boolean | undefined
  readonly then?: Sound | boolean | undefined
  readonly else?: Sound | boolean | undefined
  readonly $ref?: unknown
  readonly const?: unknown
  readonly enum?: unknown
  readonly required?: unknown
  readonly description?: unknown
  readonly default?: unknown
}

interface SoundMap {
  readonly [name: string]: Sound | boolean | undefined
}

type KeywordMistakes<Schema, Level extends unknown[]> = Level['length'] extends 6
  ? never
  : OnlyMistakes<{
      [Keyword in keyof Schema & Holding]-?: KeywordMistake<Keyword, Schema[Keyword], Level>
    }>

/** The keys that have a mistake; `never` if none has. */
type OnlyMistakes<Found> = [Found[keyof Found]] extends [never]
  ? never
  : { [Key in keyof Found as [Found[Key]] extends [never] ? never : Key]: Found[Key] }

/** The keywords that are checked. Definitions are not: ajv reads only those that a reference
 *  names. */
type Holding = 'type' | OfSchemas | OfSchema

type OfSchemas = 'properties' | 'patternProperties' | 'anyOf' | 'oneOf' | 'allOf'

type OfSchema =
  | 'items'
  | 'additionalItems'
  | 'additionalProperties'
  | 'propertyNames'
  | 'contains'
  | 'not'
  | 'if'
  | 'then'
  | 'else'

type KeywordMistake<Keyword, Value, Level extends unknown[]> = 0 extends 1 & Value
  ? never
  : Keyword extends 'type'
    ? TypeMistake<Value>
    : Value extends readonly unknown[]
      ? ListMistake<Value, [...Level, unknown]>
      : Keyword extends OfSchemas
        ? Value extends Callable
          ? Uncalled
          : Value extends object
            ? MapMistake<Value, [...Level, unknown]>
            : never
        : SchemaMistake<Value, [...Level, unknown]>

type TypeMistake<Name> = Name extends readonly (infer Member)[]
  ? TypeMistake<Member>
  : Name extends string
    ? string extends Name
      ? never
      : Name extends JsonTypeName | DefinedType
        ? never
        : `'${Name}' is no type of JSON Schema`
    : Name extends Callable
      ? Uncalled
      : never

/** The types of JSON Type Definition (RFC 8927, 2.2.3) that JSON Schema does not have. */
type DefinedType = 'timestamp' | `${'u' | ''}int${8 | 16 | 32}` | `float${32 | 64}`

/** A list with the mistake in the place of each wrong item, and `unknown` for the others. */
type ListMistake<List extends readonly unknown[], Level extends unknown[]> = [
  SchemaMistake<List[number], Level>,
] extends [never]
  ? never
  : {
      [Index in keyof List]: [SchemaMistake<List[Index], Level>] extends [never]
        ? unknown
        : SchemaMistake<List[Index], Level>
    }

/** A map with an index signature is not checked: its type may contain itself. */
type MapMistake<Map, Level extends unknown[]> = string extends keyof Map
  ? never
  : OnlyMistakes<{ [Name in keyof Map]-?: SchemaMistake<Map[Name], Level> }>

/** The kinds of `t` schemas that may accept an object. */
export type ObjectKind = Exclude<WalkedKind, OtherKind>

type OtherKind =
  'Null' | 'Boolean' | 'Integer' | 'Number' | 'String' | 'Literal' | 'Array' | 'Tuple'

/** Whether a schema accepts no object, by its `type` or kind. `false` if unknown, as for a Standard
 *  Schema or a Transform.
 *  @example type Wrong = TakesNoObject<{ type: 'array' }> // true */
export type TakesNoObject<Schema> = 0 extends 1 & Schema
  ? false
  : [Schema] extends [StandardMark | { readonly [TransformKind]: unknown }]
    ? false
    : [Schema] extends [{ readonly [Kind]: OtherKind }]
      ? true
      : [Schema] extends [{ readonly type: infer Type }]
        ? 0 extends 1 & Type
          ? false
          : [Type] extends [OtherType | readonly OtherType[]]
            ? true
            : false
        : false

type OtherType = Exclude<JsonTypeName, 'object'>

/** The mistakes in a Standard Schema for a part of a request that is text. `never` for other
 *  schemas, and if there are none. */
export type StandardError<Schema, Name extends TextPartName> = Schema extends StandardMark
  ? CheckResult<unknown> extends CheckResult<ReadsText<Schema, Name>>
    ? TextMistake<StandardInput<Schema>, Name>
    : never
  : never

/** A check for `CheckResult`. It must not hold for `any`, with which the compiler tries all
 *  schemas at once. */
type ReadsText<Schema, Name extends TextPartName> = 0 extends 1 & Schema
  ? unknown
  : [TextMistake<StandardInput<Schema>, Name>] extends [never]
    ? true
    : unknown

type StandardInput<Schema> = Schema extends {
  readonly '~standard': { readonly types?: infer Types }
}
  ? InferStandard<NonNullable<Types>>['in']
  : unknown

/** The mistakes in the input type of a Standard Schema that gets only text: a message for each
 *  field, `never` if there are none. In a union of objects, only mistakes in all members count.
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

/** The error message for a schema that accepts no object. */
export type NoObject<Name extends TextPartName> =
  `Of a request, '${Name}' is always an object, which never fits this schema`

/** The parts of a request whose values are text. */
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
