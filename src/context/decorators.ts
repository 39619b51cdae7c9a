import { errorCodes } from '../errors/codes.ts'
import { describe } from '../errors/describe.ts'

/** The object that carries a decorator: the server itself, every request, or every reply. */
export type DecoratorKind = 'server' | 'request' | 'reply'

/** A decorator that is computed when it is read. */
interface Accessor {
  readonly getter: (this: never) => unknown
  readonly setter?: (this: never, value: never) => void
}

interface DecoratorsOptions {
  readonly kind: DecoratorKind
  /** The object that gets the decorators. */
  readonly target: object
  /** The name of the context in error messages. */
  readonly place: string
  /** The decorators of the same kind in the parent context. */
  readonly parent: Decorators | undefined
  /** Names of properties that only instances of the target have. */
  readonly builtIn: ReadonlySet<PropertyKey>
  /** Whether a context may decorate names that its ancestors have: always, or never but by a plugin
   *  of Fastify. */
  readonly mayShadow: boolean
}

/** What `add` is called with, after the name and the value. */
interface AddOptions {
  /** Names of decorators that have to exist. */
  readonly dependencies?: readonly PropertyKey[] | undefined
  /** Whether a plugin of Fastify decorates. The rules of Fastify apply to it. */
  readonly isForeign?: boolean
}

/** Members of requests and replies that Fastify 5 has removed. They exist for older plugins, but
 *  their names are free for decorators and for `derive`. */
export const outdatedMembers: ReadonlySet<PropertyKey> = new Set([
  'context',
  'routeConfig',
  'routeSchema',
  'routerPath',
  'routerMethod',
  'getResponseTime',
])

/** The decorators of one kind in one context. They are properties of a target, whose prototype is
 *  the target of the parent context. So a context has its own decorators and those of its
 *  ancestors, also those that are declared late. All other names are undefined (specification
 *  2.1). */
export class Decorators {
  readonly #options: DecoratorsOptions
  readonly #children: Decorators[] = []
  readonly #names: string[] = []
  #mayReplace = false

  constructor(options: DecoratorsOptions) {
    this.#options = options
    if (options.parent !== undefined) options.parent.#children.push(this)
  }

  has(name: PropertyKey): boolean {
    const { kind, target, builtIn } = this.#options
    if (kind !== 'server' && outdatedMembers.has(name)) return this.#holderAbove(name) !== undefined
    return name in target || builtIn.has(name)
  }

  /** The place of the context that has a name: a descendant, this context, or an ancestor. */
  holderOf(name: PropertyKey): string | undefined {
    const holder = this.#holderBelow(name) ?? this.#holderAbove(name)
    return holder === undefined ? undefined : holder.#options.place
  }

  /** Runs the `onRegister` hooks for a new context. Meanwhile they may replace server decorators of
   *  the ancestors: plugins need that to keep state for each context. */
  whileReplacing(run: () => void): void {
    this.#mayReplace = true
    try {
      run()
    } finally {
      this.#mayReplace = false
    }
  }

  /** The names that this context itself has decorated. */
  names(): readonly string[] {
    return this.#names
  }

  /** @throws ESP_ERR_DEC_ALREADY_PRESENT, ESP_ERR_DEC_DEPENDENCY_INVALID_TYPE,
   *  ESP_ERR_DEC_MISSING_DEPENDENCY, ESP_ERR_DEC_REFERENCE_TYPE */
  add(
    name: PropertyKey,
    value: unknown,
    { dependencies = [], isForeign = false }: AddOptions = {},
  ): void {
    const { kind, place } = this.#options
    this.#assertFree(name, isForeign)
    const given: unknown = dependencies
    if (!Array.isArray(given)) {
      const details = [kind, String(name), place, describe(given)]
      throw new errorCodes.ESP_ERR_DEC_DEPENDENCY_INVALID_TYPE(...details)
    }
    const missing = dependencies.find((dependency) => !this.has(dependency))
    if (missing !== undefined) {
      const names = [kind, String(name), place, String(missing)]
      throw new errorCodes.ESP_ERR_DEC_MISSING_DEPENDENCY(...names)
    }
    this.#define(name, value)
    this.#names.push(String(name))
  }

