import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { DispatchFunc, InjectOptions, Response as LightResponse } from 'light-my-request'
import { errorCodes } from '../../errors/codes.ts'
import type { JsonCodec } from '../../http/exact-json.ts'
import { isItemsType, readItems } from '../../http/events.ts'
import { type BodyMembers, isDeclared, readersOf } from '../../http/response-body.ts'
import { isSuccess } from '../../http/status.ts'
import late from '../../packages/late.cjs'
import { listCookies } from './injected-headers.ts'

/** A call of a route without a socket. */
interface InjectedCall {
  readonly key: string
  readonly options: InjectOptions
  readonly signal?: AbortSignal | undefined
  readonly json?: JsonCodec | undefined
}

/** The response of a route. */
export interface InjectedAnswer extends Omit<LightResponse, 'json' | 'stream'>, BodyMembers {
  readonly declared: boolean
  readonly ok: boolean
}

/** Drops the body of a reply to HEAD, as Node does on a socket. A handler may write to the response
 *  of Node directly. Cookies that a request sets are a list. */
export function asNode(dispatch: DispatchFunc): DispatchFunc {
  return (request, response) => {
    listCookies(request)
    if (request.method === 'HEAD') response.write = Reflect.get(ServerResponse.prototype, 'write')
    dispatch(request, response)
  }
}

/** Calls a route. The response has the members of that of a client, and those of
 *  light-my-request. A stream of items is left to be read, since it may not end.
 *  @throws the reason of an aborted signal, and what light-my-request throws */
export async function callRoute(
  dispatch: DispatchFunc,
  call: InjectedCall,
): Promise<InjectedAnswer> {
  const { options, signal, json = JSON } = call
  signal?.throwIfAborted()
  try {
    const { response, stream } = await send(dispatch, call)
    const { 'content-type': given, declared } = response.headers
    const type = given === undefined ? '' : String(given)
    const isLeft = isItemsType(type) && options.method !== 'HEAD'
    const bytes = isLeft ? undefined : Buffer.concat((await stream.toArray()) as Buffer[])
    const readers = readersOf({
      type,
      buffer: bytes,
      json,
      signal,
      open: () => new Response(bytes ?? toWeb(stream), { headers: { 'content-type': type } }),
      cut: (error) => (signal?.aborted === true ? signal.reason : error) as Error,
      limit: Infinity,
      refuse: (problem, _, cause) =>
        cause instanceof Error ? cause : new errorCodes.ESP_ERR_INJECT_ROUTE(call.key, problem),
      // Not loaded later: a bundle of a server has one file.
      reader: () => ({ readItems }),
      again: async (lastEventId) => await callRoute(dispatch, resumed(call, lastEventId)),
      other: ({ statusCode }) => {
        const problem = `was answered with status ${statusCode}, not with the rest of its stream`
        return new errorCodes.ESP_ERR_INJECT_ROUTE(call.key, problem)
      },
    })
    const { statusCode } = response
    const isOk = isSuccess(statusCode)
    const facts = { ok: isOk, declared: isDeclared(isOk, declared, type) }
    return Object.defineProperties(Object.assign(response, readers, facts), bytesOf(call, bytes))
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}

/** Sends a request, and gives the response once it has a head. */
async function send(
  dispatch: DispatchFunc,
  { options, signal }: InjectedCall,
): Promise<{ response: LightResponse; stream: Readable }> {
  let request: IncomingMessage | undefined
  let leave = () => {}
  const watched: DispatchFunc = (raw, reply) => {
    request = raw
    leave = () => {
      reply.destroy()
      raw.destroy()
    }
    signal?.addEventListener('abort', leave)
    reply.once('close', () => signal?.removeEventListener('abort', leave))
    dispatch(raw, reply)
  }
  const response = await late.lightMyRequest()(asNode(watched), {
    ...options,
    payloadAsStream: true,
  })
  Object.assign(response.raw, { req: request })
  const stream = response.stream()
  stream.once('close', () => {
    if (!stream.readableEnded) leave()
  })
  return { response, stream }
}

/** `Readable.toWeb` of Node 20 throws in the void if it is cancelled while chunks wait. */
function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
  return new ReadableStream({
    pull: async (controller) => {
      const next = await chunks.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: () => {
      stream.destroy()
    },
  })
}

/** The call that asks for the rest of an event stream. */
const resumed = (call: InjectedCall, lastEventId: string): InjectedCall => {
  const headers = { ...call.options.headers, 'last-event-id': lastEventId }
  return { ...call, options: { ...call.options, headers } }
}

/** The members of light-my-request for a body. */
function bytesOf({ key }: InjectedCall, bytes: Buffer | undefined): PropertyDescriptorMap {
  const read = (): Buffer => {
    if (bytes !== undefined) return bytes
    const remedy = 'has a stream of items. Read it by events(), or wait for all by text()'
    throw new errorCodes.ESP_ERR_INJECT_ROUTE(key, remedy)
  }
  const text = { get: () => read().toString(), enumerable: true }
  return { rawPayload: { get: read, enumerable: true }, payload: text, body: text }
}
