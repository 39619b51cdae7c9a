import type { AnyCtx } from '../context/ctx.ts'
import type { ExtraField, OpenPart, OpenReference } from '../schema/infer/closed.ts'
import type { Success } from './payload.ts'
import type { Returned, Sent } from './typed-reply.ts'

/** The responses of a route whose success has no closed object in it: what its handler returns is
 *  checked by assignment alone. */
export interface OpenResponses<Context extends AnyCtx> {
  readonly 200?: OpenEntry<Context>
  readonly '2xx'?: OpenEntry<Context>
  readonly '2XX'?: OpenEntry<Context>
  readonly default?: OpenEntry<Context>
  // Without it the others would have to be among these.
  readonly [code: string]: unknown
}

type OpenEntry<Context extends AnyCtx> = OpenIn<OpenPart<OpenReference<Context['schemas']>>>

type OpenIn<Part> =
  Part | { readonly content: { readonly [media: string]: { readonly schema?: Part } } }

/** What a handler with a closed success returns: `Returned`, unless the value that it does return
 *  has fields too many. The compiler itself looks for these in literals only where they are written,
 *  and forgets what was one when a function returns it. */
export type ExactReturned<Result, Responses, Schemas> = UnlessExtra<
  ExtraField<GivenValue<Result>, Success<Responses, Schemas, 'exact'>>,
  Returned<Responses, Schemas>
>

type UnlessExtra<Field, Answer> = [Field] extends [never]
  ? Answer
  : `'${Field & string}' is not in the response schema`

/** The value that a handler itself gives; not that of `Awaited`, which costs 200 instantiations. */
type GivenValue<Result> = Result extends Sent
  ? never
  : Result extends Promise<infer Value>
    ? Exclude<Value, Sent>
    : Result
