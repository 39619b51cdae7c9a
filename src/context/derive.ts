import { errorCodes } from '../errors/codes.ts'
import { once } from '../packages/once.ts'
import { isThenable } from '../types/promises.ts'
import type { DerivePhase } from './ctx.ts'
import { type DecoratorKind, type Decorators, outdatedMembers } from './decorators.ts'
import type { HookFunction } from './hooks.ts'

/** The phases at which `derive` can add to a request. */
export const derivePhases: readonly DerivePhase[] = ['onRequest', 'preValidation', 'preHandler']

export function isDerivePhase(name: string): name is DerivePhase {
  return derivePhases.some((phase) => phase === name)
}

/** One call of `derive`. Its names are those of the last result: they are unknown before. */
interface Derivation {
  readonly place: string
  names: readonly string[]
}

/** The calls of `derive` in a context and its ancestors. */
export class Derivations {
  readonly #own: Derivation[] = []
  readonly #parent: Derivations | undefined

  constructor(parent: Derivations | undefined) {
    this.#parent = parent
  }

  add(place: string): Derivation {
    const derivation = { place, names: [] }
    this.#own.push(derivation)
    return derivation
  }

  /** The place of another call that has derived a name. */
  holderOf(name: string, other: Derivation): string | undefined {
    const holder = this.#own.find((each) => each !== other && each.names.includes(name))
    return holder?.place ?? this.#parent?.holderOf(name, other)
  }
}

/** The part of a context that `derive` needs. */
interface DerivingContext {
  readonly derivations: Derivations
  readonly decorators: Readonly<Record<DecoratorKind, Decorators>>
}

/** Wraps a hook so that the fields of its result become fields of the request.
 *  @param place the name of the context, and of the plugin, in error messages */
export function deriving(
  hook: HookFunction,
  context: DerivingContext,
  place: string,
): HookFunction {
  const derivation = context.derivations.add(place)
  const derive = function (this: object, request: object, reply: object): unknown {
    // cast: a hook is typed by its scope, which the request belongs to
    const result: unknown = hook.call(this as never, request as never, reply as never)
    if (result === reply) return reply
    if (isThenable(result)) {
      return result.then((given) => {
        assign(request, given, context, derivation)
      })
    }
    assign(request, result, context, derivation)
    return undefined
  }
  originals.set(derive, hook)
  return derive
}

/** The hooks that `deriving` has wrapped. */
const originals = once('derived', () => new WeakMap<HookFunction, HookFunction>())

/** The hook that was given to `derive`; any other hook itself. */
export function derivedBy(hook: HookFunction): HookFunction {
  return originals.get(hook) ?? hook
}

/** @throws ESP_ERR_DEC_ALREADY_PRESENT if the request has one of the names,
 *  ESP_ERR_DERIVE_INSTANCE */
function assign(
  request: object,
  given: unknown,
  context: DerivingContext,
  derivation: Derivation,
): void {
  if (typeof given !== 'object' || given === null) return
  const lost = inheritedMember(given)
  if (lost !== undefined) {
    throw new errorCodes.ESP_ERR_DERIVE_INSTANCE(derivation.place, String(lost))
  }
  const names = Object.keys(given)
  for (const name of names) {
    const isFree = outdatedMembers.has(name) && !Object.hasOwn(request, name)
    if (isFree) Object.defineProperty(request, name, { writable: true, configurable: true })
    else if (name in request) throw clash(name, context, derivation)
  }
  Object.assign(request, given)
  derivation.names = names
}

/** The error for a name that the request already has. It says where the name comes from. */
function clash(name: string, context: DerivingContext, derivation: Derivation): Error {
  const { place } = derivation
  const derived = context.derivations.holderOf(name, derivation)
  const what =
    derived === undefined
      ? `${originOf(name, context.decorators.request)}. It was derived in ${place}. Derive another name`
      : `it is derived in ${derived}. It was derived again in ${place}. Derive it once, in the outermost scope`
  return new errorCodes.ESP_ERR_DEC_ALREADY_PRESENT('request', name, what)
}

/** Where a name comes from that no context has derived. */
function originOf(name: string, decorators: Decorators): string {
  const place = decorators.holderOf(name)
  if (place !== undefined) return `${place} has it, by decorateRequest`
  return decorators.has(name)
    ? 'it is built in'
    : 'a hook has set it, or a scope below derives it in an earlier phase'
}

/** A member that an object inherits from its class: `Object.assign` would not copy it. */
function inheritedMember(given: object): PropertyKey | undefined {
  const prototype: unknown = Object.getPrototypeOf(given)
  if (typeof prototype !== 'object' || prototype === null) return undefined
  // The last prototype has the members of all objects.
  if (Object.getPrototypeOf(prototype) === null) return undefined
  const members = Reflect.ownKeys(prototype)
  return members.find((name) => name !== 'constructor') ?? inheritedMember(prototype)
}
