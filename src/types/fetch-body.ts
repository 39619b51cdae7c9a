/** What `fetch` sends as it is, but for text and forms, by what it has: these are others to the compiler in a browser than in
 *  Node, and none at all where their types are not installed. */
export type FetchBody = Bytes | AnyBlob | AnySearchParams | AnyStream | AnyWebStream

/** What a server sends as it is, by what it has: streams and a `Response` are others to the compiler in a browser than in Node,
 *  and none at all where their types are not installed. */
export type SentAsIs = Bytes | AnyStream | AnyWebStream | AnyResponse

interface AnyResponse {
  readonly bodyUsed: boolean
}

/** `FormData`, which is of one type only. */
export interface AnyFormData extends AnyForm {
  readonly sort?: never
}

interface AnySearchParams extends AnyForm {
  sort(): void
}

/** `FormData` and `URLSearchParams`. */
export interface AnyForm {
  append(...options: never): void
  getAll(name: string): readonly unknown[]
}

/** `Blob` and `File`. */
export interface AnyBlob {
  readonly size: number
  readonly type: string
  slice(...options: never): unknown
  stream(): unknown
}

interface AnyStream {
  pipe(...options: never): unknown
}

interface AnyWebStream {
  getReader(...options: never): unknown
}

/** Bytes in any of their forms. */
export type Bytes = ArrayBuffer | ArrayBufferView
