import { format } from 'node:util'
import { once } from '../packages/once.ts'
import { EspalierError } from './espalier-error.ts'
import { beginAtCall, running } from './running-call.ts'

/** The prefix of every code in `errorCodes`. */
export const errorCodePrefix = 'ESP_ERR_' as const

/** The status of an error that is no answer to a request. An error of the boot does not have it. */
export const mistake = 500

/** code → template, or [template, status]. The default status is that of mistakes. */
const table = {
  ESP_ERR_VALIDATION: ['%s', 400],
  ESP_ERR_VALIDATOR_FAILED: 'The validator of %s failed: %s',
  ESP_ERR_BAD_URL: ["'%s' is not a valid url component", 400],
  ESP_ERR_INIT_OPTS_INVALID: '%s',
  ESP_ERR_OPTIONS_NOT_OBJ: 'The options of a server are an object, not %s',
  ESP_ERR_LISTEN_OPTIONS_INVALID: "The option '%s' of listen must be %s, but is %s",
  ESP_ERR_MAX_PARAM_LENGTH: ["A parameter of '%s' is longer than maxParamLength", 414],
  ESP_ERR_ASYNC_CONSTRAINT: "A constraint could not be derived of the request to '%s'",
  ESP_ERR_CONSTRAINT: "The constraint '%s' of route '%s' in %s %s",
  ESP_ERR_CONSTRAINT_STRATEGY: 'The constraint strategy %s is not possible: %s',
  ESP_ERR_ROUTE_METHOD_INVALID: 'addHttpMethod in %s takes a method of HTTP, but was given %s',
  ESP_ERR_ROUTE_REWRITE_NOT_STR: "rewriteUrl must return a string for '%s', but returned %s",

  ESP_ERR_LOG_INVALID_LOGGER: '%s, which lacks these methods of a logger: %s',
  ESP_ERR_LOG_INVALID_LOGGER_INSTANCE:
    "The option 'loggerInstance' takes a logger, but is %s. Options of pino go into 'logger'",
  ESP_ERR_LOG_INVALID_LOGGER_CONFIG:
    "The option 'logger' takes a boolean, the options of pino, or a logger, but is %s",
  ESP_ERR_LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED:
    "There are both 'logger' and 'loggerInstance'. Keep one",
  ESP_ERR_LOG_INVALID_DESTINATION: "The option 'logger' has both a stream and a file. Keep one",
  ESP_ERR_LOG_INVALID_LOG_CONTROLLER:
    "The option 'logController' takes an instance of LogController, or of a subclass, but is %s",
  ESP_ERR_LOG_OPTION: "The option '%s' of plugin '%s' %s, but is %s",
  ESP_ERR_LOG_INVALID_LEVEL: "The log level '%s' of %s is unknown to the logger. It has: %s",

  ESP_ERR_CTP_ALREADY_PRESENT: "There is a content-type parser for '%s' already in %s",
  ESP_ERR_CTP_INVALID_TYPE:
    "A content-type parser in %s is for a media type, a RegExp or '*', but was given %s",
  ESP_ERR_CTP_EMPTY_TYPE: "The type of a content-type parser in %s is empty. '*' takes all",
  ESP_ERR_CTP_INVALID_HANDLER: 'A content-type parser in %s must be a function, but is %s',
  ESP_ERR_CTP_INVALID_PARSE_TYPE:
    "A content-type parser in %s is given the body as 'string' or as 'buffer', not as %s",
  ESP_ERR_CTP_INVALID_MEDIA_TYPE: ['Unsupported Media Type', 415],
  ESP_ERR_CTP_BODY_TOO_LARGE: ['Request body is too large', 413],
  ESP_ERR_CTP_INVALID_CONTENT_LENGTH: ['Request body size did not match Content-Length', 400],
  ESP_ERR_CTP_BODY_ALREADY_READ:
    'The body was read before its turn. A hook that consumes request.raw has to reply itself',
  ESP_ERR_CTP_INVALID_CHUNK: 'The stream in the place of the body gave %s, not text or bytes',
  ESP_ERR_CTP_EMPTY_JSON_BODY: [
    "Body cannot be empty when content-type is set to 'application/json'",
    400,
  ],
  ESP_ERR_CTP_INVALID_JSON_BODY: ['Body is not valid JSON: %s', 400],
  ESP_ERR_CTP_NO_UTF8: ['Body is no UTF-8', 400],

  ESP_ERR_OPENAPI_ROUTE:
    'The document %s cannot tell the route %s in %s: %s. Or leave the route out, by schema: { hide: true }',
  ESP_ERR_OPENAPI_OPTION: "The option '%s' of openapi %s, but is %s",
  ESP_ERR_OPENAPI_NOT_MADE: 'There is no document %s in %s: %s',

  ESP_ERR_DEC_ALREADY_PRESENT: "The %s decorator '%s' is already there: %s",
  ESP_ERR_DEC_REFERENCE_TYPE:
    "The %s decorator '%s' in %s is an object, which all requests would share. Decorate with null and fill it in a hook, or give a function or { getter }",
  ESP_ERR_DEC_AFTER_START: "'%s' was called in %s after the server was ready. Call it before",
  ESP_ERR_DEC_MISSING_DEPENDENCY: "The %s decorator '%s' in %s needs '%s', which is not there",

  ESP_ERR_DEC_DEPENDENCY_INVALID_TYPE:
    "The dependencies of the %s decorator '%s' in %s must be a list of names, but are %s",
  ESP_ERR_DEC_TOO_EARLY:
    "The server in %s has no '%s' while plugins that were registered there have not loaded: %s. Read it after 'await app.after()', in a plugin that is registered later, or in a hook or handler. To ask whether it is there, call hasDecorator",
  ESP_ERR_DEC_UNDECLARED: "No %s decorator is named '%s'. Declare it at boot, with %s",

  ESP_ERR_SCH_MISSING_ID:
    'A shared schema without $id was added in %s. Give it one, or call addSchema(id, schema)',
  ESP_ERR_SCH_ALREADY_PRESENT: "A schema with $id '%s' is already there: %s",
  ESP_ERR_SCH_STALE:
    "%s: not in the module that `espalier compile` has written. Run that again, or set whenStale: 'warn'",
  ESP_ERR_FOR_WORKERS: 'A bundle for workers (condition `workerd`) has no %s, which %s needs. %s',
  ESP_ERR_SCH_NOT_OBJECT: '%s must be a schema object, but is %s',
  ESP_ERR_SCH_MISSING_REF: "No schema '%s' is visible to %s. %s",
  ESP_ERR_SCH_DUPLICATE: '%s has both %s and %s. Keep one',
  ESP_ERR_SCH_VALIDATION_BUILD: 'The validator for %s cannot be built: %s',
  ESP_ERR_SCH_SERIALIZATION_BUILD: 'The serializer for %s cannot be built: %s',
  ESP_ERR_SCH_RESPONSE_KEY:
    "'%s' in the response schema of %s is no status. Use a code (200), a class ('2xx') or 'default'",
  ESP_ERR_SCOPE_RESPONSE_KEY:
    "'%s' is no status that addResponses takes, in %s. It takes codes (401) and classes ('4xx') other than 2xx: a success is declared by its route",
  ESP_ERR_SCOPE_RESPONSE_PRESENT:
    'Response %s already has a schema in %s, and another one in %s. Give both the same schema, or declare it in the routes',
  ESP_ERR_SCOPE_ERROR_PRESENT:
    "The error '%s' of status %s already has other fields in %s, and these in %s. Give one of the two another code",
  ESP_ERR_HTTP_ERROR_STATUS:
    "%s is the error '%s', whose status is %s. Declare it under its own status, from 400 to 599",
  ESP_ERR_HTTP_ERROR_UNDECLARED:
    '%s was thrown in %s, where nothing declares it. Call app.addResponses(%s) in %s or above, or name it in the response schema of the route, as %s: %s',
  ESP_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN:
    "The option 'bucket' of the schema controller of %s must be a function, but is %s",
  ESP_ERR_SCH_SENSITIVE:
    'The %s has a sensitive value at %s. Leave it out, as t.Omit(schema, [name]) does, or say there that it leaves: t.Reveal(schema, [name])',
  ESP_ERR_SCH_CONTENT_MISSING_SCHEMA: '%s has no schema, but %s',
  ESP_ERR_SCH_ITEM_SCHEMA: '%s has an itemSchema, which is for responses of these types: %s',
  ESP_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN:
    'The schemaErrorFormatter must be a function that is not async, but is %s',
  ESP_ERR_SCH_ERROR_FORMATTER:
    'The schemaErrorFormatter in %s must return an Error synchronously, but returned %s',

  ESP_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED:
    'Route %s has a body schema, but %s requests have no body to validate',
  ESP_ERR_DUPLICATED_ROUTE: "Route '%s' is declared twice: first in %s, again in %s",
  ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED: "Route '%s' in %s has a method that is not supported: %s",
  ESP_ERR_INVALID_URL:
    "The path of a route in %s must be a string that begins with '/' or '*', but is %s",
  ESP_ERR_ROUTE_PATH: "The path '%s' of a route in %s is not valid: %s",
  ESP_ERR_ROUTE_PARAM:
    "The params of %s require '%s', which is no parameter of that path. It has: %s. Rename one of the two, or make it optional in the schema",
  ESP_ERR_ROUTE_ARGUMENTS: "The arguments of %s('%s') in %s are wrong: %s",
  ESP_ERR_ROUTE_DEFINITION: 'defineRoute takes the options of a route, but was given %s',
  ESP_ERR_ROUTE_LIST: 'addRoutes in %s takes a list of routes, but was given %s',
  ESP_ERR_ROUTE_MISSING_HANDLER: "Route '%s' in %s has no handler function",
  ESP_ERR_ROUTE_OPTION: "The option '%s' of route '%s' in %s %s",

  ESP_ERR_HOOK_NOT_SUPPORTED: "No hook is named '%s' (in %s). %s",
  ESP_ERR_HOOK_INVALID_HANDLER: "The '%s' hook in %s must be a function, but is %s",
  ESP_ERR_HOOK_INVALID_ASYNC_HANDLER:
    "The '%s' hook in %s is async and also takes a callback. Drop one of the two",
  ESP_ERR_ERROR_HANDLER_ALREADY_SET:
    'The error handler of %s is set already, and allowErrorHandlerOverride is false',
  ESP_ERR_NOT_FOUND_HANDLER:
    "A not-found handler for '%s' was set in %s, and again in %s. Each prefix has one",
  ESP_ERR_DERIVE_PHASE: "derive has no phase '%s' (in %s). %s",
  ESP_ERR_DERIVE_INSTANCE:
    "derive in %s gives an instance of a class, whose '%s' requests would not have. Give it a name, as in { name: value }",
  ESP_ERR_DERIVE_DONE: "derive in %s returns what it adds, or a promise: it takes no 'done'",
  ESP_ERR_HOOK_RESULT: "A '%s' hook of %s returned %s, not a stream",
  ESP_ERR_FUNCTION_EXPECTED: '%s in %s takes a function, but was given %s',

  ESP_ERR_PLUGIN_NOT_VALID: 'A plugin registered in %s is no function, but %s',
  ESP_ERR_PLUGIN_TOOL: 'plugin() is called without arguments first, but was given %s: plugin()(…)',
  ESP_ERR_PLUGIN_FACTS:
    "What a plugin says of itself is { name: 'text', dependencies: ['text'] } and nothing else, but is %s",
  ESP_ERR_PLUGIN_INVALID_ASYNC_HANDLER:
    "Plugin '%s' is async and also takes the callback 'done'. Drop one of the two",
  ESP_ERR_PLUGIN_VERSION_MISMATCH:
    "Plugin '%s' in %s asks for Fastify '%s'. Plugins for the lines 4.x and 5.x run here: take a version for one of these",
  ESP_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE:
    "Plugin '%s' in %s needs the %s decorator '%s', which is not there. Add it with %s, or register the plugin that adds it, before",
  ESP_ERR_PLUGIN_DEPENDENCY_MISSING:
    "Plugin '%s' in %s depends on the plugin '%s', which is not registered. Register it before, here or in a scope around",
  ESP_ERR_PLUGIN_FAILED: "Plugin '%s' did not load: %s",
  ESP_ERR_PLUGIN_TIMEOUT:
    "Plugin '%s' did not load in %s ms. Was 'done' not called, or a promise never settled?",
  ESP_ERR_PLUGIN_PREFIX: "The prefix of plugin '%s' must be a string, but is %s",
  ESP_ERR_INSTANCE_ALREADY_LISTENING:
    "'%s' was called in %s after the server was ready. Call it before",
  ESP_ERR_REOPENED_CLOSE_SERVER: 'The server is closed: %s is not possible any more',
  ESP_ERR_REOPENED_SERVER: 'The server listens already, at %s',
  ESP_ERR_HOOK_TIMEOUT:
    "The '%s' hook in %s did not end in %s ms. Was 'done' not called, or a promise never settled?",
  ESP_ERR_HOOK_FAILED: "The '%s' of %s failed: %s",

  ESP_ERR_BAD_STATUS_CODE: '%s is no HTTP status. It must be an integer from 100 to 599',
  ESP_ERR_REP_STATUS: 'The reply to %s has status %s, which is not final. Set one from 200 to 599',
  ESP_ERR_REP_ALREADY_SENT: 'A reply to %s %s was sent already',
  ESP_ERR_REP_INVALID_PAYLOAD_TYPE: 'The reply to %s cannot be sent: %s',
  ESP_ERR_REP_NOT_VALID: 'The reply for status %s of %s is not valid: %s',
  ESP_ERR_REP_ENCODING: 'The payload%s of %s could not be encoded: %s',
  ESP_ERR_REP_RESPONSE_BODY_CONSUMED: 'The body of the Response sent to %s was read before',
  ESP_ERR_REP_READABLE_STREAM_LOCKED:
    'The ReadableStream sent to %s is locked. Release the lock of its reader first',
  ESP_ERR_REP_STREAM_LENGTH: 'The stream sent to %s has %s bytes, but its content-length says %s',
  ESP_ERR_REP_EVENT: "The '%s' of an event must be %s, but is %s",
  ESP_ERR_REP_STREAM_CUT:
    'The stream of %s was cut: it had not ended %s ms after the server began to close',
  ESP_ERR_BAD_TRAILER_NAME: "'%s' cannot be a trailer: it belongs into the head of a message",
  ESP_ERR_BAD_TRAILER_VALUE: "The trailer '%s' takes a function, but was given %s",
  ESP_ERR_SEND_INSIDE_ONERR: 'An onError hook of %s sent a reply. That is for error handlers',
  ESP_ERR_SEND_UNDEFINED_ERR: '%s failed with %s, which is no error',
  ESP_ERR_FAILED_ERROR_SERIALIZATION:
    'The response schema does not fit an error: %s. The error was: %s',
  ESP_ERR_MISSING_SERIALIZATION_FN:
    "%s has no response schema for '%s' to serialize with. Declare one, or give a schema",
  ESP_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN:
    "%s has no response schema for '%s' and content type '%s' to serialize with",
  ESP_ERR_REQ_INVALID_VALIDATION_INVOCATION:
    "%s has no schema for '%s' to validate with. Declare one, or give a schema object",
  ESP_ERR_PROMISE_RETURNED: '%s returned a promise, but its result is needed at once',
  ESP_ERR_PROMISE_NOT_FULFILLED:
    'The %s of %s ended without a reply. Return a value, or call reply.send() and return reply',
  ESP_ERR_HANDLER_TIMEOUT: ['The request was not answered within %s ms', 503],
  ESP_ERR_INJECT_ROUTE: "inject('%s') %s",
  ESP_ERR_FETCH_BODY_USED: 'The body of the request %s %s was read already. Give a clone of it',
  ESP_ERR_FETCH_CUT: 'The response to %s %s was cut before its end',
  ESP_ERR_FETCH_SOCKET:
    'A request that came through app.fetch has no socket, so %s is not possible. Use reply.raw',
  ESP_ERR_FETCH_TRAILERS:
    'A Response has no trailers, so these of %s %s were left out: %s. They need a server that listens',
  ESP_ERR_MULTIPART_INVALID: ['The form is not valid: %s', 400],
  ESP_ERR_MULTIPART_TOO_LARGE: ["The form is too large: it has at '%s' %s", 413],
  ESP_ERR_WEBSOCKET_TWICE:
    'websocket() is registered in %s, and again in %s. Node gives upgrades to a server once: register it once, in a scope around both',
  ESP_ERR_WEBSOCKET_EXPECTED: ['This path takes WebSocket connections only', 426],
  ESP_ERR_MCP_OPTION: 'mcp() takes %s',
  ESP_ERR_MCP_ORIGIN: ["Pages of '%s' may not call tools", 403],
  ESP_ERR_MCP_TOOL: 'The route %s in %s can be no tool: %s',
  ESP_ERR_OPENAPI_PAGE: "The documentation page '%s' cannot be served: %s",
} as const

