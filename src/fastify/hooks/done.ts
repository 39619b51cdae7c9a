import type { Readable } from 'node:stream'
import type { FastifyError } from '../types/schema.ts'

/** Ends a hook of the callback form. */
export type HookHandlerDoneFunction = <TError extends Error = FastifyError>(error?: TError) => void

/** Ends a hook that may replace the payload. */
export interface DoneFuncWithErrOrRes {
  (): void
  <TError extends Error = FastifyError>(error: TError): void
  (error: null | undefined, payload: unknown): void
}

/** A body as a stream. One that stands for a shortened body says how much of it had arrived. */
export interface RequestPayload extends Readable {
  receivedEncodedLength?: number
}
