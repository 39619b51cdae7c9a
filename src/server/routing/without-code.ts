import type { Config, HTTPVersion, Instance } from 'find-my-way'
import { lazy } from '../../schema/lazy.ts'
import late from '../../packages/late.cjs'

type Router = Instance<HTTPVersion.V1>

/** Makes a router. find-my-way makes small functions from strings for each route. Where the process
 *  may not do that (`--disallow-code-generation-from-strings`), it gets closures in their place. */
export function createRouter(config: Config<HTTPVersion.V1>): Router {
  if (mayGenerate()) return late.findMyWay()(config)
  const router = withoutCode(() => late.findMyWay()(config))
  for (const name of ['on', 'off', 'addConstraintStrategy', 'prettyPrint'] as const) {
    const run = router[name].bind(router) as (...args: unknown[]) => unknown
    Object.assign(router, { [name]: (...args: unknown[]) => withoutCode(() => run(...args)) })
  }
  return router
}

/** Runs a function while `new Function` makes closures. */
function withoutCode<Value>(run: () => Value): Value {
  const given = globalThis.Function
  const construct = (_target: object, code: string[]): object => closureOf(code)
  globalThis.Function = new Proxy<FunctionConstructor>(given, { construct })
  try {
    return run()
  } finally {
    globalThis.Function = given
  }
}

const mayGenerate = lazy(() => {
  try {
    Reflect.construct(Function, [''])
    return true
  } catch {
    return false
  }
})

/** @throws Error for code of a version of find-my-way that is not known here */
function closureOf(args: readonly string[]): object {
  const names = args.slice(0, -1).join()
  const made = closures[names]?.(args.at(-1) ?? '')
  if (made === undefined)
    throw new EvalError(`find-my-way makes a function (${names}) from a string`)
  return made
}

/** What find-my-way makes, by the names of its arguments. */
const closures: Readonly<Record<string, (code: string) => object | undefined>> = {
  'path,i': prefixTest,
  NullObject: paramsMaker,
  'req,ctx': constraintReader,
  derivedConstraints: handlerChoice,
}

const all = (code: string, pattern: RegExp): string[][] =>
  [...code.matchAll(pattern)].map((match) => match.slice(1))

/** Compares the characters of a prefix behind the first. Undefined for code of another form, which
 *  would match every path. */
function prefixTest(code: string): object | undefined {
  const pairs = all(code, /charCodeAt\(i \+ (\d+)\) === (\d+)/g).map((pair) => pair.map(Number))
  if (pairs.length !== code.split('&&').length) return undefined
  return (path: string, start: number): boolean =>
    pairs.every(([offset = 0, character]) => path.charCodeAt(start + offset) === character)
}

/** Puts the values of parameters under their names. */
function paramsMaker(code: string): object {
  const names = all(code, /^params\[(".*")\] = /gm).map(([name = '']) => JSON.parse(name) as string)
  return (NullObject: new () => Record<string, unknown>) =>
    (...values: readonly unknown[]): object => {
      const params = new NullObject()
      const more = values[4] as readonly unknown[] | undefined
      for (const [index, name] of names.entries()) {
        params[name] = index < 4 ? values[index] : more?.[index - 4]
      }
      return params
    }
}

interface Constrainer {
  readonly strategies: Readonly<
    Record<string, { deriveConstraint(request: object, context: unknown): unknown }>
  >
}

/** Reads what a request has for each constraint that is in use. */
function constraintReader(code: string): object {
  const own = all(code, /^ *(\S+): this\.strategies\.(\S+)\.deriveConstraint/gm)
  const [readsVersion, readsHost] = [code.includes("'accept-version'"), code.includes('.host')]
  return function (
    this: Constrainer,
    request: { readonly headers: Readonly<Record<string, unknown>> },
    context: unknown,
  ): object {
    const { headers } = request
    const found: Record<string, unknown> = {}
    if (readsVersion) found['version'] = headers['accept-version']
    if (readsHost) found['host'] = headers['host'] || headers[':authority']
    for (const [name = '', key = ''] of own) {
      found[name] = this.strategies[key]?.deriveConstraint(request, context)
    }
    return found
  }
}

interface HandlerStorage {
  readonly handlers: readonly object[]
  readonly constrainedHandlerStores: Readonly<
    Record<string, { get(value: unknown): number | undefined }>
  >
}

/** Chooses the most constrained handler whose constraints a request meets. Bit n stands for
 *  handler n. */
function handlerChoice(code: string): object {
  const [[start = '0'] = []] = all(code, /let candidates = (\d+)/g)
  const steps = all(
    code,
    /mask = (-?\d+)\s+value = derivedConstraints\.(\S+)[^]*?\|\| 0\s+candidates &= (\S+)/g,
  )
  const refused = all(code, /if \(derivedConstraints\.(\S+) !== undefined\) return null/g)
  return function (
    this: HandlerStorage,
    derived: Readonly<Record<string, unknown>>,
  ): object | null {
    let candidates = Number(start)
    for (const [mask = '', name = '', how] of steps) {
      const value = derived[name]
      const matches = this.constrainedHandlerStores[name]?.get(value) ?? 0
      const met = how === 'matches' ? matches : matches | Number(mask)
      candidates &= value === undefined ? Number(mask) : met
      if (candidates === 0) return null
    }
    if (refused.some(([name = '']) => derived[name] !== undefined)) return null
    return this.handlers[31 - Math.clz32(candidates)] ?? null
  }
}
