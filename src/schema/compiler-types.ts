/** The part of a request that a validator checks. */
export type HttpPart = 'body' | 'params' | 'querystring' | 'headers'

/** What a validator compiler is asked for (specification 2.6). */
export interface ValidatorRequest<Schema = unknown> {
  readonly schema: Schema
  readonly method: string
  readonly url: string
  readonly httpPart: HttpPart
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
  /** What the validator returned: ajv's error list, or the error of a custom library. */
  validation: NonNullable<unknown>
  validationContext: HttpPart
}
