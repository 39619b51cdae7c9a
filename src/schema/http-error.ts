// Errors as values: classes of errors with a status, a code, and a schema of their fields.
import type { TLiteral, TObject, TProperties, TString } from '@sinclair/typebox'
import { once } from '../packages/once.ts'
import type { Saying } from '../types/checks.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { t } from './builder.ts'
import type { ObjectBy } from './infer/infer.ts'
import type { Env } from './infer/modes.ts'

declare const bodies: unique symbol

/** Errors of one status, by code, each with the schema of its body. An intersection of two has the
 *  errors of both. It exists in types only. */
export interface ErrorBodies<out ByCode> {
  readonly [bodies]: ByCode
}

/** The schema of the body of an error: that of the default body, and the error's own fields. */
export type ErrorBody<Code extends string, Status extends number, Fields> = TObject<
  { statusCode: TLiteral<Status>; code: TLiteral<Code>; error: TString; message: TString } & Fields
>

/** An error of `httpError`, with its fields. */
export type HttpError<Code, Status, Fields extends TProperties> = Error & {
  readonly code: Code
  readonly statusCode: Status
} & Readonly<ErrorFields<Fields>>

/** A class of errors, which `httpError` has made. */
export interface HttpErrorClass<
  Code extends string,
  Status extends number,
  Fields extends TProperties,
> extends ErrorBodies<{ readonly [Key in Code]: ErrorBody<Code, Status, Fields> }> {
  /** The fields, and then what `Error` takes: a message, by default the code, and a cause. */
  new (...given: ErrorArguments<Fields>): HttpError<Code, Status, Fields>
  readonly prototype: HttpError<Code, Status, Fields>
  readonly code: Code
  readonly statusCode: Status
}

/** Any class of `httpError`. */
export interface AnyErrorClass extends ErrorBodies<unknown> {
  readonly code: string
  readonly statusCode: number
}

/** The responses that declare errors: by status, and then by code. A plugin, a hook or a contract
 *  names errors by it.
 *  @template Errors a class of `httpError`, or several as a union
 *  @example plugin<{ responses: ErrorResponses<typeof NotFound | typeof Conflict> }>() */
export type ErrorResponses<Errors extends AnyErrorClass> = {
  readonly [Status in Errors['statusCode']]: ErrorBodies<
    BodiesOf<Extract<Errors, { readonly statusCode: Status }>>
  >
}

type BodiesOf<Errors extends AnyErrorClass> = {
  readonly [Each in Errors as Each['code']]: Each extends ErrorBodies<infer ByCode>
    ? ByCode[keyof ByCode]
    : never
}

type ErrorArguments<Fields extends TProperties> = [keyof Fields] extends [never]
  ? [message?: string, options?: CauseOption]
  : {} extends ErrorFields<Fields>
    ? [fields?: ErrorFields<Fields>, message?: string, options?: CauseOption]
    : [fields: ErrorFields<Fields>, message?: string, options?: CauseOption]

interface CauseOption {
  readonly cause?: unknown
}

/** The fields as a handler replies them, without `toJSON` for all of them. */
type ErrorFields<Fields extends TProperties> = ObjectBy<
  unknown,
  Fields,
  Env<{}, never, unknown, 'reply'>,
  'call'
>

/** The statuses of errors (RFC 9110, 15.5 and 15.6). */
type ErrorStatus<Status extends number> = `${Status}` extends `${4 | 5}${Digit}${Digit}`
  ? unknown
  : Saying<`${Status} is no status of an error: it takes one from 400 to 599`>
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

type ErrorCode<Code extends string> = string extends Code
  ? 'The code of an error is a literal: clients tell errors apart by it'
  : unknown

type Reserved = 'statusCode' | 'code' | 'error' | 'message' | 'name' | 'stack' | 'cause' | 'headers'

type OwnFields<Fields> = {
  readonly [
    Name in keyof Fields & Reserved
  ]: `Every error has '${Name}': give the field another name`
}

/** An error of any class of `httpError`, without its fields. */
export interface AnyHttpError extends Error {
  readonly code: string
  readonly statusCode: number
}

interface BaseClass {
  new (code: string, statusCode: number, message: string, options?: ErrorOptions): AnyHttpError
  readonly prototype: AnyHttpError
}

