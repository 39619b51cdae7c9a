import type { AnyCtx } from '../../context/ctx.ts'
import type { BodyStream, ScopeRequests } from '../../route/hook-types.ts'

/** The content types of a parser: media types, optionally with parameters (`'text/csv'`,
 *  `'text/csv; header=present'`), patterns, or `'*'` for types without another parser. */
export type ParsedTypes = string | RegExp | readonly (string | RegExp)[]

/** The options of a content-type parser. */
export interface ParserOptions {
  /** Collects the body as text or bytes, up to a limit. @default the stream, without a limit */
  readonly parseAs?: 'string' | 'buffer'
  /** The maximum number of bytes, for routes without a limit of their own.
   *  @default the limit of the server */
  readonly bodyLimit?: number
}

/** Calls back with an error, or with the body. */
export type ParserDone = (error?: unknown, body?: unknown) => void

/** Parses the content of a request into its body. It calls back or returns a promise. Without the
 *  parameter `done` it may return the body. */
export type ContentTypeParser<Request, Self, Payload> = (
  this: Self,
  request: Request,
  payload: Payload,
  done: ParserDone,
) => unknown

/** The payload of a parser with these options.
 *  @example type Text = ParserPayload<{ parseAs: 'string' }> // string */
export type ParserPayload<Options extends ParserOptions> = 'parseAs' extends keyof Options
  ? PayloadAs<Options['parseAs']>
  : BodyStream

type PayloadAs<As> = As extends 'string' ? string : As extends 'buffer' ? Buffer : BodyStream

/** Adds a content-type parser: `(types, parser)` or `(types, options, parser)`.
 *  @template Self the server for parsers
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
