// What a call of a route takes, by the parts of its request.
import type { RouteInput } from '../../http/route-call.ts'
import type { SeenRoute } from '../../plugin/seen-route.ts'
import type {
  HeaderPart,
  PathPart,
  ScalarParams,
  TextHeaders,
  TextPart,
} from '../../schema/infer/in-url.ts'
import type { HasBody } from '../../types/has-part.ts'
import type { StandardMark } from '../../schema/infer/marks.ts'
import type { Part, QueryOf } from '../../schema/infer/part.ts'
import type { Verdict } from '../../types/verdict.ts'
import type { NameIn, OtherParam, ParamName, PathParams } from '../path.ts'
import type { Routed, RouteKey, RouteOf } from '../route-entry.ts'
import type { BodilessMethod } from '../route-schema.ts'
import type { BodyInput } from './body-input.ts'

/** What a client sends to a route; parts that may be empty may be left out.
 *  @example type In = InputOf<App, 'GET /users/:id'> // { params: { id: number } } */
export type InputOf<App extends Routed, Key extends RouteKey<App>> = EntryInput<
  RouteOf<App, Key>,
  Key
>

/** The same of one route, by its entry. */
export type EntryInput<Entry, Key> =
  Entry extends SeenRoute<infer Schema, infer Schemas, infer _Result>
    ? SchemaInput<Schema, Schemas, Key & string>
    : never

/** Schemas are arguments here and below: what is inferred in place is instantiated anew by each step of the walk. */
type SchemaInput<Schema, Schemas, Key extends string> = Simplify<Parts<Schema, Schemas, Key>>

/** A condition around the whole, with one for the body in it: an intersection of conditions the compiler would ask for its
 *  properties while nothing is known of the schema. */
type Parts<Schema, Schemas, Key extends string> = Schema extends HasBody
  ? ParamsInput<Schema, Schemas, Key> &
      Query<QueryOf<Schema>, Schemas> &
      HeadersInput<Schema, Schemas> &
      BodyInput<Schema['body'], Schemas>
  : ParamsInput<Schema, Schemas, Key> &
      Query<QueryOf<Schema>, Schemas> &
      HeadersInput<Schema, Schemas> &
      FreeBody<Key>

/** What no schema describes may be anything, where there is a body at all. */
type FreeBody<Key> = Key extends `${BodilessMethod} ${string}` ? {} : Pick<RouteInput, 'body'>

/** A Standard Schema gets the text as it comes: nothing makes numbers or lists of it. */
type AsQuery<Schema, Input> = Schema extends StandardMark ? Input : TextPart<Input>

type AsParams<Schema, Input> = Schema extends StandardMark ? ScalarParams<Input> : PathPart<Input>

type HeadersInput<Schema, Schemas> = Schema extends { readonly headers: infer Headers }
  ? MayBeEmpty<'headers', HeaderPart<AsHeaders<Headers, Part<Headers, Schemas, 'in'>>>>
  : FreeHeaders

type AsHeaders<Schema, Input> = Schema extends StandardMark ? Input : TextHeaders<Input>

/** Any request may have headers that no schema names. */
type FreeHeaders = Pick<RouteInput, 'headers'>

type Query<Schema, Schemas> = [Schema] extends [never]
  ? {}
  : MayBeEmpty<'query', AsQuery<Schema, Part<Schema, Schemas, 'in'>>>

/** A part that may be left out, or be undefined, which calls leave out. */
type MayBeEmpty<Name extends string, Input> = {} extends Input
  ? { [Key in Name]?: Input | undefined }
  : undefined extends Input
    ? { [Key in Name]?: Input | undefined }
    : { [Key in Name]: Input }

/** Of a key it is asked as of a path: a method has no colon. */
type ParamsInput<Schema, Schemas, Key extends string> = Schema extends {
  readonly params: infer Params
}
  ? GivenParams<AsParams<Params, Part<Params, Schemas, 'in'>>, Key, Params, Schemas>
  : [ParamName<Key>] extends [never]
    ? {}
    : MayBeEmpty<'params', TextParams<Key>>

/** Most schemas require all parameters of their path by name. */
type GivenParams<Input, Path extends string, Params, Schemas, Name = NameIn<Path>> = [
  Name,
] extends [never]
  ? {}
  : Verdict<Input> extends Verdict<{ [Each in Name & string]: unknown }>
    ? MayBeEmpty<'params', Input>
    : MayBeEmpty<
        'params',
        NeededParams<Input, TextParams<Path, OtherParam<Params, Schemas, 'in'>>, Name>
      >

/** No URL can be made without a parameter that the path does not mark as optional, whatever a schema requires. Those that the
 *  schema does not name are text, or of the type that it says. */
type NeededParams<Input, Texts, Name> = Input extends unknown
  ? {
      [Each in keyof (Input & { [Name in keyof Texts]: unknown })]: Each extends keyof Input
        ? Each extends Name
          ? Exclude<Input[Each], undefined>
          : Input[Each]
        : Texts[Each & keyof Texts]
    }
  : never

type TextParams<Path extends string, Other = string> = PathPart<{
  [Name in keyof PathParams<Path>]: Other | (string extends Other ? number : never)
}>

/** Shows an intersection of objects as one object.
 *  @example type Point = Simplify<{ x: number } & { y: number }> // { x: number; y: number } */
type Simplify<Type> = { [Key in keyof Type]: Type[Key] }
