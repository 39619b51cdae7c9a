import type { MethodPolicy } from '../dialect/dialect.ts'

/** The methods that `all` declares, and for which there are shortcuts. */
export const standardMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** One of the methods that `all` declares. */
export type StandardMethod = (typeof standardMethods)[number]

/** A method, in any case; editors offer the standard ones. */
export type MethodName = StandardMethod | (string & {})

/** The methods whose body is validated, and typed by its schema. */
export type ValidatedMethod = (typeof validated)[number]

/** The methods that routes may have on every server. */
export type RouteMethod = (typeof bodyless | typeof validated | typeof read)[number]

/** The names of a route's methods, which may be one or a list, in any case. */
export type MethodIn<Methods> = Methods extends readonly (infer Method extends string)[]
  ? Uppercase<Method>
  : Uppercase<Methods & string>

/** What the shortcut of a method that was added is known by, in types: it may be added more than once. */
export interface MethodShortcut {
  readonly '~method': string
}

const bodyless = ['GET', 'HEAD', 'TRACE', 'COPY', 'MOVE', 'MKCOL', 'UNLOCK'] as const
const validated = [
  'POST',
  'PUT',
  'PATCH',
  'PROPFIND',
  'PROPPATCH',
  'LOCK',
  'SEARCH',
  'QUERY',
] as const
/** Content is read of these, but a schema of it is for documents. */
const read = ['DELETE', 'OPTIONS'] as const

/** Those whose content must have a type in Fastify too. */
const typed = new Set(['POST', 'PUT', 'PATCH', 'SEARCH', 'TRACE', 'QUERY'])

/** The methods of a server's routes: those of HTTP and of WebDAV, and what `addHttpMethod` adds. */
export class Methods {
  readonly #bodyless = new Set<string>(bodyless)
  readonly #validated = new Set<string>(validated)
  readonly #read = new Set<string>(read)
  readonly #common: Set<string>

  readonly #policy: MethodPolicy

  constructor(policy: MethodPolicy) {
    this.#policy = policy
    this.#common = new Set([...standardMethods, ...policy.all])
  }

  has(method: string): boolean {
    return this.#bodyless.has(method) || this.hasBody(method)
  }

  /** Whether a request of this method has content that is read (RFC 9110, 9.3). */
  hasBody(method: string): boolean {
    return this.#validated.has(method) || this.#read.has(method)
  }

  /** Whether a body schema validates: for POST, PUT and PATCH (specification 2.3), and for methods
   *  beyond the specification whose requests have content; in Fastify's dialect also for DELETE and OPTIONS. */
  hasValidatedBody(method: string): boolean {
    return this.#validated.has(method) || (this.#policy.validatesAll && this.#read.has(method))
  }

  /** Whether clients send a type with this method though they send no content. */
  mayBeTyped(method: string): boolean {
    return !this.#validated.has(method)
  }

  /** Whether content without a type is refused. Fastify leaves it unread where content is unusual. */
  refusesUntyped(method: string): boolean {
    return !this.#policy.leavesUntyped || typed.has(method)
  }

  /** Adds a method, or says anew whether its requests have content. `all` declares it too. */
  add(method: string, withBody: boolean): void {
    const own = withBody ? this.#validated : this.#bodyless
    for (const methods of [this.#bodyless, this.#validated, this.#read]) methods.delete(method)
    own.add(method)
    this.#common.add(method)
  }

  /** Those that `all` declares. */
  common(): string[] {
    return [...this.#common]
  }

  all(): string[] {
    return [...this.#common, ...this.#read, ...this.#validated, ...this.#bodyless].filter(isFirst)
  }
}

function isFirst(method: string, index: number, methods: readonly string[]): boolean {
  return methods.indexOf(method) === index
}

const withBody: ReadonlySet<string> = new Set([...validated, ...read])

/** Whether requests of a method have content, where no server says else. */
export function hasBody(method: string): boolean {
  return withBody.has(method)
}