  #define(name: PropertyKey, value: unknown): void {
    const { kind, place, target } = this.#options
    const shown = { configurable: true, enumerable: true }
    if (isAccessor(value)) {
      const { getter: get, setter } = value
      const set = setter === undefined ? {} : { set: setter as (value: unknown) => void }
      Object.defineProperty(target, name, { ...shown, ...set, get })
      return
    }
    if (kind !== 'server' && typeof value === 'object' && value !== null) {
      throw new errorCodes.ESP_ERR_DEC_REFERENCE_TYPE(kind, String(name), place)
    }
    Object.defineProperty(target, name, { ...shown, value, writable: true })
  }

  #assertFree(name: PropertyKey, isForeign: boolean): void {
    if (this.#mayShadow(name, isForeign)) return
    const below = this.#holderBelow(name)
    if (!this.has(name) && below === undefined) return
    const holder = below ?? this.#holderAbove(name)
    const where = holder === undefined ? 'it is built in' : `${holder.#options.place} has it`
    const { kind, place } = this.#options
    const reason = `${where}. It was decorated again in ${place}`
    throw new errorCodes.ESP_ERR_DEC_ALREADY_PRESENT(kind, String(name), reason)
  }

  /** Whether this context may decorate a name that others have. In Fastify a server may shadow
   *  every name of its ancestors, and requests and replies every name but those of plain values.
   *  In Espalier only plugins of Fastify may, and no built-in names; and `onRegister` hooks may on
   *  servers. */
  #mayShadow(name: PropertyKey, isForeign: boolean): boolean {
    const { kind, target, builtIn, mayShadow, parent } = this.#options
    if (Object.hasOwn(target, name)) return false
    const above = this.#holderAbove(name)
    if (!mayShadow && kind === 'server' && this.#mayReplace) return above !== undefined
    if (!mayShadow && !(isForeign && (above !== undefined || !this.has(name)))) return false
    if (builtIn.has(name)) return false
    if (kind === 'server') return parent !== undefined || !(name in target)
    return above === undefined || !hasPlainValue(above.#options.target, name)
  }

  #holderAbove(name: PropertyKey): Decorators | undefined {
    const { target, parent } = this.#options
    if (Object.hasOwn(target, name) && this.#names.includes(String(name))) return this
    return parent === undefined ? undefined : parent.#holderAbove(name)
  }

  #holderBelow(name: PropertyKey): Decorators | undefined {
    for (const child of this.#children) {
      const isOwn = Object.hasOwn(child.#options.target, name)
      const holder = isOwn ? child : child.#holderBelow(name)
      if (holder !== undefined) return holder
    }
    return undefined
  }
}

/** Whether a property is neither a method nor an accessor. */
function hasPlainValue(target: object, name: PropertyKey): boolean {
  const own = Object.getOwnPropertyDescriptor(target, name)
  return own?.get === undefined && typeof own?.value !== 'function'
}

function isAccessor(value: unknown): value is Accessor {
  if (typeof value !== 'object' || value === null) return false
  return 'getter' in value && typeof value.getter === 'function'
}

const declaring: Readonly<Record<DecoratorKind, string>> = {
  server: 'decorate',
  request: 'decorateRequest',
  reply: 'decorateReply',
}

/** The value of a decorator. A function is bound to its carrier.
 *  @throws ESP_ERR_DEC_UNDECLARED */
export function readDecorator(carrier: object, kind: DecoratorKind, name: PropertyKey): unknown {
  // Before the check: servers have an error of their own for what a plugin may still add.
  const value: unknown = Reflect.get(carrier, name)
  assertDeclared(carrier, kind, name)
  if (typeof value !== 'function') return value
  const method = value as (...args: unknown[]) => unknown
  return method.bind(carrier)
}

/** Sets a decorator on one carrier.
 *  @throws ESP_ERR_DEC_UNDECLARED, and a TypeError for a decorator without a setter */
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

/** Decorators of requests and replies are properties of their prototypes. Derived values are
 *  properties of the request itself. */
function assertDeclared(carrier: object, kind: DecoratorKind, name: PropertyKey): void {
  if (name in carrier) return
  throw new errorCodes.ESP_ERR_DEC_UNDECLARED(kind, String(name), declaring[kind])
}

/** Decorators of another context that a request or a reply has taken over. */
export type Borrowed = PropertyDescriptorMap

/** The properties that another prototype has and the own one lacks; undefined if there are none. A
 *  request that moves to a sibling context needs the decorators of both. */
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

/** Gives an object borrowed decorators. A property of its own, such as a derived one, stays. */
export function lendDecorators(target: object, borrowed: Borrowed = {}): void {
  for (const [name, descriptor] of Object.entries(borrowed)) {
    if (!Object.hasOwn(target, name)) Object.defineProperty(target, name, descriptor)
  }
}
