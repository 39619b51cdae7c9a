// The entry point `espalier/schema`, for packages of schemas without a server, also in browsers.
export { t } from './builder.ts'
export type { Builder } from './builder.ts'
export { httpError } from './http-error.ts'
export type {
  AnyErrorClass,
  ErrorBodies,
  ErrorBody,
  ErrorResponses,
  HttpError,
  HttpErrorClass,
} from './http-error.ts'
export type { ToJson } from './infer/modes.ts'
export type { Input, Output, Payload, Received } from './infer/part.ts'
export type { RecurringList, RecurringObject, RecurringUnion } from './infer/infer.ts'
export type { EmbeddedDocument } from './infer/references.ts'
export type { Closed, Recursion, TSensitive } from './infer/marks.ts'

// The types of the schemas that `t` makes. Declaration files of an application import them from
// here, since TypeBox need not be one of its dependencies.
export type {
  OptionalKind,
  ReadonlyKind,
  TAny,
  TArray,
  TBoolean,
  TEnum,
  TInteger,
  TIntersect,
  TLiteral,
  TNever,
  TNot,
  TNull,
  TNumber,
  TObject,
  TOptional,
  TReadonly,
  TReadonlyOptional,
  TRecord,
  TRecursive,
  TRef,
  TSchema,
  TString,
  TTemplateLiteral,
  TTemplateLiteralSyntax,
  TThis,
  TTransform,
  TTuple,
  TUnion,
  TUnknown,
  TUnsafe,
} from '@sinclair/typebox'
