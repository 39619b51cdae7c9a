import { finished, type Readable } from 'node:stream'
import { errorCodes } from '../errors/codes.ts'
import { destroyPayload, isStream, isWebStream, toReadable } from '../http/payload-kind.ts'
import { isGivenError } from '../errors/given-error.ts'
import { describe } from '../errors/describe.ts'
import { isThenable } from '../types/promises.ts'
import type { HookStart, HookStep } from './compiled-route.ts'
import type { Exchange, Stage } from './exchange.ts'

/** The stage of a preParsing hook. The hook gets the body as a stream, and may return another. */
export function createPreParsingStage(hook: HookStep): Stage {
  const { start } = hook
  if (start !== undefined) {
    return Object.assign(() => undefined, { start: startPreParsing(start) })
  }
  return (exchange) => {
    const { request, reply } = exchange
    const result = hook(request, reply, exchange.bodyStream ?? request.raw)
    if (result === reply) return reply
    if (!isThenable(result)) {
      keepStream(exchange, result)
      return undefined
    }
    return result.then((later) => {
      keepStream(exchange, later)
    })
  }
}

function startPreParsing(start: HookStart): NonNullable<Stage['start']> {
  return (exchange, done) => {
    const { request, reply } = exchange
    const keep = (error?: unknown, value?: unknown): void => {
      if (isGivenError(error)) {
        done(error)
        return
      }
      try {
        keepStream(exchange, value)
      } catch (thrown) {
        done(thrown)
        return
      }
      done()
    }
    return start(keep, request, reply, exchange.bodyStream ?? request.raw)
  }
}

/** @throws ESP_ERR_HOOK_RESULT */
function keepStream(exchange: Exchange, result: unknown): void {
  const { route, request, reply } = exchange
  if (result === undefined) return
  if (reply.sent) destroyPayload(result)
  else if (isStream(result) || isWebStream(result)) {
    const stream = toReadable(result)
    passErrors(exchange.bodyStream ?? request.raw, stream)
    exchange.bodyStream = stream
  } else if (!route.dialect.reply.ignoresHookResults) {
    throw new errorCodes.ESP_ERR_HOOK_RESULT('preParsing', route.name, describe(result))
  }
}

/** Makes a stream fail with those that are piped into it. `pipe` passes no errors on, so the stream
 *  would wait for the rest of its content for ever. */
function passErrors(given: Readable, stream: Readable): void {
  for (const source of sourcesBetween(given, stream) ?? []) {
    finished(source, { writable: false }, (error) => {
      if (error && !stream.readableEnded) stream.destroy(error)
    })
  }
}

/** The streams that one is piped through into another, without the last. Undefined if it is not. */
function sourcesBetween(first: Readable, last: Readable): readonly Readable[] | undefined {
  if (first === last) return []
  // Nothing else says where a stream is piped to.
  const { _readableState: state } = first as { _readableState?: { pipes?: Readable[] } }
  for (const next of state?.pipes ?? []) {
    const more = sourcesBetween(next, last)
    if (more !== undefined) return [first, ...more]
  }
  return undefined
}
