import { isDeepStrictEqual } from 'node:util'
import {
  type AddedHook,
  type HookFunction,
  hooksBefore,
  type RequestHook,
} from '../context/hooks.ts'
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
 *  everybody pass
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
    .flatMap((each) => guardOf(each, registration.context) ?? [])
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

interface GuardingHook extends Pick<AddedHook, 'hook'> {
  readonly name: RequestHook
  /** Who added it to a context; undefined for a hook of the route itself. */
  readonly place?: string
}

function hooksBeforeHandler({ declaration, context }: RouteRegistration): GuardingHook[] {
  return hooksBefore().flatMap((name) => [
    ...context.hooks.addedSince(0, name).map((added) => ({ ...added, name })),
    ...declaration.hooks[name].map((hook) => ({ hook, name })),
  ])
}

/** The published plugins whose hooks guard routes. Each has the name of the decorator that is such
 *  a hook. */
const plugins: readonly (readonly [name: string, decorator: string, SecuritySchemes])[] = [
  ['@fastify/bearer-auth', 'verifyBearerAuth', { bearer: { type: 'http', scheme: 'bearer' } }],
  ['@fastify/basic-auth', 'basicAuth', { basic: { type: 'http', scheme: 'basic' } }],
]

/** What a hook says of itself: by its mark, or as the hook of a published plugin. */
function guardOf(
  { hook, place = '' }: GuardingHook,
  context: RouteRegistration['context'],
): Guard | undefined {
  const inner = derivedBy(hook)
  const schemes = plugins.find(([name, decorator]) => {
    const isDecorator = Reflect.get(context.objects.server, decorator) === inner
    return place.endsWith(` > ${name}'`) || (isDecorator && context.hasPlugin(name))
  })?.[2]
  return marks.get(inner) ?? (schemes && { schemes, scopes: [] })
}

/** A hook of the application that may guard a route, and does not say so. */
export interface UnmarkedHook {
  readonly hook: HookFunction
  readonly name: string
}

/** The hooks of a route that may guard it, where neither they nor the route says so. */
export function unmarkedHooks(registration: RouteRegistration): UnmarkedHook[] {
  const { declaration, context } = registration
  const all = hooksBeforeHandler(registration).map(
    (each) => [each, guardOf(each, context)] as const,
  )
  const isSaid = all.some(([, guard]) => Object.keys(guard?.schemes ?? {}).length > 0)
  if (isSaid || declaration.schema['security'] !== undefined) return []
  return all
    .filter(([{ place = '' }, guard]) => guard === undefined && !/ > @?fastify[^>]*'$/.test(place))
    .map(([{ hook, name }]) => ({ hook: derivedBy(hook), name }))
}
