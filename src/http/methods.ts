import type { MethodPolicy } from '../dialect/dialect.ts'

/** The methods of `all`. Each has a shortcut. */
export const standardMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export type StandardMethod = (typeof standardMethods)[number]

/** A method, in any case. Editors offer the standard ones. */
export type MethodName = StandardMethod | (string & {})

/** A method whose body is validated and typed by a schema. */
export type ValidatedMethod = (typeof validated)[number]

/** A method that routes may have on every server. */
export type RouteMethod = (typeof bodyless | typeof validated | typeof read)[number]

/** The methods of a route in upper case, from one name or a list. */
export type MethodIn<Methods> = Methods extends readonly (infer Method extends string)[]
  ? Uppercase<Method>
  : Uppercase<Methods & string>

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
/** Methods whose content is read, but not validated. */
const read = ['DELETE', 'OPTIONS'] as const

type Content = 'none' | 'read' | 'validated'

/** What happens to the content of a method's requests. */
const contents: ReadonlyMap<string, Content> = new Map([
  ...validated.map((method): [string, Content] => [method, 'validated']),
  ...read.map((method): [string, Content] => [method, 'read']),
  ...bodyless.map((method): [string, Content] => [method, 'none']),
])

/** Methods whose content must have a type, also in Fastify. */
const typed = new Set(['POST', 'PUT', 'PATCH', 'SEARCH', 'TRACE', 'QUERY'])

/** Whether the content of a request is read (RFC 9110, 9.3).
 *  @param known what happens to the content of each method. By default no method was added */
export function hasBody(method: string, known: ReadonlyMap<string, Content> = contents): boolean {
  return (known.get(method) ?? 'none') !== 'none'
}

/** The methods of a server's routes: of HTTP, of WebDAV, and added by `addHttpMethod`. */
export class Methods {
  readonly #contents = new Map(contents)
  readonly #common: Set<string>
  readonly #policy: MethodPolicy

  constructor(policy: MethodPolicy) {
    this.#policy = policy
    this.#common = new Set([...standardMethods, ...policy.all])
  }

  has(method: string): boolean {
    return this.#contents.has(method)
  }

  hasBody(method: string): boolean {
    return hasBody(method, this.#contents)
  }

  /** Whether a body schema validates: for POST, PUT and PATCH (specification 2.3) and for other
   *  methods whose requests have content; in Fastify's dialect also for DELETE and OPTIONS. */
  hasValidatedBody(method: string): boolean {
    const content = this.#contents.get(method)
    return content === 'validated' || (content === 'read' && this.#policy.validatesAll)
  }

  /** Whether clients may send a content type without content. */
  mayBeTyped(method: string): boolean {
    return this.#contents.get(method) !== 'validated'
  }

  /** Whether content without a type is refused. Fastify ignores it for methods that rarely have
   *  content. */
  refusesUntyped(method: string): boolean {
    return !this.#policy.leavesUntyped || typed.has(method)
  }

  /** Adds a method, or changes whether its requests have content. `all` declares it too. */
  add(method: string, withBody: boolean): void {
    this.#contents.set(method, withBody ? 'validated' : 'none')
    this.#common.add(method)
  }

  /** The methods of `all`. */
  common(): string[] {
    return [...this.#common]
  }

  all(): string[] {
    return [...new Set([...this.#common, ...this.#contents.keys()])]
  }
}
