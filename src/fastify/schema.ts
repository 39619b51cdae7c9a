/* eslint-disable @typescript-eslint/no-explicit-any -- Fastify's own types have it here */
import type { FastifyInstance } from './instance.ts'
import type { SafePromiseLike } from './type-provider.ts'

/** The schemas of a route. Plugins declare more members, for API documents. */
export interface FastifySchema {
  body?: unknown
  querystring?: unknown
  params?: unknown
  headers?: unknown
  response?: unknown
}

/** The argument of a compiler: one schema, and its place in a route. */
export interface FastifyRouteSchemaDef<T> {
  schema: T
  method: string
  url: string
  httpPart?: string
  httpStatus?: string
  contentType?: string
}

/** One error of a validator, in the format of ajv. */
export interface FastifySchemaValidationError {
  keyword: string
  instancePath: string
  schemaPath: string
  params: Record<string, unknown>
  message?: string
}

/** The former name of `FastifySchemaValidationError`. */
export type ValidationResult = FastifySchemaValidationError

export type SchemaErrorDataVar = 'body' | 'headers' | 'params' | 'querystring'

/** Makes the error of a failed validation. */
export type SchemaErrorFormatter = (
  errors: FastifySchemaValidationError[],
  dataVar: SchemaErrorDataVar,
) => Error

/** A validator. It returns a boolean and sets `errors`, or returns the error or the value. */
export interface FastifyValidationResult {
  (
    data: any,
  ):
    | boolean
    | SafePromiseLike<unknown>
    | { error?: Error | FastifySchemaValidationError[]; value?: any }
  errors?: FastifySchemaValidationError[] | null
}

export type FastifySchemaCompiler<T> = (
  routeSchema: FastifyRouteSchemaDef<T>,
) => FastifyValidationResult

export type FastifySerializerCompiler<T> = (
  routeSchema: FastifyRouteSchemaDef<T>,
) => (data: any) => string

/** The store of shared schemas, and the factories of compilers. */
export interface FastifySchemaControllerOptions {
  bucket?: (parentSchemas?: unknown) => {
    add(schema: unknown): FastifyInstance
    getSchema(schemaId: string): unknown
    getSchemas(): Record<string, unknown>
  }
  compilersFactory?: {
    buildValidator?: CompilerFactory<(routeSchema: any) => FastifyValidationResult>
    buildSerializer?: CompilerFactory<(routeSchema: any) => (data: any) => string>
  }
}

/** Makes a compiler. `externalSchemas` are the shared schemas that a context sees. */
export type CompilerFactory<Compiler> = (externalSchemas: any, options: any) => Compiler

/** An error with a code. It may have a status. */
export interface FastifyError extends Error {
  code: string
  name: string
  statusCode?: number
  validation?: FastifySchemaValidationError[]
  validationContext?: SchemaErrorDataVar
}

/** The class of one coded error. Its arguments fill the message. */
export interface FastifyErrorConstructor {
  new (...values: any[]): FastifyError
  (...values: any[]): FastifyError
  readonly prototype: FastifyError
}
