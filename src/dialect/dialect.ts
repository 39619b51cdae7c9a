import type { DeprecationCode } from '../errors/deprecations.ts'

/** What a server does in one of two ways: as Espalier, or as Fastify 4.24 does where the two
 *  differ. The factory chooses; whoever decides by it is handed the slice that it needs. */
export interface Dialect {
  readonly errors: ErrorPolicy
  readonly boot: BootPolicy
  readonly validation: ValidationPolicy
  readonly methods: MethodPolicy
  readonly reply: ReplyPolicy
}

/** How errors are made, and answered by default. */
export interface ErrorPolicy {
  /** Gives a coded error the code and the name that it has in this dialect. Any other value stays as it is. */
  readonly show: <Value>(error: Value) => Value
  /** The error of a failed validation. */
  readonly refuse: (message: string, cause: unknown) => Error
  /** The code of a failed validation, where the error of a library has none. */
  readonly validationCode: string
  /** Warns, once in a process, of what still works and will not in a later version. */
  readonly deprecate: (code: DeprecationCode) => void
  /** Whether an error of the user's becomes the cause of one that says where it came from. */
  readonly wrapsForeign: boolean
  /** The default of the option `exposeErrors`. */
  readonly exposesMessages: boolean
  /** Whether an error that is thrown is answered with the status that was set before. */
  readonly keepsStatus: boolean
  /** Whether an error payload that the response schema refuses is answered with that failure. */
  readonly answersFailedSerializer: boolean
  /** Whether a connection is cut whose `rewriteUrl` returned no text. */
  readonly cutsFailedRewrite: boolean
  /** Whether what is thrown behind `hijack` is logged as a matter of course, not as an error. */
  readonly hijackEndsErrors: boolean
  /** Whether hooks and error handlers run for a request that failed before it had a route. */
  readonly runsHooksUnrouted: boolean
  /** The payload where no route was found. */
  readonly notFound: (message: string) => object
  /** What is sent where a not-found handler calls `callNotFound`; undefined for the payload above. */
  readonly notFoundAgain: string | undefined
}

/** How plugins are loaded, and routes and options read. */
export interface BootPolicy {
  /** Whether an option that nobody knows is an error. */
  readonly refusesUnknown: boolean
  /** Whether an option that is null, false, 0 or empty text counts as not given. */
  readonly falsyIsNone: boolean
  /** Whether the schemas of a route are checked, and compilers asked, as early as possible. */
  readonly checksEarly: boolean
  /** Whether a hook that names no parameters, and is not async, is given `done` and waited for. */
  readonly awaitsUnnamed: boolean
  /** Whether hooks run in the order in which plugins were loaded, rather than registered. */
  readonly ordersByLoading: boolean
  /** Whether a function of options is given the plugin's own server, rather than the one around. */
  readonly optionsFromInside: boolean
  /** Whether a plugin without a name is shown by its source. */
  readonly namesBySource: boolean
  /** Whether a child may decorate a name that is taken above. */
  readonly shadowsDecorators: boolean
  /** Whether to decorate behind the boot is an error of its own. */
  readonly namesLateDecorations: boolean
  /** Whether the empty path is refused at the root. */
  readonly refusesEmptyPath: boolean
  /** Whether the callback of `ready` is always given the server. */
  readonly readyGivesServer: boolean
  /** Whether a server can be awaited, and its members can be set. */
  readonly isThenable: boolean
}

/** How requests are validated. */
export interface ValidationPolicy {
  /** Whether a value that fits as it stands is left so, and text is told from other JSON. Else
   *  values are what ajv makes of them. */
  readonly keepsFitting: boolean
  /** Whether schemas may only say what the validator and the serializer know. */
  readonly checksVocabulary: boolean
  /** What a body that was not sent is to its schema's handler. */
  readonly absentBody: 'null' | 'never'
  /** Whether a validator compiler of the user's is given null for a body that was not sent. */
  readonly givesNullToCustom: boolean
  /** Whether content of a type that the schema does not list is refused. */
  readonly refusesOtherTypes: boolean
  /** Whether a response entry of a description alone is a schema. */
  readonly readsDescriptions: boolean
}

/** What the methods of HTTP may have. */
export interface MethodPolicy {
  /** The methods that `all` declares beside the standard ones. */
  readonly all: readonly string[]
  /** Whether a body schema of DELETE and OPTIONS validates. */
  readonly validatesAll: boolean
  /** Whether content without a type is left unread where content is unusual. */
  readonly leavesUntyped: boolean
  /** Whether a body is read where no route was found, and may fail there. */
  readonly readsUnrouted: boolean
}

/** How replies are made. */
export interface ReplyPolicy {
  /** The content types that are sent with `charset=utf-8`. */
  readonly withCharset: RegExp
  /** Whether a status with a fraction is cut to an integer. */
  readonly truncatesStatus: boolean
  /** Whether a reply of status 205 may have content. */
  readonly allowsResetContent: boolean
  /** Whether an empty text of a reply without content has its length told. */
  readonly tellsEmptyLength: boolean
  /** Whether a reply of status 304 keeps its content type. */
  readonly keepsTypeUnmodified: boolean
  /** Whether streams have a content type where none was set. */
  readonly typesStreams: boolean
  /** Whether what no response schema describes is refused, rather than sent as JSON. */
  readonly refusesUndeclared: boolean
  /** Whether an async handler that ends without a reply has replied with nothing. */
  readonly allowsNothing: boolean
  /** Whether what a hook returns in the place of a payload is left out where the reply has no
   *  content or the hook may return anything. */
  readonly ignoresHookResults: boolean
  /** Whether `send` throws to the handler what it cannot serialize. */
  readonly throwsInHandler: boolean
  /** Whether a function of a trailer that returns its value at once is deprecated. */
  readonly deprecatesSyncTrailers: boolean
  /** What stands between the names of trailers. */
  readonly trailerSeparator: string
  /** Whether replies under way tell that their connection is closed while the server closes. */
  readonly announcesClose: boolean
}
