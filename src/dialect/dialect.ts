import type { DeprecationCode } from '../errors/deprecations.ts'

/** The behaviour of a server where Espalier and Fastify 4.24 differ. The factory of a server
 *  chooses the dialect, and each part of the server reads the policy that it needs. */
export interface Dialect {
  readonly errors: ErrorPolicy
  readonly boot: BootPolicy
  readonly validation: ValidationPolicy
  readonly methods: MethodPolicy
  readonly reply: ReplyPolicy
}

/** How errors are made and answered. */
export interface ErrorPolicy {
  /** Gives a coded error its code and name in this dialect. Returns other values unchanged. */
  readonly show: <Value>(error: Value) => Value
  /** Makes the error of a failed validation, which has no issues then. By default, it has a code
   *  and issues. */
  readonly refuse: ((message: string, cause: unknown) => Error) | undefined
  /** The code of a failed validation, if the error of a custom validator has none. */
  readonly validationCode: string
  /** Warns of a deprecated feature, once in a process. */
  readonly deprecate: (code: DeprecationCode) => void
  /** Whether the error of a user's function becomes the `cause` of an error of the framework. */
  readonly wrapsForeign: boolean
  /** The default of the option `exposeErrors`. */
  readonly exposesMessages: boolean
  /** Whether a thrown error is answered with the status that was set before. */
  readonly keepsStatus: boolean
  /** Whether the failure is answered when the response schema does not fit an error payload. */
  readonly answersFailedSerializer: boolean
  /** Whether the connection is closed if `rewriteUrl` returned no string. */
  readonly cutsFailedRewrite: boolean
  /** Whether an error that is thrown after `hijack` is logged as information, not as an error. */
  readonly hijackEndsErrors: boolean
  /** Whether hooks and error handlers run for a request that failed before routing. */
  readonly runsHooksUnrouted: boolean
  /** Makes the payload of a request without a route. */
  readonly notFound: (message: string) => object
  /** The payload if a not-found handler calls `callNotFound`. By default, that of `notFound`. */
  readonly notFoundAgain: string | undefined
}

/** How plugins are loaded, and how routes and options are read. */
export interface BootPolicy {
  /** Whether an unknown option is an error. */
  readonly refusesUnknown: boolean
  /** Whether an option that is null, false, 0 or '' counts as absent. */
  readonly falsyIsNone: boolean
  /** Whether the schemas of a route are checked and compiled as early as possible. */
  readonly checksEarly: boolean
  /** Whether a sync hook without parameters gets `done`, and has to call it. */
  readonly awaitsUnnamed: boolean
  /** Whether hooks run in the order in which plugins loaded, not in the order of registration. */
  readonly ordersByLoading: boolean
  /** Whether onRoute and onRegister hooks see the routes and contexts, too, that were there before
   *  the hook was added. */
  readonly hooksSeeEarlier: boolean
  /** Whether a function of plugin options gets the server of the plugin, not its parent. */
  readonly optionsFromInside: boolean
  /** Whether a plugin without a name is shown by its source. */
  readonly namesBySource: boolean
  /** Whether a child context may decorate a name that a parent context has. */
  readonly shadowsDecorators: boolean
  /** Whether decorating after boot has its own error code. */
  readonly namesLateDecorations: boolean
  /** Whether the empty path is an error at the root. */
  readonly refusesEmptyPath: boolean
  /** Whether the callback of `ready` always gets the server. */
  readonly readyGivesServer: boolean
  /** Whether it is an error to read a member that a registered plugin may still add. */
  readonly refusesEarlyReads: boolean
  /** Whether a server can be awaited, and its members can be replaced. */
  readonly isThenable: boolean
}

/** How requests are validated. */
interface ValidationPolicy {
  /** Whether a valid value stays as it is, and text is coerced by other rules than JSON values. If
   *  false, ajv coerces all values. */
  readonly strictFirst: boolean
  /** Whether a schema with an unknown keyword is an error. */
  readonly checksVocabulary: boolean
  /** When the handler gets undefined for an absent body: if it was valid as null, or never. */
  readonly absentBody: 'null' | 'never'
  /** Whether a custom validator gets null for an absent body. */
  readonly givesNullToCustom: boolean
  /** Whether a body is refused if the schema does not list its content type. */
  readonly refusesOtherTypes: boolean
}

/** What requests of each HTTP method may have. */
export interface MethodPolicy {
  /** The methods that `all` declares in addition to the standard methods. */
  readonly all: readonly string[]
  /** Whether a body schema validates the body of DELETE and OPTIONS. */
  readonly validatesAll: boolean
  /** Whether a body without a content type is ignored if a body is unusual for the method. */
  readonly leavesUntyped: boolean
  /** Whether the body of a request without a route is read, and may fail. */
  readonly readsUnrouted: boolean
}

/** How replies are sent. */
interface ReplyPolicy {
  /** The content types that are sent with `charset=utf-8`. */
  readonly withCharset: RegExp
  /** Whether a status is truncated to an integer. */
  readonly truncatesStatus: boolean
  /** Whether a reply of status 205 may have content. */
  readonly allowsResetContent: boolean
  /** Whether a reply without content, but one of status 204, has `content-length: 0` if its payload
   *  is an empty string. */
  readonly sendsEmptyLength: boolean
  /** Whether a reply of status 304 keeps its content type. */
  readonly keepsTypeUnmodified: boolean
  /** Whether streams have a default content type. */
  readonly typesStreams: boolean
  /** Whether an async iterable is sent as a stream, whose items `itemSchema` describes. If false,
   *  it is sent as JSON. */
  readonly streamsIterables: boolean
  /** Whether a payload without a response schema is an error. If false, it is sent as JSON. */
  readonly refusesUndeclared: boolean
  /** Whether a number that JSON does not have, such as Infinity, is an error. If false, null is
   *  sent for it. */
  readonly exactNumbers: boolean
  /** Whether an async handler that sends and returns nothing makes an empty reply, as does a
   *  payload that has no JSON, such as a function. */
  readonly allowsNothing: boolean
  /** Whether the result of a payload hook is ignored if the reply has no content, or if the hook
   *  may return any value. */
  readonly ignoresHookResults: boolean
  /** Whether `send` throws serialization errors to the handler. */
  readonly throwsInHandler: boolean
  /** Whether a trailer function that returns its value synchronously is deprecated. */
  readonly deprecatesSyncTrailers: boolean
  /** The text between the names in the header `trailer`. */
  readonly trailerSeparator: string
  /** Whether replies have `connection: close` while the server closes. */
  readonly announcesClose: boolean
  /** Whether replies tell clients by the header `declared` if their status is declared. */
  readonly marksDeclared: boolean
}
