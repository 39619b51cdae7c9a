import type { IncomingMessage } from 'node:http'
import type { ConstraintStrategy as RouterStrategy, HTTPVersion } from 'find-my-way'
import { errorCodes } from '../../errors/codes.ts'
import { describe, isObject } from '../../schema/values.ts'

/** Calls back with what was derived of a request, or with an error. */
export type ConstraintDone = (error: Error | null, value?: unknown) => void

/** Where a strategy keeps the routes of one path by the value of their constraint. */
export interface ConstraintStore {
  get(value: unknown): unknown
  set(value: unknown, route: unknown): void
}

/** Finds routes by something else than method and path. */
export interface ConstraintStrategy {
  /** The key in the route option `constraints`. */
  readonly name: string
  /** Whether a route without this constraint is not met by a request that a value is derived of. */
  readonly mustMatchWhenDerived?: boolean
  storage(): ConstraintStore
  /** Throws where a route gives a value that is none. */
  validate?(value: unknown): unknown
  /** The value of a request. With a third parameter it calls back, and what it returns is ignored. */
  deriveConstraint(request: IncomingMessage, context: unknown, done: ConstraintDone): unknown
}

/** The strategy as the router takes it. The router writes into it: so it is given an object of its own.
 *  @throws ESP_ERR_CONSTRAINT_STRATEGY */
export function toRouterStrategy(given: unknown): RouterStrategy<HTTPVersion.V1> {
  if (!isObject(given)) throw refusal(describe(given), 'it must be an object')
  const name = typeof given['name'] === 'string' ? `'${given['name']}'` : 'without a name'
  if (typeof given['name'] !== 'string' || !/^[A-Za-z_$][\w$]*$/.test(given['name'])) {
    throw refusal(name, 'its name must be that of a variable')
  }
  for (const member of ['storage', 'deriveConstraint']) {
    if (typeof given[member] !== 'function') throw refusal(name, `${member} must be a function`)
  }
  return Object.create(given) as RouterStrategy<HTTPVersion.V1>
}

export function refusal(name: string, reason: string, cause?: unknown): Error {
  return new errorCodes.ESP_ERR_CONSTRAINT_STRATEGY(name, reason, cause)
}

/** Whether a strategy calls back: the router tells by the number of its parameters. */
export function isAsync(strategy: RouterStrategy<HTTPVersion.V1>): boolean {
  return strategy.deriveConstraint.length === 3
}

/** Says what is wrong with the value of a constraint that comes with the router. */
export const builtIn: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  version: (value) => (typeof value === 'string' ? undefined : 'must be a string'),
  host: (value) =>
    typeof value === 'string' || value instanceof RegExp
      ? undefined
      : 'must be a string or a RegExp',
}
