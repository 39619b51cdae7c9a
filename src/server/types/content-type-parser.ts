import type { AnyCtx } from '../../context/ctx.ts'
import type { BodyStream, ScopeRequests } from '../../route/hook-types.ts'

/** The types that a content-type parser is for: media types, maybe with parameters (`'text/csv'`,
 *  `'text/csv; header=present'`); patterns; or `'*'` for what no other parser is for. */
export type ParsedTypes = string | RegExp | readonly (string | RegExp)[]

/** How a content-type parser is given the body. */
export interface ParserOptions {
  /** As text or bytes, which are collected up to a limit. @default the stream, without a limit */
  readonly parseAs?: 'string' | 'buffer'
  /** The most bytes that are collected, where the route has no limit of its own.
   *  @default that of the server */
  readonly bodyLimit?: number
}

/** Calls back with an error, or with the body. */
export type ParserDone = (error?: unknown, body?: unknown) => void

/** Turns the content of a request into its body: it calls back, or returns a promise. One that does
 *  not take `done` may return the body at once. */
export type ContentTypeParser<Request, Self, Payload> = (
  this: Self,
  request: Request,
  payload: Payload,
  done: ParserDone,
) => unknown

/** What a parser with these options is given.
 *  @example type Text = ParserPayload<{ parseAs: 'string' }> // string */
export type ParserPayload<Options extends ParserOptions> = 'parseAs' extends keyof Options
  ? PayloadAs<Options['parseAs']>
  : BodyStream

type PayloadAs<As> = As extends 'string' ? string : As extends 'buffer' ? Buffer : BodyStream

/** Adds a content-type parser: `(types, parser)` or `(types, options, parser)`.
 *  @template Self the server as parsers see it
 *  @template Whole the same with its routes */
export interface AddContentTypeParser<in out Context extends AnyCtx, in out Self, out Whole> {
  (
    types: ParsedTypes,
    parser: ContentTypeParser<ScopeRequests<Context, Self>['early'], Self, BodyStream>,
  ): Whole
  <const Options extends ParserOptions>(
    types: ParsedTypes,
    options: Options,
    parser: ContentTypeParser<ScopeRequests<Context, Self>['early'], Self, ParserPayload<Options>>,
  ): Whole
}
