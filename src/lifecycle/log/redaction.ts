import type { IncomingMessage } from 'node:http'
import type { HttpPart } from '../../schema/compiler-types.ts'
import { isObject } from '../../types/objects.ts'
import { redacted, type Secrets } from '../../validation/secrets.ts'
import { Request } from '../request.ts'

/** Hides the sensitive values of the requests of one route from its log. Only routes that have some
 *  have a redaction. */
export class Redaction {
  readonly #secrets: readonly Secrets[]
  readonly #path: string | undefined
  readonly #query: readonly Secrets[]

  /** @param path the path of the route with its parameters, as `/tokens/:token` */
  constructor(secrets: readonly Secrets[], path: string) {
    this.#secrets = secrets
    this.#path = this.hides('params') ? path : undefined
    this.#query = this.#of('querystring')
  }

  /** Whether a part of the requests has sensitive values. */
  hides(part: HttpPart): boolean {
    return this.#of(part).length > 0
  }

  /** A URL without sensitive values: the path of the route in place of one with such a parameter,
   *  and of the query string what the schema names and does not mark. */
  url(url: string): string {
    const [, path = '', start = '', query = ''] = /^([^?;#]*)([?;#]?)(.*)$/s.exec(url) ?? []
    const shown =
      this.#query.length === 0 ? query : query.replaceAll(/[^&;]+/g, (pair) => this.#pair(pair))
    return (this.#path ?? path) + start + shown
  }

  #pair(pair: string): string {
    const [text = ''] = pair.split('=', 1)
    try {
      const name = decodeURIComponent(text.replaceAll('+', ' '))
      if (this.#query.every((secrets) => secrets.shows(name))) return pair
      return this.#query.some((secrets) => secrets.names(name)) ? `${text}=${redacted}` : redacted
    } catch {
      return redacted
    }
  }

  /** What a line shows in place of a request. Other values stay as they are. */
  show(value: unknown): unknown {
    return value instanceof Request ? this.request(value) : value
  }

  /** A request whose URL, query, parameters, body and headers have no sensitive value. */
  request(request: Request): Request {
    const hide = (part: HttpPart, value: unknown): unknown =>
      this.#of(part).reduce((shown: unknown, secrets) => secrets.hide(shown), value)
    const urls = (holder: object): Changes => ({
      url: () => this.url(request.url),
      originalUrl: () => ('originalUrl' in holder ? this.url(request.originalUrl) : undefined),
    })
    const headers = (given: unknown): unknown =>
      hide('headers', isObject(given) ? { ...given } : given)
    return changed(request, {
      ...urls(request),
      query: () => hide('querystring', request.query),
      params: () => hide('params', request.params),
      body: () => hide('body', request.body),
      headers: () => headers(request.headers),
      raw: () => this.#raw(request.raw, urls(request.raw), headers),
    })
  }

  /** Node's request. It has its headers in two more forms, of which none is shown. */
  #raw(raw: IncomingMessage, urls: Changes, headers: (given: unknown) => unknown): IncomingMessage {
    if (!this.hides('headers')) return changed(raw, urls)
    const none = (): undefined => undefined
    const changes = { headers: () => headers(raw.headers), rawHeaders: none, headersDistinct: none }
    return changed(raw, { ...urls, ...changes })
  }

  #of(part: HttpPart): readonly Secrets[] {
    return this.#secrets.filter((secrets) => secrets.part === part)
  }
}

type Changes = Readonly<Record<string, () => unknown>>

/** An object that others see with other values for some names. Methods run on the object itself. */
function changed<Value extends object>(object: Value, changes: Changes): Value {
  return new Proxy(object, {
    get(target, name) {
      if (typeof name === 'string' && Object.hasOwn(changes, name)) return changes[name]?.()
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
