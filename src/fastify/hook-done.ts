import type { Readable } from 'node:stream'
import type { FastifyError } from './schema.ts'

/** Ends a hook that takes a callback. */
export type HookHandlerDoneFunction = <TError extends Error = FastifyError>(error?: TError) => void

/** Ends a hook that takes a callback and may replace the payload. */
export interface DoneFuncWithErrOrRes {
  (): void
  <TError extends Error = FastifyError>(error: TError): void
  (error: null | undefined, payload: unknown): void
}

/** The body of a request, as a stream. */
export interface RequestPayload extends Readable {
  /** The number of bytes that arrived, if a hook replaced the stream: by an inflated one, say. */
  receivedEncodedLength?: number
}
