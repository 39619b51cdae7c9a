/* eslint-disable @typescript-eslint/no-explicit-any -- existing code reads what its compilers make without asking for the type, and so did the types it was written for */
import type { FastifyInstance } from './instance.ts'
import type { SafePromiseLike } from './type-provider.ts'

/** The schemas of a route. Plugins add what documents need besides. */
export interface FastifySchema {
  body?: unknown
  querystring?: unknown
  params?: unknown
  headers?: unknown
  response?: unknown
}

/** What a compiler is given: one schema, and which it is of which route. */
export interface FastifyRouteSchemaDef<T> {
  schema: T
  method: string
  url: string
  httpPart?: string
  httpStatus?: string
  contentType?: string
}

/** One thing that a validator found wrong, as ajv says it. */
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

/** A validator: true or false with `errors`, or an object of the error or the value. */
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

/** Where shared schemas are kept, and by what schemas are compiled. */
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

/** Makes a compiler for the shared schemas that a scope can see. */
export type CompilerFactory<Compiler> = (externalSchemas: any, options: any) => Compiler

/** An error with a code, and with a status where it has one of its own. */
export interface FastifyError extends Error {
  code: string
  name: string
  statusCode?: number
  validation?: FastifySchemaValidationError[]
  validationContext?: SchemaErrorDataVar
}

/** The class of one coded error. Its arguments fill in the message. */
export interface FastifyErrorConstructor {
  new (...values: any[]): FastifyError
  (...values: any[]): FastifyError
  readonly prototype: FastifyError
}
