import type { DispatchFunc, InjectOptions as LightOptions } from 'light-my-request'
import type { Refusal } from '../../http/call-body.ts'
import { textRecord } from '../../http/route-call.ts'
import { describe, isObject } from '../../schema/values.ts'

/** What `inject` takes behind the input of a route. A reply that is read while it is sent (`payloadAsStream`) has no text, and
 *  is asked for by URL. */
export interface InjectCallOptions {
  /** By name, behind those of a `cookie` header. Values are percent-encoded; what is undefined is left out. @default {} */
  readonly cookies?: Readonly<Record<string, string | undefined>> | undefined
  /** The address that the request comes from. @default '127.0.0.1' */
  readonly remoteAddress?: string | undefined
  /** The `host` header, unless the input has one. @default 'localhost:80' */
  readonly authority?: string | undefined
  /** Ends the call, whose promise then rejects with the reason. The server sees its client leave. @default none */
  readonly signal?: AbortSignal | undefined
  /** Whether the body, unless it is a stream, comes to an `end`, is `split` in two, or is followed by an `error` or the `close`
   *  of the connection. @default { end: true, split: false, error: false, close: false } */
  readonly simulate?:
    { readonly [Event in 'end' | 'split' | 'error' | 'close']?: boolean | undefined } | undefined
}

const isText = (value: unknown) => typeof value === 'string'

/** What each option has to be. */
const known: Readonly<
  Record<keyof InjectCallOptions, readonly [text: string, isOne: (value: unknown) => boolean]>
> = {
  cookies: ['an object', isObject],
  remoteAddress: ['text', isText],
  authority: ['text', isText],
  signal: ['an AbortSignal', (value) => value instanceof AbortSignal],
  simulate: ['an object', isObject],
}

/** The options of a call as light-my-request takes them, but for the signal, which it does not heed once a body has come.
 *  @param refuse makes the error that is thrown where they are none */
export function toLightOptions(options: InjectCallOptions, refuse: Refusal): LightOptions {
  refuseUnfit(options, refuse)
  const { remoteAddress = '127.0.0.1', authority = 'localhost:80' } = options
  const { end = true, split = false, error = false, close = false } = options.simulate ?? {}
  const cookies = textRecord(options.cookies ?? {})
  const others = { remoteAddress, authority, simulate: { end, split, error, close } }
  return Object.keys(cookies).length > 0 ? { ...others, cookies } : others
}

function refuseUnfit(options: unknown, refuse: Refusal): void {
  if (!isObject(options)) throw refuse(`has ${describe(options)} for its options, not an object`)
  const rules = new Map(Object.entries(known))
  for (const [name, value] of Object.entries(options)) {
    const rule = rules.get(name)
    if (!rule) throw refuse(`has no option '${name}', but ${[...rules.keys()].join(', ')}`)
    const [text, isOne] = rule
    if (value !== undefined && !isOne(value))
      throw refuse(`has ${describe(value)} for its option '${name}', not ${text}`)
  }
}

/** Requests whose client leaves when a signal is aborted. */
export function leftOn(signal: AbortSignal, dispatch: DispatchFunc): DispatchFunc {
  return (request, response) => {
    const leave = () => {
      response.destroy()
      request.destroy()
    }
    signal.addEventListener('abort', leave)
    response.once('close', () => {
      signal.removeEventListener('abort', leave)
    })
    dispatch(request, response)
  }
}
