import type { ExternalDocs, PathItem, SecurityRequirement, ServerObject } from './types.ts'

// The words of a route's schema for documents, for programs that import this entry point.
declare module '../route/route-schema.ts' {
  interface DocumentWords {
    /** What the route does, in a few words. @default made of the method and the path */
    readonly summary?: string
    /** What the route does, in CommonMark. */
    readonly description?: string
    /** The groups that the route belongs to. */
    readonly tags?: readonly string[]
    readonly deprecated?: boolean
    /** The name of the operation, for generators of clients. No other route has it.
     *  @default made of the method and the path: `getUsersById` */
    readonly operationId?: string
    /** Leaves the route out of documents. @default false */
    readonly hide?: boolean
    /** What a request needs. @default what the hooks of the route ask for */
    readonly security?: readonly SecurityRequirement[]
    readonly servers?: readonly ServerObject[]
    /** Requests that the server sends to its client, by name and URL. */
    readonly callbacks?: Readonly<Record<string, Readonly<Record<string, PathItem>>>>
    readonly externalDocs?: ExternalDocs
    /** Examples of the body, by name. */
    readonly examples?: Readonly<Record<string, Example>>
    /** The media types of a body that has one schema. @default what parsers of the scope take */
    readonly consumes?: readonly string[]
    /** The media types of a response that has one schema. @default JSON, and text for texts */
    readonly produces?: readonly string[]
  }
}

/** An example of a value (OpenAPI 4.8.19). */
export interface Example {
  readonly summary?: string
  readonly description?: string
  readonly value: unknown
}
