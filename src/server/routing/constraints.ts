import type { IncomingMessage } from 'node:http'
import type { ConstraintStrategy as RouterStrategy, HTTPVersion } from 'find-my-way'
import { errorCodes } from '../../errors/codes.ts'
import { guard } from '../../lifecycle/log/guard.ts'
import { refusePromise } from '../../errors/refuse-promise.ts'
import { describe } from '../../errors/describe.ts'
import { ignoreRejection } from '../../types/promises.ts'
import { isObject, type JsonObject } from '../../types/objects.ts'

/** Calls back with the derived value of a request, or with an error. */
export type ConstraintDone = (error: Error | null, value?: unknown) => void

/** The routes of one path, by the values of their constraint. */
export interface ConstraintStore {
  get(value: unknown): unknown
  set(value: unknown, route: unknown): unknown
}

/** A criterion for finding routes in addition to method and path. */
export interface ConstraintStrategy {
  /** The key in the route option `constraints`. */
  readonly name: string
  /** Whether a request with a derived value matches only routes with this constraint. */
  readonly mustMatchWhenDerived?: boolean
  storage(): ConstraintStore
  /** Throws for an invalid value in a route. */
  validate?(value: unknown): unknown
  /** Derives the value of a request. With a third parameter it calls back, and its result is
   *  ignored. */
  deriveConstraint(request: IncomingMessage, context: unknown, done: ConstraintDone): unknown
}

/** A copy of a strategy for the router, which adds properties to it.
 *  @throws ESP_ERR_CONSTRAINT_STRATEGY */
export function toRouterStrategy(given: unknown): RouterStrategy<HTTPVersion.V1> {
  if (!isObject(given)) throw constraintError(describe(given), 'it must be an object')
  const name = typeof given['name'] === 'string' ? `'${given['name']}'` : 'without a name'
  if (typeof given['name'] !== 'string' || !/^[A-Za-z_$][\w$]*$/.test(given['name'])) {
    throw constraintError(name, 'its name must be that of a variable')
  }
  for (const member of ['storage', 'deriveConstraint']) {
    if (typeof given[member] !== 'function')
      throw constraintError(name, `${member} must be a function`)
  }
  return guardStrategy(given, `The constraint strategy ${name}`)
}

/** Makes a strategy throw if one of its functions returns a promise. One that calls back may. */
function guardStrategy(given: JsonObject, name: string): RouterStrategy<HTTPVersion.V1> {
  const call = (member: string, args: unknown[] = []): unknown =>
    Reflect.apply(given[member] as (...args: unknown[]) => unknown, given, args)
  const { deriveConstraint, validate, mustMatchWhenDerived } = given
  // The router recognizes a strategy that calls back by its number of parameters.
  const callsBack = typeof deriveConstraint === 'function' && deriveConstraint.length === 3
  const strategy = {
    name: given['name'],
    mustMatchWhenDerived,
    storage: () => guardStore(refusePromise(name, call('storage')) as ConstraintStore, name),
    validate: (value: unknown) => validate && refusePromise(name, call('validate', [value])),
    deriveConstraint: callsBack
      ? (request: IncomingMessage, context: unknown, done: ConstraintDone) => {
          const derive: Derive = (callback) =>
            call('deriveConstraint', [request, context, callback])
          deriveLater(derive, request, done)
        }
      : (...args: unknown[]) => refusePromise(name, call('deriveConstraint', args)),
  }
  return strategy as RouterStrategy<HTTPVersion.V1>
}

type Derive = (callback: (error: unknown, value?: unknown) => void) => unknown

function guardStore(store: ConstraintStore, name: string): ConstraintStore {
  return {
    get: (value) => refusePromise(name, store.get(value)),
    set: (value, route) => {
      ignoreRejection(store.set(value, route))
    },
  }
}

/** Derives a value by a callback. The function may also throw or reject; its first end counts. */
function deriveLater(derive: Derive, { url }: IncomingMessage, done: ConstraintDone): void {
  let isDone = false
  const end = (...result: Parameters<ConstraintDone>): void => {
    if (isDone) return
    isDone = true
    done(...result)
  }
  const fail = (cause: unknown): void => {
    end(new errorCodes.ESP_ERR_ASYNC_CONSTRAINT(url, cause))
  }
  const callback = (error: unknown, value: unknown): void => {
    if (error === null) end(null, value)
    else fail(error)
  }
  guard(() => derive(callback), fail)
}

export function constraintError(name: string, reason: string, cause?: unknown): Error {
  return new errorCodes.ESP_ERR_CONSTRAINT_STRATEGY(name, reason, cause)
}

/** Whether a strategy calls back. */
export function isAsync(strategy: RouterStrategy<HTTPVersion.V1>): boolean {
  return strategy.deriveConstraint.length === 3
}

/** The checks of the router's own constraints. They return the problem of a value, or undefined. */
export const builtIn: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  version: (value) => (typeof value === 'string' ? undefined : 'must be a string'),
  host: (value) =>
    typeof value === 'string' || value instanceof RegExp
      ? undefined
      : 'must be a string or a RegExp',
}
