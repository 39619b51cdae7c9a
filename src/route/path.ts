import type { Kind } from '@sinclair/typebox'
import type { AnyCtx } from '../context/ctx.ts'
import { skipPattern } from '../http/route-call.ts'
import type { OpenPart, OpenReference } from '../schema/infer/closed.ts'
import type { Closed, CodecMark, KindMark, StandardMark } from '../schema/infer/marks.ts'
import type { Env, Mode } from '../schema/infer/modes.ts'
import type { Infer } from '../schema/infer/infer.ts'
import type { FullSchema, ListedProperties, Part } from '../schema/infer/part.ts'

/** The parameters of a path as find-my-way reads it. Values are strings until a schema says more.
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

/** What stands behind the first colon of a path that has several parameters, or one that may be missing; of its prefix
 *  nothing is asked. With `ParamsToRead` it tells at little cost the few routes that need `ParamsRead`, to which those
 *  without a parameter of their own belong too: what their schema is for is the prefix. */
export type LongTail = `${string}:${string}` | `${string}*` | `${string}?`

/** What a handler reads of the parameters of a path, where their schema gives `Read`. The path has those that it
 *  does not mark as optional, whether the schema requires them or not; one that the schema does not name
 *  is text, or of the type of `additionalProperties`, unless it is removed.
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

/** The schemas that need `ParamsRead` where the path below a prefix has one parameter: any, where the prefix has another. */
export type ParamsToRead<Context extends AnyCtx> = Context['prefix'] extends `${string}:${string}`
  ? unknown
  : PlainParams

/** A schema of parameters that is plain JSON Schema, in full or in short form, where what is not required by name
 *  may be missing. */
type PlainParams =
  | { readonly [Kind]?: never; readonly properties: unknown }
  | { readonly [name: string]: PlainParam }
  | Typing

interface PlainParam {
  readonly [Kind]?: never
  readonly [keyword: string]: unknown
}

/** Whether a schema says which parameters are kept: by itself, or by those that it is made of, as far as none of them is
 *  closed. Each of several that is removes what it does not name, whatever the others name. */
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

/** What a parameter is that a schema does not name, unless it is removed. */
export type OtherParam<Params, Schemas, Side extends Mode> =
  Params extends Typing<infer Others> ? Infer<Others, Env<Schemas, Params, unknown, Side>> : string

/** A schema that says of what type the fields are that it does not name. */
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

/** An object that is closed, or may be: TypeBox 1.x forgets it. */
type Closing = Closed | { readonly additionalProperties: false } | KindMark

/** A parameter may be missing where both the schema and the path have it so. The names of the path go in without their
 *  text: beside a boolean or a literal it would make nothing of the whole. */
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

/** All names with their `?`. */
export type NameIn<Path extends string> = NameOf<Tail<Path>>

/** What stands behind the first colon of a path, or its wildcard; `never` where it has neither. Many paths end alike: what
 *  is computed of their end, the compiler finds again.
 *  @example type Behind = Tail<'/users/:id'> // 'id' */
export type Tail<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest
  : Path extends `${string}*`
    ? '*'
    : never

/** Each step takes one colon; `::` stands for a colon itself. */
type NameOf<Rest extends string> = Rest extends `:${infer Literal}`
  ? NameIn<Literal>
  : FirstName<Rest> | NameIn<AfterName<Rest, FirstName<Rest>>>

/** A name ends at the first of these characters: the path is cut at each of them in turn. */
type FirstName<Path extends string> = Cut<Cut<Cut<Cut<Path, '('>, '/'>, '-'>, '.'>

type Cut<Path extends string, Stop extends string> = Path extends `${infer Head}${Stop}${string}`
  ? Head
  : Path

type AfterName<Path extends string, Name extends string> = Path extends `${Name}${infer Rest}`
  ? Rest extends `(${string}`
    ? AfterPattern<Rest>
    : Rest
  : ''

/** What follows the regular expression of a parameter. Depth is a tuple as long as the number of
 *  parentheses that are open; escaped ones are not told apart. */
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

/** A sentence for a parameter that a schema names and the path has not. A prefix that is not known may have it: what is named beside
 *  all parameters of the path is one of the prefix. */
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

/** What each value that a Standard Schema takes has, whatever it is. A record has no names. */
type RequiredName<Input, Name = keyof Input> = [Input] extends [object]
  ? Name extends keyof Input
    ? undefined extends Input[Name]
      ? never
      : {} extends Pick<Input, Name>
        ? never
        : Name
    : never
  : never

/** A member of `allOf` is no short form. */
type MemberParam<Schema> = Schema extends { readonly allOf: readonly (infer Member)[] }
  ? Member extends { readonly properties: infer Properties }
    ? keyof Properties
    : MemberParam<Member>
  : never
