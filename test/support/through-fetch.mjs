// Sends what tests inject through `app.fetch`: `node --import tsx --import ./test/support/through-fetch.mjs test/run.ts …`.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import './bundled.mjs'

const { default: late } = await import('#late')
const { ServerInstance } = await import('../../src/server/server.ts')
const lightMyRequest = late.lightMyRequest()
const { default: LightRequest } = await import('light-my-request/lib/request.js')
const { default: setCookie } = await import('set-cookie-parser')

/** The server that a call of `inject` is sent to, and the signal of the call. */
const called = new AsyncLocalStorage()

const { inject } = ServerInstance.prototype
ServerInstance.prototype.inject = function (target, input, options) {
  const { fetch } = this
  return called.run({ fetch, signal: options?.signal }, () =>
    Reflect.apply(inject, this, [target, input, options]),
  )
}

late.lightMyRequest = () => (dispatch, options, callback) => {
  const server = called.getStore()
  if (options === undefined || callback !== undefined || server === undefined)
    return lightMyRequest(dispatch, options, callback)
  return answer(server, typeof options === 'string' ? { url: options } : options)
}

async function answer({ fetch, signal }, options) {
  const response = await fetch(toRequest(options, options.signal ?? signal), {
    ip: options.remoteAddress ?? '127.0.0.1',
  })
  const { status: statusCode, statusText: statusMessage } = response
  const cookies = response.headers.getSetCookie()
  const headers = {
    ...Object.fromEntries(response.headers),
    ...(cookies.length > 0 && { 'set-cookie': cookies.length > 1 ? cookies : cookies[0] }),
  }
  const facts = { statusCode, statusMessage, headers, trailers: {}, raw: { res: { statusCode } } }
  Object.defineProperty(facts, 'cookies', {
    get: () => setCookie.parse({ headers }),
    enumerable: true,
  })
  if (options.payloadAsStream) {
    const stream = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body)
    return Object.assign(facts, { stream: () => stream })
  }
  const rawPayload = Buffer.from(await response.arrayBuffer())
  const payload = rawPayload.toString()
  const json = () => JSON.parse(payload)
  return Object.assign(facts, {
    rawPayload,
    payload,
    body: payload,
    json,
    stream: () => Readable.from([rawPayload]),
  })
}

/** What light-my-request would send, as a `Request`. What a `Request` cannot be has its members. */
function toRequest(options, signal = new AbortController().signal) {
  const light = new LightRequest({ ...options, signal: undefined })
  const { method, headers } = light
  const url = `http://${headers.host}${light.url}`
  const hasBody =
    light._lightMyRequest.payload !== null || headers['transfer-encoding'] !== undefined
  const body = hasBody ? Readable.toWeb(light) : null
  try {
    return new Request(url, { method, headers, body, duplex: 'half', signal })
  } catch {
    return { method, url, headers: new Headers(headers), body, signal }
  }
}
