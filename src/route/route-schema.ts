/** The schema of a route: its request parts, its responses by status, and words for documents. Each
 *  part is a TypeBox schema, a JSON Schema, a Standard Schema, or a short form of properties. */
export interface RouteSchema {
  readonly params?: object
  readonly querystring?: object
  /** The same as `querystring`. */
  readonly query?: object
  readonly headers?: object
  /** Validated on POST, PUT and PATCH; on other methods it documents only. */
  readonly body?: object
  /** By exact status, class (`2xx`) or `default`. */
  readonly response?: object
  // So that `Check` can name a misspelt key; without it the message would be that of a weak type.
  readonly [annotation: string]: unknown
}

/** The keys of a route's schema that hold schemas. */
export type PartName = 'params' | 'querystring' | 'query' | 'headers' | 'body' | 'response'

/** All keys that a route's schema may have. */
export type SchemaKey = PartName | Annotation

type Annotation =
  | '$id'
  | 'summary'
  | 'description'
  | 'tags'
  | 'operationId'
  | 'security'
  | 'hide'
  | 'deprecated'
  | 'consumes'
  | 'produces'
  | 'externalDocs'
  // One's own, told from misspelt names as OpenAPI tells them.
  | `x-${string}`

/** The methods of a request without a body: a body schema there is a mistake. */
export type BodilessMethod = 'GET' | 'HEAD' | 'TRACE'
