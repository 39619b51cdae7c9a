import { isDeepStrictEqual } from 'node:util'
import type { HookFunction } from '../context/hooks.ts'
import { derivedBy } from '../context/derive.ts'
import { once } from '../packages/once.ts'
import type { RouteRegistration } from '../route/declaration.ts'
import type { SecurityRequirement, SecurityScheme } from './types.ts'

/** The schemes of a hook by name: a client that satisfies one of them passes. */
export type SecuritySchemes = Readonly<Record<string, SecurityScheme>>

interface Guard {
  readonly schemes: SecuritySchemes
  readonly scopes: readonly string[]
}

const marks = once('secured', () => new WeakMap<object, Guard>())

/** Marks a hook that lets only some clients pass. Documents then say so for every route that the
 *  hook runs on. Returns the same function.
 *  @param schemes the ways to pass, by name: one of them is enough. None for a hook that lets
 *  everybody pass, where that does not show
 *  @param scopes the OAuth scopes that the hook asks for, or the roles of other schemes
 *  @example
 *  app.addHook('onRequest', secured(checkToken, { bearer: { type: 'http', scheme: 'bearer' } })) */
export function secured<Hook extends (...args: never[]) => unknown>(
  hook: Hook,
  schemes: SecuritySchemes,
  scopes: readonly string[] = [],
): Hook {
  marks.set(hook, { schemes, scopes })
  return hook
}

/** What guards a route. */
export interface Security {
  readonly requirements: readonly SecurityRequirement[]
  /** Whether a hook asks for scopes, so that a client that it knows may still be refused. */
  readonly asksForScopes: boolean
}

/** What the hooks that run before the handler of a route ask for. Undefined if none is known.
 *  @param all the schemes of the document, by name. Gets those of the hooks
 *  @throws Error for a name that no scheme may have */
export function securityOf(
  registration: RouteRegistration,
  all: Map<string, SecurityScheme>,
): Security | undefined {
  const guards = hooksBeforeHandler(registration)
    .flatMap((hook) => marks.get(derivedBy(hook)) ?? recognize(derivedBy(hook), registration) ?? [])
    .filter(({ schemes }) => Object.keys(schemes).length > 0)
  if (guards.length === 0) return undefined
  // A client has to pass all hooks, each in one of its ways.
  let ways: ReadonlyMap<string, readonly string[]>[] = [new Map()]
  for (const { schemes, scopes } of guards) {
    const names = Object.entries(schemes).map(([name, scheme]) => addScheme(name, scheme, all))
    ways = ways.flatMap((before) =>
      names.map((name) => {
        const both = new Set([...(before.get(name) ?? []), ...scopes])
        return new Map([...before, [name, [...both]]])
      }),
    )
  }
  const requirements = ways.map((way) => Object.fromEntries(way))
  const texts = new Map(requirements.map((each) => [JSON.stringify(each), each]))
  return {
    requirements: [...texts.values()],
    asksForScopes: guards.some(({ scopes }) => scopes.length > 0),
  }
}

/** Returns the name of a scheme in the document. A number is added to a name that another has. */
function addScheme(
  wanted: string,
  scheme: SecurityScheme,
  all: Map<string, SecurityScheme>,
): string {
  if (!/^[\w.-]+$/.test(wanted)) {
    const rule = 'its name may have letters, digits, dots, hyphens and underscores only'
    throw new Error(`the security scheme '${wanted}' cannot be named so: ${rule}`)
  }
  let name = wanted
  const isTaken = (): boolean => all.has(name) && !isDeepStrictEqual(all.get(name), scheme)
  for (let count = 2; isTaken(); count++) name = `${wanted}${count}`
  all.set(name, scheme)
  return name
}

const beforeHandler = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const

function hooksBeforeHandler({ declaration, context }: RouteRegistration): HookFunction[] {
  return beforeHandler.flatMap((name) => [
    ...context.hooks.collect(name),
    ...declaration.hooks[name],
  ])
}

const bearer: SecuritySchemes = { bearer: { type: 'http', scheme: 'bearer' } }
const basic: SecuritySchemes = { basic: { type: 'http', scheme: 'basic' } }
const jwt: SecuritySchemes = { jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } }
const inCookie = (name: string): SecurityScheme => ({ type: 'apiKey', in: 'cookie', name })

/** Matches the source of a hook that reads a session and answers or throws. A hook that only reads
 *  a session lets everybody pass. */
const refusesBySession = /\bsession\b(?=[^]*(\bthrow\b|\.(code|status|send|redirect)\())/

/** The published plugins that guard routes. Each has a pattern for the source of hooks: its own,
 *  and those of an application that call it. */
const plugins: readonly (readonly [name: string, source: RegExp, schemes: SecuritySchemes])[] = [
  ['@fastify/bearer-auth', /\bverifyBearerAuth\b/, bearer],
  ['@fastify/basic-auth', /\bbasicAuth\b/, basic],
  ['@fastify/jwt', /jwtVerify\b/i, jwt],
  ['@fastify/secure-session', refusesBySession, { secureSession: inCookie('session') }],
  ['@fastify/session', refusesBySession, { session: inCookie('sessionId') }],
]

/** What a hook of a published plugin, or one that calls it, lets pass. */
function recognize(hook: HookFunction, { context }: RouteRegistration): Guard | undefined {
  const source = Function.prototype.toString.call(hook)
  const has = (name: string): boolean => context.hasPlugin(name)
  const found = plugins.filter(([name, text]) => has(name) && text.test(source))
  if (hook.name === 'bound _auth' && has('@fastify/auth')) {
    // @fastify/auth hides which functions it calls.
    found.push(...plugins.filter(([name]) => has(name)))
  }
  const schemes = Object.assign({}, ...found.map(([, , each]) => each)) as SecuritySchemes
  return found.length === 0 ? undefined : { schemes, scopes: [] }
}