/** The code of an error of the framework. */
export type ErrorCode = keyof typeof table

/** The class of one coded error. Its arguments fill the template. One more becomes the `cause`. */
export interface ErrorClass {
  new (...details: unknown[]): EspalierError
  readonly prototype: EspalierError
  readonly code: string
}

/** The class of an error that a request may have: its row has a status, which it always has. */
interface RequestErrorClass extends ErrorClass {
  new (...details: unknown[]): EspalierError & { statusCode: number }
  readonly prototype: EspalierError & { statusCode: number }
}

type ErrorClasses = {
  readonly [Code in ErrorCode]: (typeof table)[Code] extends string ? ErrorClass : RequestErrorClass
}

/** Makes the class of one coded error.
 *  @param template a `node:util` format string, with one `%s` for each detail */
export function createError(code: string, template: string, statusCode: number): ErrorClass {
  const details = template.split('%s').length - 1
  const CodedError = class extends EspalierError {
    static readonly code = code
    constructor(...given: unknown[]) {
      super(code, format(template, ...given.slice(0, details)), statusCode, given[details])
      const isOfBoot = running.method !== undefined && beginAtCall(this) && statusCode === mistake
      if (isOfBoot) Reflect.deleteProperty(this, 'statusCode')
    }
  }
  return Object.defineProperty(CodedError, 'name', { value: code })
}

/** The classes of all coded errors, by code. */
export const errorCodes: ErrorClasses = once('errorCodes', () => {
  const classes = Object.entries(table).map(([code, entry]) => {
    const [template, status] = typeof entry === 'string' ? [entry, mistake] : entry
    return [code, createError(code, template, status)] as const
  })
  // The keys of `fromEntries` are any strings by their type, and those of the table in fact.
  return Object.freeze(Object.fromEntries(classes) as ErrorClasses)
})
