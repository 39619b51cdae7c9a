// Route schemas with one part. They are named types, since the compiler compares a schema with a
// named type once, and with an anonymous type each time. To infer the part costs as much again as
// to look it up.

export interface HasParams {
  readonly params: unknown
}

export interface HasQuerystring {
  readonly querystring: unknown
}

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
