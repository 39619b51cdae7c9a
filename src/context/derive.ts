import { errorCodes } from '../errors/codes.ts'
import { isThenable } from '../schema/values.ts'
import { outdatedMembers } from './outdated.ts'
import type { DerivePhase } from './phases.ts'
import type { HookFunction } from './hooks.ts'

/** The phases at which `derive` can add to a request. */
export const derivePhases: readonly DerivePhase[] = ['onRequest', 'preValidation', 'preHandler']

export function isDerivePhase(name: string): name is DerivePhase {
  return derivePhases.some((phase) => phase === name)
}

/** A hook that makes what another returns part of the request.
 *  @param place what messages call the context */
export function deriving(hook: HookFunction, place: string): HookFunction {
  const derive = function (this: object, request: object, reply: object): unknown {
    // cast: a hook is typed by its scope, which the request belongs to
    const result: unknown = hook.call(this as never, request as never, reply as never)
    if (result === reply) return reply
    if (isThenable(result)) {
      return result.then((given) => {
        assign(request, given, place)
      })
    }
    assign(request, result, place)
    return undefined
  }
  return derive
}

/** @throws ESP_ERR_DEC_ALREADY_PRESENT where the request has one of the names, ESP_ERR_DERIVE_INSTANCE */
function assign(request: object, given: unknown, place: string): void {
  if (typeof given !== 'object' || given === null) return
  const lost = inheritedMember(given)
  if (lost !== undefined) throw new errorCodes.ESP_ERR_DERIVE_INSTANCE(place, String(lost))
  for (const name of Object.keys(given)) {
    const isFree = outdatedMembers.has(name) && !Object.hasOwn(request, name)
    if (isFree) Object.defineProperty(request, name, { writable: true, configurable: true })
    else if (name in request) {
      const where = `It was derived in ${place}`
      throw new errorCodes.ESP_ERR_DEC_ALREADY_PRESENT('request', name, where)
    }
  }
  Object.assign(request, given)
}

/** A member that an object has of its class alone, which cannot be assigned to another. */
function inheritedMember(given: object): PropertyKey | undefined {
  const prototype: unknown = Object.getPrototypeOf(given)
  if (typeof prototype !== 'object' || prototype === null) return undefined
  // The last prototype has the members of any object.
  if (Object.getPrototypeOf(prototype) === null) return undefined
  const members = Reflect.ownKeys(prototype)
  return members.find((name) => name !== 'constructor') ?? inheritedMember(prototype)
}
