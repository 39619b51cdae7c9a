import { isDeepStrictEqual } from 'node:util'
import type { HookFunction } from '../context/hooks.ts'
import { derivedBy } from '../context/derive.ts'
import type { RouteRegistration } from '../route/declaration.ts'
import type { SecurityRequirement, SecurityScheme } from './types.ts'

/** The schemes of a hook by name: a client that satisfies one of them passes. */
export type SecuritySchemes = Readonly<Record<string, SecurityScheme>>

interface Guard {
  readonly schemes: SecuritySchemes
  readonly scopes: readonly string[]
}

const marks = new WeakMap<object, Guard>()

/** Marks a hook that lets only some clients pass. Documents then say so for every route that the
 *  hook runs on. Returns the same function.
 *  @param schemes the ways to pass, by name: one of them is enough
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
  readonly schemes: SecuritySchemes
  readonly requirements: readonly SecurityRequirement[]
  /** Whether a hook asks for scopes, so that a client that it knows may still be refused. */
  readonly asksForScopes: boolean
}

/** The schemes of all hooks that run before the handler of a route. Undefined if none is known. */
export function securityOf(registration: RouteRegistration): Security | undefined {
  const guards = hooksBeforeHandler(registration).flatMap(
    (hook) => marks.get(derivedBy(hook)) ?? recognize(derivedBy(hook), registration) ?? [],
  )
  if (guards.length === 0) return undefined
  // A client has to pass all hooks, each in one of its ways.
  let requirements: SecurityRequirement[] = [{}]
  for (const { schemes, scopes } of guards) {
    requirements = requirements.flatMap((before) =>
      Object.keys(schemes).map((name) => ({
        ...before,
        [name]: [...new Set([...(before[name] ?? []), ...scopes])],
      })),
    )
  }
  const texts = new Map(requirements.map((each) => [JSON.stringify(each), each]))
  return {
    schemes: Object.assign({}, ...guards.map(({ schemes }) => schemes)) as SecuritySchemes,
    requirements: [...texts.values()],
    asksForScopes: guards.some(({ scopes }) => scopes.length > 0),
  }
}

/** Adds the schemes of a route to those of the document. A number is added to a name that another
 *  scheme has. Returns the requirements of the route, with the names of the document. */
export function addSchemes(
  { schemes, requirements }: Security,
  all: Record<string, SecurityScheme>,
): SecurityRequirement[] {
  const names = new Map<string, string>()
  for (const [wanted, scheme] of Object.entries(schemes)) {
    let name = wanted
    const isTaken = (): boolean => name in all && !isDeepStrictEqual(all[name], scheme)
    for (let count = 2; isTaken(); count++) name = `${wanted}${count}`
    all[name] = scheme
    names.set(wanted, name)
  }
  return requirements.map((requirement) =>
    Object.fromEntries(
      Object.entries(requirement).map(([name, scopes]) => [names.get(name) ?? name, scopes]),
    ),
  )
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

/** The published plugins that guard routes, and what the source of a hook that uses one has in it.
 *  Their own hooks have it too. Hooks that only read a session let everybody pass. */
const plugins: readonly (readonly [name: string, source: RegExp, schemes: SecuritySchemes])[] = [
  ['@fastify/bearer-auth', /\bverifyBearerAuth\b/, bearer],
  ['@fastify/basic-auth', /\bbasicAuth\b/, basic],
  ['@fastify/jwt', /\bjwtVerify\b/, jwt],
  [
    '@fastify/secure-session',
    /\bsession\b(?=[^]*(\bthrow\b|\.(code|status|send|redirect)\())/,
    { secureSession: inCookie('session') },
  ],
  [
    '@fastify/session',
    /\bsession\b(?=[^]*(\bthrow\b|\.(code|status|send|redirect)\())/,
    { session: inCookie('sessionId') },
  ],
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
