import type { JsonObject } from '../types/objects.ts'

/** The part of a request that a validator checks. */
export type HttpPart = 'body' | 'params' | 'querystring' | 'headers'

/** The argument of a validator compiler. */
export interface ValidatorRequest<Schema = unknown> {
  readonly schema: Schema
  readonly method: string
  readonly url: string
  readonly httpPart: HttpPart
  /** The media type of an entry of `content` in the schema of a body. */
  readonly contentType?: string
}

/** Validates data. It returns true or false, with `errors` on the function, as ajv does; or
 *  `{ value }` or `{ error }`, as other libraries do; or a promise of either. */
export interface ValidatorFunction {
  (data: unknown, ...context: never[]): unknown
  errors?: readonly unknown[] | null
}

/** Creates the validator of one request part.
 *  @throws for a schema that it cannot compile */
export type ValidatorCompiler = (request: ValidatorRequest) => ValidatorFunction

/** The argument of a serializer compiler. */
export interface SerializerRequest<Schema = unknown> {
  readonly schema: Schema
  readonly method: string
  readonly url: string
  /** The key of the response entry: a code, a class such as `2xx`, or `default`. */
  readonly httpStatus: string
  /** The media type of an entry of `content`. */
  readonly contentType?: string
}

/** Turns a payload into the text that is sent. */
export type Serializer = (payload: unknown) => string

/** Creates the serializer of one response entry.
 *  @throws for a schema that it cannot compile */
export type SerializerCompiler = (request: SerializerRequest) => Serializer

/** Creates the error of a failed validation. It has to be synchronous. `this` is the server. */
export type SchemaErrorFormatter<Self = unknown> = (
  this: Self,
  errors: readonly ValidationRecord[],
  dataVar: HttpPart,
) => Error

/** One record of ajv's error list. Records of other validators may lack any field. */
export interface ValidationRecord {
  readonly keyword?: string
  readonly instancePath?: string
  readonly schemaPath?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly message?: string
  /** The name that the schema of names refuses. */
  readonly propertyName?: string
}

/** One thing that is wrong with a request, in the same shape for every kind of schema. It has no
 *  value of the request, but only the kind of one. */
export interface ValidationIssue {
  readonly part: HttpPart
  /** The place in the part, as a JSON pointer (RFC 6901): `/items/0/name`. It names a field that is
   *  missing or superfluous itself. */
  readonly pointer: string
  /** A word for programs: the keyword of JSON Schema, such as `required`, `type`, `minLength` or
   *  `additionalProperties`. What no keyword says has the word of the library, such as `custom`. */
  readonly code: string
  /** What the schema asks for, as JSON: a type, a limit, a list of values, the name of a format. It
   *  is absent where the validator does not tell. */
  readonly expected?: unknown
  readonly received: ReceivedKind
  /** What the validator says of it: `must be integer`. */
  readonly message: string
}

/** The kind of a value that came. A value is a `bigint` where a parser of the application gives
 *  one. */
export type ReceivedKind =
  'missing' | 'null' | 'boolean' | 'number' | 'bigint' | 'string' | 'array' | 'object'

/** The error of a request that does not fit its schema. */
export interface ValidationError extends Error {
  statusCode: number
  code: string
  /** The validator's result: ajv's error list, or the error of another library, which is no
   *  array. */
  validation: ValidationRecord[] | ForeignFailure
  validationContext: HttpPart
  /** What is wrong, at most 100 issues. They are computed when they are first read. Servers of
   *  `fastify` do not have them. */
  readonly issues: readonly ValidationIssue[]
}

/** The error of another validation library, which is no list. */
export interface ForeignFailure {
  readonly map?: undefined
}

/** A custom store for the shared schemas of a context. */
export interface SchemaBucket {
  add(schema: unknown): unknown
  getSchema(id: string): unknown
  /** The schemas that compilers see, by `$id`. It may be a Map. */
  getSchemas(): unknown
}

/** A function whose parameters are compared bivariantly: packages that create compilers declare
 *  narrower parameters. */
type Bivariant<Parameters extends readonly unknown[], Result> = {
  call(...args: Parameters): Result
}['call']

/** Creates the bucket of a context, from the schemas of its parent; undefined for the root. */
export type BucketFactory = Bivariant<[parentSchemas?: unknown], SchemaBucket>

/** Creates the validator compiler of all contexts that see the same shared schemas. */
export type BuildValidator = Bivariant<
  [externalSchemas: Readonly<Record<string, JsonObject>>, options: object],
  Bivariant<[request: ValidatorRequest], ValidatorFunction>
>

/** Creates the serializer compiler of all contexts that see the same shared schemas. */
export type BuildSerializer = Bivariant<
  [externalSchemas: Readonly<Record<string, JsonObject>>, options: object],
  Bivariant<[request: SerializerRequest], Serializer>
>

/** Custom storage for the shared schemas of a scope, and custom factories for its compilers. */
export interface SchemaController {
  readonly bucket?: BucketFactory
  readonly compilersFactory?: {
    /** @example AjvCompiler() of @fastify/ajv-compiler */
    readonly buildValidator?: BuildValidator
    /** @example SerializerSelector() of @fastify/fast-json-stringify-compiler */
    readonly buildSerializer?: BuildSerializer
  }
}
