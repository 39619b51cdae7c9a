import { errorCodes } from '../errors/codes.ts'
import type { DecoratorKind } from './decorators.ts'

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