/** The class of all errors of `httpError`. */
export const HttpError: BaseClass = once(
  'HttpError',
  () =>
    class HttpError extends Error {
      readonly code: string
      readonly statusCode: number

      constructor(code: string, statusCode: number, message: string, options?: ErrorOptions) {
        super(message, options)
        this.code = code
        this.statusCode = statusCode
      }
    },
)

/** The schema of the body, on a class; the code, on that schema. It is one symbol for all builds of
 *  the package. Copies of a schema keep it. */
const mark: unique symbol = Symbol.for('espalier.error')

/** Makes a class of errors. One that is thrown is answered with its status and its fields, where a
 *  scope (`app.addResponses(NotFound)`) or the route (`response: { 404: NotFound }`) declares the
 *  class; elsewhere with 500. The body is `{ statusCode, code, error, message }` and the fields.
 *  @param code tells the errors of one status apart. It is the name of the class and its errors too
 *  @param statusCode from 400 to 599
 *  @param fields schemas of `t`, as `t.Object` takes them. @default none
 *  @example
 *  const NotFound = httpError('NotFound', 404, { id: t.Integer() })
 *  throw new NotFound({ id: 7 }, 'no such user', { cause }) */
export function httpError<
  const Code extends string,
  const Status extends number,
  Fields extends TProperties = {},
>(
  code: Code & NoInfer<ErrorCode<Code>>,
  statusCode: Status & NoInfer<ErrorStatus<Status>>,
  fields?: Fields & NoInfer<OwnFields<Fields>>,
): HttpErrorClass<Code, Status, Fields>
export function httpError(code: string, statusCode: number, fields: TProperties = {}): unknown {
  const names = Object.keys(fields)
  const own = {
    statusCode: t.Literal(statusCode),
    code: t.Literal(code),
    error: t.String(),
    message: t.String(),
  }
  const schema = Object.assign(t.Object({ ...own, ...fields, ...own }), { [mark]: code })
  class Made extends HttpError {
    static readonly code = code
    static readonly statusCode = statusCode
    static readonly [mark] = schema

    constructor(...args: readonly unknown[]) {
      const [given, message = code, options] = names.length === 0 ? [{}, ...args] : args
      super(code, statusCode, String(message), options as ErrorOptions)
      const values = Object(given) as JsonObject
      for (const name of names)
        if (Object.hasOwn(values, name)) Reflect.set(this, name, values[name])
    }
  }
  Object.defineProperty(Made, 'name', { value: code })
  Object.defineProperty(Made.prototype, 'name', { value: code, configurable: true, writable: true })
  return Made
}

/** Whether a value is a class of `httpError`. */
export function isErrorClass(value: unknown): value is AnyErrorClass & { [mark]: JsonObject } {
  return typeof value === 'function' && mark in value
}

/** The schema of the body of a class of errors; any other value as it is. */
export function readErrorClass(given: unknown): unknown {
  return isErrorClass(given) ? given[mark] : given
}

/** The code of the error that a schema is of. Undefined for other schemas. */
export function codeOf(schema: JsonObject): string | undefined {
  // cast: nobody else has the symbol
  return (schema as { readonly [mark]?: string })[mark]
}

/** The schemas of the errors that a response entry declares, by code. Undefined for an entry that
 *  is not made of errors alone. */
export function errorsIn(entry: unknown): ReadonlyMap<string, JsonObject> | undefined {
  if (!isPlainObject(entry)) return undefined
  const { anyOf } = entry
  const members: unknown[] = mark in entry ? [entry] : Array.isArray(anyOf) ? anyOf : []
  const found = new Map<string, JsonObject>()
  for (const member of members) {
    const code = isPlainObject(member) ? codeOf(member) : undefined
    if (code === undefined) return undefined
    found.set(code, member as JsonObject)
  }
  return found.size === 0 ? undefined : found
}

/** The entry of all errors that two entries declare. Undefined if one declares anything else. */
export function joinErrors(one: unknown, other: unknown): JsonObject | undefined {
  const [first, second] = [errorsIn(one), errorsIn(other)]
  if (first === undefined || second === undefined) return undefined
  const all = [...new Map([...first, ...second]).values()]
  return all.length === 1 ? all[0] : { anyOf: all }
}
