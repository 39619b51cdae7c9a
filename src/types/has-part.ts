// Route schemas that have a part, by name: the compiler compares a schema with a named type once, wherever it is asked, and one
// written in place each time; and to infer the part there costs it as much again as to look it up.

export interface HasParams {
  readonly params: unknown
}

export interface HasQuerystring {
  readonly querystring: unknown
}

/** The query string by its other name. */
export interface HasQuery {
  readonly query: unknown
}

export interface HasHeaders {
  readonly headers: unknown
}

export interface HasBody {
  readonly body: unknown
}

export interface HasResponse {
  readonly response: unknown
}
