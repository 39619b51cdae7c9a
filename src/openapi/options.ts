import { errorCodes } from '../errors/codes.ts'
import type { OneOrMore } from '../route/hook-types.ts'
import type { HookFor } from '../route/standalone.ts'
import { describe } from '../errors/describe.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import type { SecuritySchemes } from './security.ts'
import type { SchemaToJson } from './standard.ts'
import type {
  ExternalDocs,
  Info,
  OpenApiDocument,
  PathItem,
  SecurityRequirement,
  ServerObject,
  TagObject,
} from './types.ts'

/** A version of the OpenAPI specification. */
export type OpenApiVersion = '3.0' | '3.1' | '3.2'

/** A route, for `include`. */
export interface DocumentedRoute {
  readonly method: string
  /** The full path, as it was declared: `/users/:id`. */
  readonly url: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly config: Readonly<Record<string, unknown>>
  readonly constraints: Readonly<Record<string, unknown>>
}

/** What a document has beside the routes. */
export interface DocumentOptions {
  readonly info: Info
  /** @default '3.1' */
  readonly version?: OpenApiVersion
  /** Whether a route is part of the document: for internal and public documents, and for versions
   *  of routes. By default all are, except for those with `schema: { hide: true }`. */
  readonly include?: (route: DocumentedRoute) => boolean
  /** Converters for the schemas of validation libraries that do not tell their JSON Schema, or not
   *  all of it, by the name of the library.
   *  @example { valibot: (schema) => toJsonSchema(schema) } */
  readonly jsonSchema?: Readonly<Record<string, SchemaToJson>>
  /** @default the server of the document, `/` */
  readonly servers?: readonly ServerObject[]
  readonly tags?: readonly TagObject[]
  /** What all operations need. That of an operation follows from its hooks, and replaces it. */
  readonly security?: readonly SecurityRequirement[]
  /** The schemes that `security` names, here and in the schemas of routes. Those of hooks are
   *  added. */
  readonly securitySchemes?: SecuritySchemes
  readonly webhooks?: Readonly<Record<string, PathItem>>
  readonly externalDocs?: ExternalDocs
  /** Changes the document at last. */
  readonly transform?: (document: OpenApiDocument) => OpenApiDocument
}

/** The options of `openapi`. */
export interface OpenApiOptions extends DocumentOptions {
  /** The path of the document, below the prefix of the scope. The same document as YAML has the
   *  ending `.yaml`. @default '/openapi.json' */
  readonly path?: string
  /** The page for people, or false for none. */
  readonly docs?: false | DocsOptions
  /** Hooks for the routes of the document and of the page. */
  readonly onRequest?: OneOrMore<HookFor<'onRequest'>>
}

/** Checks options that a compiler may not have seen. @throws ESP_ERR_OPENAPI_OPTION */
export function checkOptions(options: DocumentOptions & Pick<OpenApiOptions, 'path'>): void {
  const refuse = (option: string, rule: string, value: unknown): never => {
    throw new errorCodes.ESP_ERR_OPENAPI_OPTION(option, rule, describe(value))
  }
  const { info, version = '3.1', path = '/', docs = {}, ...others }: JsonObject = { ...options }
  const { include, transform, servers, tags, security } = others
  if (!isObject(info)) refuse('info', 'needs a title and a version', info)
  for (const name of ['title', 'version']) {
    const text = isObject(info) ? info[name] : undefined
    if (typeof text !== 'string') refuse(`info.${name}`, 'is a text', text)
  }
  if (!['3.0', '3.1', '3.2'].includes(String(version))) {
    refuse('version', "is '3.0', '3.1' or '3.2'", version)
  }
  if (typeof path !== 'string' || !path.startsWith('/')) {
    refuse('path', "begins with '/'", path)
  }
  if (/\.yaml$/.test(String(path))) refuse('path', "is that of JSON: '.yaml' is added", path)
  for (const [name, value] of Object.entries({ include, transform })) {
    if (value !== undefined && typeof value !== 'function') refuse(name, 'is a function', value)
  }
  for (const [name, value] of Object.entries({ servers, tags, security })) {
    if (value !== undefined && !Array.isArray(value)) refuse(name, 'is a list', value)
  }
  if (docs !== false && !isObject(docs)) refuse('docs', 'is an object, or false', docs)
}

/** The page for people. */
export interface DocsOptions {
  /** Its path, below the prefix of the scope. @default '/docs' */
  readonly path?: string
  /** The package that shows the document. It has to be installed: `@scalar/fastify-api-reference`,
   *  or `swagger-ui-dist`. @default the one that is installed, Scalar first */
  readonly ui?: 'scalar' | 'swagger-ui'
  /** The configuration of that package. */
  readonly configuration?: Readonly<Record<string, unknown>>
}
