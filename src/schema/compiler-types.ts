import type { JsonObject } from './values.ts'

/** The part of a request that a validator checks. */
export type HttpPart = 'body' | 'params' | 'querystring' | 'headers'

/** What a validator compiler is asked for (specification 2.6). */
export interface ValidatorRequest<Schema = unknown> {
  readonly schema: Schema
  readonly method: string
  readonly url: string
  readonly httpPart: HttpPart
  /** The media type of an entry of `content` in the schema of a body. */
  readonly contentType?: string
}

/** Answers whether data is valid: ajv's way (true or false, with `errors` on the function), the way
 *  of a custom library (`{ value }` or `{ error }`), or a promise of either. */
export interface ValidatorFunction {
  (data: unknown, ...context: never[]): unknown
  errors?: readonly unknown[] | null
}

/** Makes the validator of one request part. It throws where it cannot. */
export type ValidatorCompiler = (request: ValidatorRequest) => ValidatorFunction

/** What a serializer compiler is asked for (specification 2.6). */
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

/** Makes the serializer of one response entry. It throws where it cannot. */
export type SerializerCompiler = (request: SerializerRequest) => Serializer

/** Makes the error that a failed validation ends in. It is synchronous; `this` is the server. */
export type SchemaErrorFormatter<Self = unknown> = (
  this: Self,
  errors: readonly ValidationRecord[],
  dataVar: HttpPart,
) => Error

/** One record of ajv's error list. Other validators may leave out what they do not know. */
export interface ValidationRecord {
  readonly keyword?: string
  readonly instancePath?: string
  readonly schemaPath?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly message?: string
}

/** The error of a request that its schema refuses (specification 2.7). */
export interface ValidationError extends Error {
  statusCode: number
  code: string
  /** What the validator returned: ajv's error list, or what a custom library says, which
   *  `Array.isArray` tells apart. */
  validation: ValidationRecord[] | ForeignFailure
  validationContext: HttpPart
}

/** What a custom library says of a failure, where that is no list. */
export interface ForeignFailure {
  readonly map?: undefined
}

/** Where the shared schemas of a context are kept, instead of where they are otherwise. */
export interface SchemaBucket {
  add(schema: unknown): unknown
  getSchema(id: string): unknown
  /** The schemas that compilers see, by `$id`. A Map is taken too. */
  getSchemas(): unknown
}

/** A function whose parameters are compared in both directions: packages that make compilers
 *  declare narrower ones. */
type Loose<Parameters extends readonly unknown[], Result> = {
  call(...args: Parameters): Result
}['call']

/** Makes the bucket of a context. It is given the schemas of the context around; undefined for the
 *  root. */
export type BucketFactory = Loose<[parentSchemas?: unknown], SchemaBucket>

/** Makes the validator compiler of all contexts that see the same shared schemas. */
export type BuildValidator = Loose<
  [externalSchemas: Readonly<Record<string, JsonObject>>, options: object],
  Loose<[request: ValidatorRequest], ValidatorFunction>
>

/** Makes the serializer compiler of all contexts that see the same shared schemas. */
export type BuildSerializer = Loose<
  [externalSchemas: Readonly<Record<string, JsonObject>>, options: object],
  Loose<[request: SerializerRequest], Serializer>
>

/** What stands behind the schemas of a scope: how shared schemas are kept, and what makes
 *  compilers. */
export interface SchemaController {
  readonly bucket?: BucketFactory
  readonly compilersFactory?: {
    /** @example AjvCompiler() of @fastify/ajv-compiler */
    readonly buildValidator?: BuildValidator
    /** @example SerializerSelector() of @fastify/fast-json-stringify-compiler */
    readonly buildSerializer?: BuildSerializer
  }
}
