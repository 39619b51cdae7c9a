/** An OpenAPI document (https://spec.openapis.org/oas/v3.1.1), as this package makes it. */
export interface OpenApiDocument {
  openapi: string
  info: Info
  jsonSchemaDialect?: string
  servers?: ServerObject[]
  paths: Record<string, PathItem>
  webhooks?: Record<string, PathItem>
  components?: Components
  security?: SecurityRequirement[]
  tags?: TagObject[]
  externalDocs?: ExternalDocs
  [extension: `x-${string}`]: unknown
}

/** What the document is about (OpenAPI 4.8.2). */
export interface Info {
  title: string
  version: string
  summary?: string
  description?: string
  termsOfService?: string
  contact?: { name?: string; url?: string; email?: string }
  license?: { name: string; identifier?: string; url?: string }
  [extension: `x-${string}`]: unknown
}

/** Where the API is served (OpenAPI 4.8.5). */
export interface ServerObject {
  url: string
  description?: string
  variables?: Record<string, { default: string; enum?: string[]; description?: string }>
  [extension: `x-${string}`]: unknown
}

/** More documentation elsewhere (OpenAPI 4.8.11). */
export interface ExternalDocs {
  url: string
  description?: string
}

/** A group of operations (OpenAPI 4.8.22). */
export interface TagObject {
  name: string
  summary?: string
  description?: string
  externalDocs?: ExternalDocs
  parent?: string
  kind?: string
  [extension: `x-${string}`]: unknown
}

/** The names of security schemes that a request needs, each with its scopes (OpenAPI 4.8.30). */
export type SecurityRequirement = Record<string, readonly string[]>

/** A way to prove who a client is (OpenAPI 4.8.27). */
export type SecurityScheme =
  | { type: 'http'; scheme: string; bearerFormat?: string; description?: string }
  | { type: 'apiKey'; in: 'cookie' | 'header' | 'query'; name: string; description?: string }
  | { type: 'oauth2'; flows: Record<string, OAuthFlow>; description?: string }
  | { type: 'openIdConnect'; openIdConnectUrl: string; description?: string }
  | { type: 'mutualTLS'; description?: string }

/** One flow of OAuth 2: its addresses and scopes (OpenAPI 4.8.29). */
export interface OAuthFlow {
  authorizationUrl?: string
  tokenUrl?: string
  refreshUrl?: string
  scopes: Record<string, string>
}

/** A JSON Schema (draft 2020-12); of version 3.0 the dialect of that version. */
export type SchemaObject = boolean | { [keyword: string]: unknown }

/** The operations of one path, by method (OpenAPI 4.8.9). */
export interface PathItem {
  get?: Operation
  put?: Operation
  post?: Operation
  delete?: Operation
  options?: Operation
  head?: Operation
  patch?: Operation
  trace?: Operation
  /** From version 3.2 on. */
  query?: Operation
  /** Other methods, from version 3.2 on. */
  additionalOperations?: Record<string, Operation>
  [extension: `x-${string}`]: unknown
}

/** One route under one method (OpenAPI 4.8.10). */
export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  deprecated?: boolean
  externalDocs?: ExternalDocs
  parameters?: Parameter[]
  requestBody?: RequestBody
  responses: Record<string, ResponseObject>
  callbacks?: Record<string, Record<string, PathItem>>
  security?: SecurityRequirement[]
  servers?: ServerObject[]
  [extension: `x-${string}`]: unknown
}

/** A parameter of the path, the query, the headers or the cookies (OpenAPI 4.8.12). */
export interface Parameter {
  name: string
  in: 'cookie' | 'header' | 'path' | 'query'
  required?: boolean
  description?: string
  deprecated?: boolean
  style?: string
  explode?: boolean
  schema?: SchemaObject
  example?: unknown
  examples?: Record<string, unknown>
  [extension: `x-${string}`]: unknown
}

/** The body of a request, by media type (OpenAPI 4.8.13). */
export interface RequestBody {
  required?: boolean
  description?: string
  content: Record<string, MediaType>
}

/** One response, by media type (OpenAPI 4.8.17). */
export interface ResponseObject {
  description: string
  summary?: string
  headers?: Record<string, HeaderObject>
  content?: Record<string, MediaType>
}

/** A header of a response (OpenAPI 4.8.21). */
export interface HeaderObject {
  description?: string
  required?: boolean
  deprecated?: boolean
  schema?: SchemaObject
}

/** The schema and the examples of one media type (OpenAPI 4.8.14). */
export interface MediaType {
  schema?: SchemaObject
  /** The schema of each item of a stream, from version 3.2 on. */
  itemSchema?: SchemaObject
  example?: unknown
  examples?: Record<string, unknown>
  encoding?: Record<string, unknown>
}

/** Schemas and security schemes that other parts refer to (OpenAPI 4.8.7). */
export interface Components {
  schemas?: Record<string, SchemaObject>
  securitySchemes?: Record<string, SecurityScheme>
}
