import type { Kind } from '@sinclair/typebox'
import type { AnyCtx } from '../context/ctx.ts'
import { skipPattern } from '../http/route-call.ts'
import type { OpenPart, OpenReference } from '../schema/infer/closed.ts'
import type { Closed, CodecMark, KindMark, StandardMark } from '../schema/infer/marks.ts'
import type { Env, Mode } from '../schema/infer/modes.ts'
import type { Infer } from '../schema/infer/infer.ts'
import type { FullSchema, ListedProperties, Part } from '../schema/infer/part.ts'

/** The parameters of a path, as find-my-way reads it. They are strings, unless a schema says
 *  otherwise.
 *  @example
 *  type Params = PathParams<'/users/:id/files/*'> // { id: string; '*': string }
 *  type Maybe = PathParams<'/users/:id?'> // { id?: string }
 *  type Two = PathParams<'/at/:hour(^\\d+)h:minute'> // { hour: string; minute: string } */
export type PathParams<Path extends string, Name = NameIn<Path>> = string extends Path
  ? { [name: string]: string }
  : [OptionalName<Name>] extends [never]
    ? { [Key in Name & string]: string }
    : {
        [
          Key in keyof (Record<Exclude<Name, `${string}?`> & string, 1> & {
            [Key in OptionalName<Name> & string]?: 1
          })
        ]: string
      }

/** Matches the `Tail` of a path with several parameters, or with an optional one. Together with
 *  `ParamsToRead` it finds the few routes that need `ParamsRead`. These include routes without a
 *  parameter of their own: the schema then describes the prefix. */
export type LongTail = `${string}:${string}` | `${string}*` | `${string}?`

/** The parameters that a handler reads, for a schema of type `Read`. All parameters that the path
 *  does not mark as optional are required, also if the schema does not require them. A parameter
 *  that the schema does not name is a string, or has the type of `additionalProperties`, unless it
 *  is removed.
 *  @example type Read = ParamsRead<{ id?: number }, typeof plain, '/:id/:tag?', {}>
 *  // { id: number; tag?: string } */
export type ParamsRead<Read, Params, Path extends string, Schemas> = Read extends {
  [Name in NameIn<Path> & string]: unknown
}
  ? Read
  : [IsList<Params, Schemas>, Read] extends [true, object]
    ? WithTexts<
        Read,
        PathParams<Path>,
        Params extends Closing ? keyof Read : unknown,
        OtherParam<Params, Schemas, 'out'>
      >
    : Read

/** The schemas that need `ParamsRead` if the path below a prefix has one parameter. If the prefix
 *  has a parameter too, all schemas need it. */
export type ParamsToRead<Context extends AnyCtx> = Context['prefix'] extends `${string}:${string}`
  ? unknown
  : PlainParams

/** A plain JSON Schema of parameters, in full or in short form: properties are optional unless they
 *  are in `required`. */
type PlainParams =
  | { readonly [Kind]?: never; readonly properties: unknown }
  | { readonly [name: string]: PlainParam }
  | Typing

interface PlainParam {
  readonly [Kind]?: never
  readonly [keyword: string]: unknown
}

/** Whether a schema lists the parameters that are kept: by itself, or by the schemas it is composed
 *  of, if none of them is closed. Each closed one would remove the parameters that only the others
 *  name. */
type IsList<Params, Schemas> = Params extends FullSchema | { [Kind]: unknown }
  ? Params extends CodecMark
    ? false
    : Params extends { readonly properties: unknown } | Typing
      ? true
      : Params extends Composed & OpenPart<OpenReference<Schemas>>
        ? [Extract<MemberOf<Params, Schemas>, Typing>] extends [never]
          ? true
          : false
        : false
  : true

/** The type of a parameter that the schema does not name, unless it is removed. */
export type OtherParam<Params, Schemas, Side extends Mode> =
  Params extends Typing<infer Others> ? Infer<Others, Env<Schemas, Params, unknown, Side>> : string

/** A schema with a type for additional properties. */
interface Typing<out Others = object> {
  readonly additionalProperties: Others & object
}

type MemberOf<Params, Schemas> =
  | (Params extends { readonly allOf: readonly (infer Each)[] } ? Each : never)
  | (Params extends { readonly anyOf: readonly (infer Each)[] } ? Each : never)
  | (Params extends { readonly $ref: infer Reference }
      ? Schemas[keyof Schemas & (Reference extends `${infer Id}#` ? Id : Reference)]
      : never)

type Composed =
  { readonly $ref: unknown } | { readonly allOf: unknown } | { readonly anyOf: unknown }

/** An object that is closed, or may be closed: the types of TypeBox 1.x do not say it. */
type Closing = Closed | { readonly additionalProperties: false } | KindMark

