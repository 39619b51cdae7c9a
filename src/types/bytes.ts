/** Bytes in any of their forms. */
export type Bytes = ArrayBuffer | ArrayBufferView
