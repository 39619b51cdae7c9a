import { errorCodes } from '../errors/codes.ts'
import { describe } from '../schema/values.ts'

/** What carries a decorator: the server itself, every request, or every reply. */
export type DecoratorKind = 'server' | 'request' | 'reply'

/** A decorator that is computed when it is read. */
export interface Accessor {
  readonly getter: (this: never) => unknown
  readonly setter?: (this: never, value: never) => void
}

/** Where the decorators of one kind in one context go. */
export interface DecoratorsOptions {
  readonly kind: DecoratorKind
  readonly target: object
  /** What error messages call the context. */
  readonly place: string
  /** Those of the same kind in the parent context. */
  readonly parent: Decorators | undefined
  /** Names of properties that only instances of the target have. */
  readonly builtIn: ReadonlySet<PropertyKey>
  /** Whether names that are taken above may be decorated. */
  readonly mayShadow: boolean
}

/** The decorators of one kind in one context. They are properties of its target, whose prototype is
 *  the target of the parent context: so a context sees its own and its ancestors' decorators,
 *  those declared late included, and reads undefined for all others (specification 2.1). */
export class Decorators {
  readonly target: object
  readonly #kind: DecoratorKind
  readonly #place: string
  readonly #builtIn: ReadonlySet<PropertyKey>
  readonly #shadows: boolean
  readonly #children: Decorators[] = []
  readonly #names: string[] = []
  readonly #parent: Decorators | undefined
  #isAnnounced = false

  constructor({ kind, target, place, parent, builtIn, mayShadow }: DecoratorsOptions) {
    this.target = target
    this.#shadows = mayShadow
    this.#kind = kind
    this.#place = place
    this.#builtIn = builtIn
    this.#parent = parent
    if (parent !== undefined) parent.#children.push(this)
  }

  has(name: PropertyKey): boolean {
    if (this.#kind !== 'server' && outdatedMembers.has(name)) {
      return this.#holderAbove(name) !== undefined
    }
    return name in this.target || this.#builtIn.has(name)
  }

  /** What messages call the context that has a name: one below, this one, or one above. */
  holderOf(name: PropertyKey): string | undefined {
    const holder = this.#holderBelow(name) ?? this.#holderAbove(name)
    return holder === undefined ? undefined : holder.#place
  }

  /** Runs what tells of a new context, and may give its server decorators in place of an ancestor's: a plugin that
   *  keeps something for each context has no other way. */
  announce(run: () => void): void {
    this.#isAnnounced = true
    try {
      run()
    } finally {
      this.#isAnnounced = false
    }
  }

  /** The names of this context's own decorators. */
  names(): readonly string[] {
    return this.#names
  }

