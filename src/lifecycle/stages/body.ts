import { errorCodes } from '../../errors/codes.ts'
import { expectsBody, readBody, type BodyRules } from '../../exchange/body.ts'
import { stateOf, type Reply } from '../../exchange/reply.ts'
import { isStream, isWebStream, toReadable } from '../../exchange/sendable.ts'
import { describe, isThenable } from '../../schema/values.ts'
import { isFailure } from '../../route/hook-step.ts'
import type {
  CompiledRoute,
  HookDone,
  HookStart,
  HookStep,
  RequestStep,
} from '../../route/compiled-route.ts'
import { failStage } from '../error-path.ts'

/** A preParsing hook is given the body as a stream, and may put another in its place. */
export function createPreParsingStage(route: CompiledRoute, hook: HookStep): RequestStep {
  const keep = (reply: Reply, result: unknown): void => {
    if (result === undefined || reply.sent) return
    if (!isStream(result) && !isWebStream(result)) {
      if (route.dialect.reply.ignoresHookResults) return
      throw new errorCodes.ESP_ERR_HOOK_RESULT('preParsing', route.name, describe(result))
    }
    stateOf(reply).bodyStream = toReadable(result)
  }
  const { start } = hook
  if (start !== undefined) {
    return Object.assign(() => undefined, { start: startPreParsing(start, keep) })
  }
  return (request, reply) => {
    const result = hook(request, reply, stateOf(reply).bodyStream ?? request.raw)
    if (result === reply) return reply
    if (!isThenable(result)) {
      keep(reply, result)
      return undefined
    }
    return result.then((later) => {
      keep(reply, later)
    })
  }
}

function startPreParsing(
  start: HookStart,
  keep: (reply: Reply, result: unknown) => void,
): HookStart {
  return (done, request, reply) => {
    const payload = stateOf(reply).bodyStream ?? request.raw
    const kept: HookDone = (error, value) => {
      if (isFailure(error)) {
        done(error)
        return
      }
      try {
        keep(reply, value)
      } catch (thrown) {
        done(thrown)
        return
      }
      done()
    }
    return start(kept, request, reply, payload)
  }
}

/** Reads and parses the body. One that a hook has put in its place may fail at any time. */
export function createBodyStage(route: CompiledRoute, rules: BodyRules): RequestStep {
  const passUnread = (error: unknown): void => {
    // Where no route was found, a type without a parser is no reason to fail, and others may be none.
    const isUnknown = error instanceof errorCodes.ESP_ERR_CTP_INVALID_MEDIA_TYPE
    if (route.dialect.methods.readsUnrouted && !isUnknown) throw error
  }
  return (request, reply) => {
    const { raw } = request
    if (!expectsBody(raw, rules)) return undefined
    const stream = stateOf(reply).bodyStream
    const fail =
      stream === undefined || rules.isOptional
        ? undefined
        : (error: Error): void => {
            failStage(route, reply, error)
          }
    const reading = readBody(request, stream ?? raw, rules, fail)
    return reading.then(
      (body) => {
        request.body = body
      },
      rules.isOptional ? passUnread : undefined,
    )
  }
}