/** A parameter is optional if both the schema and the path say so. Only the names of the path are
 *  used: intersected with a boolean or a literal, its strings would reduce the whole to never. */
type WithTexts<Read, Texts, Kept, Other> = {
  [
    Name in keyof (Read & { [Name in keyof Texts as Name & Kept]: unknown })
  ]: Name extends keyof Read ? Required<Read>[Name] : Other
}

/** The names of the parameters of a path.
 *  @example type Names = ParamName<'/:user/:post?'> // 'user' | 'post' */
export type ParamName<Path extends string> = WithoutMark<NameIn<Path>>

/** The same at run time.
 *  @example paramNames('/:user/:post?') // ['user', 'post'] */
export function paramNames(path: string): string[] {
  const names: string[] = []
  for (let at = 0; at < path.length; at++) {
    if (path[at] === '*') names.push('*')
    if (path[at] !== ':') continue
    if (path[at + 1] === ':') {
      at += 1
      continue
    }
    const name = /^[^(/\-.]*/.exec(path.slice(at + 1))?.[0] ?? ''
    names.push(name.replace(/\?$/, ''))
    at = skipPattern(path, at + name.length)
  }
  return names
}

type WithoutMark<Name> = Name extends `${infer Clean}?` ? Clean : Name
type OptionalName<Name> = Name extends `${infer Clean}?` ? Clean : never

/** All names, with their `?`. */
export type NameIn<Path extends string> = NameOf<Tail<Path>>

/** The text after the first colon of a path, or its wildcard; `never` if it has neither. Many paths
 *  have the same end, so the compiler reuses what it has computed for one.
 *  @example type Rest = Tail<'/users/:id'> // 'id' */
export type Tail<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest
  : Path extends `${string}*`
    ? '*'
    : never

/** Each step consumes one colon; `::` is an escaped colon. */
type NameOf<Rest extends string> = Rest extends `:${infer Literal}`
  ? NameIn<Literal>
  : FirstName<Rest> | NameIn<AfterName<Rest, FirstName<Rest>>>

/** A name ends at the first of these characters. */
type FirstName<Path extends string> = Cut<Cut<Cut<Cut<Path, '('>, '/'>, '-'>, '.'>

type Cut<Path extends string, Stop extends string> = Path extends `${infer Head}${Stop}${string}`
  ? Head
  : Path

type AfterName<Path extends string, Name extends string> = Path extends `${Name}${infer Rest}`
  ? Rest extends `(${string}`
    ? AfterPattern<Rest>
    : Rest
  : ''

/** The text after the regular expression of a parameter. Depth is a tuple with an item for each
 *  open parenthesis; escaped parentheses are counted too. */
type AfterPattern<
  Path extends string,
  Depth extends 0[] = [],
> = Path extends `${infer Head})${infer Tail}`
  ? Opened<Head, Depth> extends [0, ...infer Left extends 0[]]
    ? Left extends []
      ? Tail
      : AfterPattern<Tail, Left>
    : Tail
  : ''

type Opened<Path extends string, Depth extends 0[]> = Path extends `${string}(${infer Tail}`
  ? Opened<Tail, [0, ...Depth]>
  : Depth

/** An error message for a parameter that a schema names and the path lacks. An unknown prefix may
 *  have the parameter, but the schema then has to name all parameters of the path too. */
export type ParamError<Params, Path extends string, Prefix extends string> = string extends Path
  ? never
  : {} extends Record<Prefix, unknown>
    ? [ParamName<Path>] extends [NamedParam<Params>]
      ? never
      : UnknownParam<
          NamedParam<Params>,
          Path,
          ', and one of its prefix stands beside all of the path'
        >
    : UnknownParam<NamedParam<Params>, Path>

type UnknownParam<Name, Path extends string, More extends string = ''> =
  Name extends ParamName<Path> ? never : `Path '${Path}' has no parameter '${Name & string}'${More}`

type NamedParam<Params> = Params extends StandardMark
  ? RequiredName<Part<Params, {}, 'in'>>
  : Params extends { readonly properties: infer Properties }
    ? keyof Properties
    : Params extends FullSchema | { [Kind]: unknown }
      ? MemberParam<Params>
      : keyof ListedProperties<Params>

/** The names that all inputs of a Standard Schema have. A record has none. */
type RequiredName<Input, Name = keyof Input> = [Input] extends [object]
  ? Name extends keyof Input
    ? undefined extends Input[Name]
      ? never
      : {} extends Pick<Input, Name>
        ? never
        : Name
    : never
  : never

/** A member of `allOf` is never a short form. */
type MemberParam<Schema> = Schema extends { readonly allOf: readonly (infer Member)[] }
  ? Member extends { readonly properties: infer Properties }
    ? keyof Properties
    : MemberParam<Member>
  : never