  /** @throws ESP_ERR_DEC_ALREADY_PRESENT, ESP_ERR_DEC_REFERENCE_TYPE,
   *  ESP_ERR_DEC_MISSING_DEPENDENCY */
  add(name: PropertyKey, value: unknown, dependencies: readonly PropertyKey[] = []): void {
    this.#assertFree(name)
    const given: unknown = dependencies
    if (!Array.isArray(given)) {
      const details = [this.#kind, String(name), this.#place, describe(given)]
      throw new errorCodes.ESP_ERR_DEC_DEPENDENCY_INVALID_TYPE(...details)
    }
    for (const dependency of dependencies) {
      if (!this.has(dependency)) {
        const names = [this.#kind, String(name), this.#place, String(dependency)]
        throw new errorCodes.ESP_ERR_DEC_MISSING_DEPENDENCY(...names)
      }
    }
    this.#define(name, value)
    this.#names.push(String(name))
  }

  #define(name: PropertyKey, value: unknown): void {
    const shown = { configurable: true, enumerable: true }
    if (isAccessor(value)) {
      const { getter: get, setter } = value
      const set = setter === undefined ? {} : { set: setter as (value: unknown) => void }
      Object.defineProperty(this.target, name, { ...shown, ...set, get })
      return
    }
    if (this.#kind !== 'server' && typeof value === 'object' && value !== null) {
      throw new errorCodes.ESP_ERR_DEC_REFERENCE_TYPE(this.#kind, String(name), this.#place)
    }
    Object.defineProperty(this.target, name, { ...shown, value, writable: true })
  }

  #assertFree(name: PropertyKey): void {
    if (this.#mayShadow(name)) return
    const below = this.#holderBelow(name)
    if (!this.has(name) && below === undefined) return
    const holder = below ?? this.#holderAbove(name)
    const where = holder === undefined ? 'it is built in' : `${holder.#place} has it`
    throw new errorCodes.ESP_ERR_DEC_ALREADY_PRESENT(
      this.#kind,
      String(name),
      `${where}. It was decorated again in ${this.#place}`,
    )
  }

  /** Whether a name may be decorated here though others have it. Where names are shadowed, a server may shadow whatever those
   *  around it have, and requests and replies all but plain values. Otherwise only onRegister hooks may, on servers. */
  #mayShadow(name: PropertyKey): boolean {
    if (Object.hasOwn(this.target, name)) return false
    const isServer = this.#kind === 'server'
    if (!this.#shadows) {
      return isServer && this.#isAnnounced && this.#holderAbove(name) !== undefined
    }
    if (this.#builtIn.has(name)) return false
    if (isServer) return this.#parent !== undefined || !(name in this.target)
    const above = this.#holderAbove(name)
    return above === undefined || !hasPlainValue(above.target, name)
  }

  #holderAbove(name: PropertyKey): Decorators | undefined {
    if (Object.hasOwn(this.target, name) && this.#names.includes(String(name))) return this
    return this.#parent === undefined ? undefined : this.#parent.#holderAbove(name)
  }

  #holderBelow(name: PropertyKey): Decorators | undefined {
    for (const child of this.#children) {
      const holder = Object.hasOwn(child.target, name) ? child : child.#holderBelow(name)
      if (holder !== undefined) return holder
    }
    return undefined
  }
}

/** Whether a property is neither a method nor computed when it is read. */
function hasPlainValue(target: object, name: PropertyKey): boolean {
  const own = Object.getOwnPropertyDescriptor(target, name)
  return own?.get === undefined && typeof own?.value !== 'function'
}

function isAccessor(value: unknown): value is Accessor {
  if (typeof value !== 'object' || value === null) return false
  return 'getter' in value && typeof value.getter === 'function'
}

/** The members of requests and replies that Fastify 5 does not have any more. They are there for older
 *  plugins, but their names are free: a decorator may have them, and what is derived. */
export const outdatedMembers: ReadonlySet<PropertyKey> = new Set([
  'context',
  'routeConfig',
  'routeSchema',
  'routerPath',
  'routerMethod',
  'getResponseTime',
])

const declaring: Readonly<Record<DecoratorKind, string>> = {
  server: 'decorate',
  request: 'decorateRequest',
  reply: 'decorateReply',
}

/** The value of a decorator; a function is bound to what carries it.
 *  @throws ESP_ERR_DEC_UNDECLARED */
export function readDecorator(carrier: object, kind: DecoratorKind, name: PropertyKey): unknown {
  assertDeclared(carrier, kind, name)
  const value: unknown = Reflect.get(carrier, name)
  if (typeof value !== 'function') return value
  const method = value as (...args: unknown[]) => unknown
  return method.bind(carrier)
}

/** Gives a decorator its value on one carrier.
 *  @throws ESP_ERR_DEC_UNDECLARED, and a TypeError for a decorator that has a getter only */
export function writeDecorator(
  carrier: object,
  kind: DecoratorKind,
  name: PropertyKey,
  value: unknown,
): void {
  assertDeclared(carrier, kind, name)
  if (Reflect.set(carrier, name, value)) return
  throw new TypeError(`the ${kind} decorator '${String(name)}' has a getter only`)
}

/** Decorators of requests and replies are properties of the prototypes that a context gives them, but for what
 *  was derived, which is the carrier's own. */
function assertDeclared(carrier: object, kind: DecoratorKind, name: PropertyKey): void {
  if (name in carrier) return
  throw new errorCodes.ESP_ERR_DEC_UNDECLARED(kind, String(name), declaring[kind])
}

/** The decorators that a request or a reply borrows from another context. */
export type Borrowed = PropertyDescriptorMap

/** What one prototype has and another lacks; undefined where it has all of it. A request that is handed
 *  over to a context beside its own reads what that context decorates, and still what its own does. */
export function borrowDecorators(own: object, theirs: object): Borrowed | undefined {
  const missing: PropertyDescriptorMap = {}
  const isShared = (at: object): boolean =>
    at === own || Object.prototype.isPrototypeOf.call(at, own)
  for (let at = theirs; !isShared(at); at = Object.getPrototypeOf(at) as object) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (!(name in own)) missing[name] ??= { ...descriptor, configurable: true }
    }
  }
  return Object.keys(missing).length === 0 ? undefined : missing
}
