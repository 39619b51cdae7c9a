import type { CodePayload, CodesOf, CodesOfKey, HeaderFor } from '../../typed/payload.ts'
import type { ReplySerializer } from '../../typed/reply.ts'
import type { Declared, responses, Unfinished } from '../../typed/sent.ts'
import type { RawReply, Send } from '../../typed/reply.ts'
import type { HookRequest } from '../../typed/request.ts'
import type { NeedOf } from '../../plugin/plugin-types.ts'
import type { ServerFor } from './server.ts'

/** The reply of a handler that is written apart from its route: that of any scope which has what is
 *  needed. Its members are those of `TypedReply`, as properties, so that the compiler does not take the
 *  reply of a route with other responses for it.
 *
 *  Status and type are set once, by overloads: comparing two replies, each of which leads back to itself
 *  by a type parameter, takes the compiler beyond its limits. */
export interface HandlerReply<Needed, Responses = never> extends HeadedReply<
  Needed,
  Responses,
  'initial',
  unknown
> {
  readonly [responses]?: [Responses] extends [never] ? unknown : Declared
  readonly code: Overloads<CodeSetter<Needed, Responses, keyof Responses>> &
    ((
      status: CodesOfKey<keyof Responses>,
    ) => Also<Needed, CodedReply<Needed, Responses, CodesOfKey<keyof Responses>>>) &
    ((
      status: CodesOf<Responses>,
    ) => Also<Needed, CodedReply<Needed, Responses, CodesOf<Responses>>>)
  /** The same as `code`. */
  readonly status: HandlerReply<Needed, Responses>['code']
  readonly type: Overloads<TypeSetter<Needed, Responses, MediaOf<Responses[keyof Responses]>>> &
    ((contentType: string) => Also<Needed, MediaReply<Needed, Responses, string>>)
}

/** A reply whose headers can be set, and that can be sent. */
export interface HeadedReply<Needed, Responses, Code, Media> extends RawReply {
  readonly server: ServerFor<Needed>
  readonly request: HookRequest<ServerFor<Needed>>
  readonly header: <const Name extends string>(
    name: Name,
    value?: NoInfer<HeaderFor<Responses, Code, Name>>,
  ) => this & Unfinished
  readonly headers: <const Name extends string>(values: {
    readonly [Key in Name]: NoInfer<HeaderFor<Responses, Code, Key>> | undefined
  }) => this & Unfinished
  readonly removeHeader: (name: string) => this & Unfinished
  readonly serializer: (serializer: ReplySerializer) => this & Unfinished
  readonly send: Send<
    PayloadOfEach<Responses, Code extends 'initial' ? 200 : Code, NeedOf<Needed, 'schemas'>, Media>
  >
}

/** What fits each of several codes. */
type PayloadOfEach<Responses, Code, Schemas, Media> = (
  Code extends unknown
    ? (payload: CodePayload<Responses, Code, Schemas, 'reply', Media>) => void
    : never
) extends (payload: infer All) => void
  ? All
  : never

/** A reply whose status was set. */
export interface CodedReply<Needed, Responses, Code> extends HeadedReply<
  Needed,
  Responses,
  Code,
  unknown
> {
  readonly type: Overloads<
    CodedTypeSetter<Needed, Responses, Code, MediaOf<Responses[keyof Responses]>>
  > &
    ((contentType: string) => Also<Needed, HeadedReply<Needed, Responses, Code, string>>)
}

/** A reply whose type was set. */
export interface MediaReply<Needed, Responses, Media> extends HeadedReply<
  Needed,
  Responses,
  'initial',
  Media
> {
  readonly code: Overloads<MediaCodeSetter<Needed, Responses, Media, keyof Responses>> &
    ((
      status: CodesOfKey<keyof Responses>,
    ) => Also<Needed, HeadedReply<Needed, Responses, CodesOfKey<keyof Responses>, Media>>) &
    ((
      status: CodesOf<Responses>,
    ) => Also<Needed, HeadedReply<Needed, Responses, CodesOf<Responses>, Media>>)
  /** The same as `code`. */
  readonly status: MediaReply<Needed, Responses, Media>['code']
}

/** A reply of which something was set, with the decorators that are needed. */
type Also<Needed, Reply> = Reply & NeedOf<Needed, 'reply'> & Unfinished

/** An overload for each key of `response`. Behind them are one for several codes at once, and one for
 *  those that only `default` serves. */
type CodeSetter<Needed, Responses, Key> = Key extends 'default'
  ? never
  : (
      status: CodesOnly<Key, keyof Responses>,
    ) => Also<Needed, CodedReply<Needed, Responses, CodesOnly<Key, keyof Responses>>>

type MediaCodeSetter<Needed, Responses, Media, Key> = Key extends 'default'
  ? never
  : (
      status: CodesOnly<Key, keyof Responses>,
    ) => Also<Needed, HeadedReply<Needed, Responses, CodesOnly<Key, keyof Responses>, Media>>

/** An overload for each media type of `content`. */
type TypeSetter<Needed, Responses, Media> = Media extends string
  ? (
      contentType: Media | `${Media};${string}`,
    ) => Also<Needed, MediaReply<Needed, Responses, Media>>
  : never

type CodedTypeSetter<Needed, Responses, Code, Media> = Media extends string
  ? (
      contentType: Media | `${Media};${string}`,
    ) => Also<Needed, HeadedReply<Needed, Responses, Code, Media>>
  : never

/** The codes that one key serves, without those of a class that have a key of their own. */
type CodesOnly<Key, All> = Key extends `${string}${'xx' | 'XX'}`
  ? Exclude<CodesOfKey<Key>, ExactCode<All>>
  : CodesOfKey<Key>

type ExactCode<Key> = Key extends number
  ? Key
  : Key extends `${infer Code extends number}`
    ? Code
    : never

type MediaOf<Entry> = Entry extends { readonly content: infer Content } ? keyof Content : never

/** A union of functions as one function with overloads. */
type Overloads<Functions> = (
  Functions extends unknown ? (each: Functions) => void : never
) extends (all: infer All) => void
  ? All
  : never
