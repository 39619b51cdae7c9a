/** What `fetch` sends unchanged, except text and `FormData`. The types are described by their
 *  members: a browser's types differ from those of Node, and may not be installed. */
export type FetchBody = Bytes | AnyBlob | AnySearchParams | AnyStream | AnyWebStream

/** What a server sends unchanged. Streams and a `Response` are described by their members. */
export type SentAsIs = Bytes | AnyStream | AnyWebStream | AnyResponse

interface AnyResponse {
  readonly bodyUsed: boolean
}

/** `FormData`, which `URLSearchParams` is not assignable to. */
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

export type Bytes = ArrayBuffer | ArrayBufferView
