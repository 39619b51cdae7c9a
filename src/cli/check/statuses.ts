import type { Host } from '../../server/host.ts'
import type { RouteRegistration } from '../../route/declaration.ts'
import { SchemaCompiler } from '../../route/schemas/compiler.ts'
import { isObject } from '../../types/objects.ts'
import type { Shown } from './probe.ts'

/** A status that has no schema although others of its route have one. */
export const undeclaredStatus = {
  name: 'status-undeclared',
  sentence: 'A status without a schema, beside others, is sent with all fields',
  remedy:
    'Set strict: true, which answers 500, or declare the status, or those that are left: default',
} as const

/** The statuses that are tried: one is enough to show it. */
const statuses = [200, 201, 202, 404, 500]

/** Sends an object under a status that a route does not declare. */
export function showUndeclared(host: Host, registration: RouteRegistration): Shown | undefined {
  const { method, url, declaration } = registration
  const { response, hide } = declaration.fixedSchema
  // What is no part of the API is often a route of a plugin.
  if (hide === true || !isObject(response) || Object.keys(response).length === 0) return undefined
  const name = `${method} ${url}`
  const compiler = new SchemaCompiler(registration, name, host.compilers, host.dialect)
  const responses = compiler.responses()
  for (const status of statuses) {
    const { isDeclared, usual } = responses.at(status)
    if (isDeclared || !usual.isSchemaless) continue
    const sent = usual.write?.({ secret: 'x' })
    if (sent === undefined) continue
    return { input: `reply.code(${status}).send({"secret":"x"})`, result: `is sent as ${sent}` }
  }
  return undefined
}
