// The document of a server, and the page that shows it.
export { documentOf, openapi } from './plugin.ts'
export type { OpenApiDecorators, OpenApiPlugin, ReadDocument } from './plugin.ts'
export type {
  DocsOptions,
  DocumentedRoute,
  DocumentOptions,
  OpenApiOptions,
  OpenApiVersion,
} from './options.ts'
export type { Direction } from './link.ts'
export type { SchemaToJson } from './standard.ts'

export type { Example } from './words.ts'

// Marks the hooks that guard routes.
export { secured } from './security.ts'
export type { SecuritySchemes } from './security.ts'

// The parts of a document.
export type {
  Components,
  ExternalDocs,
  HeaderObject,
  Info,
  MediaType,
  OAuthFlow,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  RequestBody,
  ResponseObject,
  SchemaObject,
  SecurityRequirement,
  SecurityScheme,
  ServerObject,
  TagObject,
} from './types.ts'
