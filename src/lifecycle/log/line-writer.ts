import type { Reply } from '../reply.ts'
import type { Request } from '../request.ts'
import {
  controllers,
  LogController,
  type LoggedReply,
  type LoggedRequest,
  type LogMetadata,
} from './log-controller.ts'

/** The methods of a `LogController` that write a line of a request. */
export type Line = Exclude<
  keyof LogController,
  'disableRequestLogging' | 'requestIdLogLabel' | 'isLogDisabled' | 'serviceUnavailable'
>

/** A `LogController` as the framework calls it, with the framework's requests and replies. */
export type LineWriter = {
  readonly [Name in Line]: (...args: AsCalled<Parameters<LogController[Name]>>) => void
} & Pick<LogController, 'disableRequestLogging' | 'requestIdLogLabel' | 'serviceUnavailable'>

type AsCalled<Args extends readonly unknown[]> = {
  [At in keyof Args]: LogMetadata extends Args[At]
    ? Args[At]
    : LoggedRequest extends Args[At]
      ? Request
      : LoggedReply extends Args[At]
        ? Reply
        : Args[At]
}

export function isLineWriter(value: unknown): value is LineWriter {
  return typeof value === 'object' && value !== null && controllers.has(value)
}

/** Whether a controller has no overridden methods. Then it is not called for lines that are
 *  dropped. */
export function isPlain(controller: LineWriter): boolean {
  return Object.getPrototypeOf(controller) === LogController.prototype
}
