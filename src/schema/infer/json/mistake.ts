import type { Kind } from '@sinclair/typebox'
import type { JsonTypeName } from '../infer.ts'
import type { StandardMark, TypeBox1 } from '../marks.ts'
import type { FullSchema, ListedProperties } from '../part.ts'

/** What is wrong with a part of a route's schema where no schema can be what is written: an object that has a sentence
 *  at each such place, or a sentence alone; `never` where nothing is.
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

/** What has keywords that may be left out is a schema of a type that tells little of it, and no short form. */
type MayBeFull<Part> = [keyof Part & FullKeyword] extends [never]
  ? never
  : {} extends Pick<Part, keyof Part & FullKeyword>
    ? Part
    : never

type FullKeyword = '$ref' | 'type' | 'properties' | 'items' | 'anyOf' | 'oneOf' | 'allOf'

/** The same for a schema by itself, which is no short form.
 *
 *  It is asked first as a relation between types, which instantiates nothing; what fails that, as a `type` does of which
 *  it is not known which it is, is looked at exactly. `Level` bounds that: what is nested deeper is let through. */
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

/** An object with methods is none of JSON Schema: it is of another library, which a validator compiler may be for. */
type Unless<Method, Mistakes> = [Method] extends [never] ? Mistakes : never

type MethodOf<Value> = {
  [Key in keyof Value]-?: 0 extends 1 & Value[Key]
    ? never
    : Exclude<Extract<Value[Key], Callable>, Builder>
}[keyof Value]

/** The same of a schema. What a function gives is not asked where it stands beside the keywords: it may not be known yet. */
type MethodAmong<Schema> =
  MethodOf<Pick<Schema, keyof Schema & Holding>> | CallableOf<Omit<Schema, Holding>>

type CallableOf<Value> = {
  [Key in keyof Value]-?: 0 extends 1 & Value[Key] ? never : Extract<Value[Key], Callable>
}[keyof Value]

/** What was meant to be called, or stands for a type where it is not JSON Schema that is written. */
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

/** A JSON Schema in which only schemas stand for such. Its annotations are here since a type that has nothing in common with
 *  this one does not fit it. */
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
  : Filled<{
      [
        Keyword in keyof Schema & Holding as [
          KeywordMistake<Keyword, Schema[Keyword], Level>,
        ] extends [never]
          ? never
          : Keyword
      ]-?: KeywordMistake<Keyword, Schema[Keyword], Level>
    }>

/** What has nothing in it is no mistake. */
type Filled<Found> = [keyof Found] extends [never] ? never : Found

/** The keywords whose values are looked at. Definitions are not: ajv looks only at those that are referred to. */
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

/** The other types of JSON Type Definition (RFC 8927, 2.2.3), in which schemas may be written, too. */
type DefinedType = 'timestamp' | `${'u' | ''}int${8 | 16 | 32}` | `float${32 | 64}`

/** At the place of each item that is wrong; the others may be anything. */
type ListMistake<List extends readonly unknown[], Level extends unknown[]> = [
  SchemaMistake<List[number], Level>,
] extends [never]
  ? never
  : {
      [Index in keyof List]: [SchemaMistake<List[Index], Level>] extends [never]
        ? unknown
        : SchemaMistake<List[Index], Level>
    }

/** Of a map whose names are not known nothing is said: its type may lead back to itself. */
type MapMistake<Map, Level extends unknown[]> = string extends keyof Map
  ? never
  : Filled<{
      [
        Name in keyof Map as [SchemaMistake<Map[Name], Level>] extends [never] ? never : Name
      ]-?: SchemaMistake<Map[Name], Level>
    }>
