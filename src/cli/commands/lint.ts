import type { HookFunction } from '../../context/hooks.ts'
import type { RouteRegistration } from '../../route/declaration.ts'
import { isObject, type JsonObject } from '../../types/objects.ts'
import { documentPaths } from '../../openapi/paths.ts'
import { unmarkedHooks } from '../../openapi/security.ts'
import type { Application } from '../application.ts'
import type { Command, Result } from '../command.ts'
import { itemsOf } from '../diff/references.ts'
import { documentOfModule } from '../document.ts'
import { loadPackage } from '../packages.ts'
import { isModule, readDocument } from '../source.ts'
import { type Paint, printableCopy, printableJson } from '../terminal.ts'
import { UsageError } from '../../errors/usage-error.ts'

interface Problem {
  readonly level: 'error' | 'warning'
  readonly rule: string
  /** The place in the document, as a JSON pointer: `#/paths/~1users/get`. */
  readonly place: string
  readonly text: string
}

export const lint: Command = {
  name: 'openapi lint',
  positionals: ['SOURCE'],
  summary: 'check a document by the rules of Redocly; end with 1 on an error',
  details: [
    'SOURCE is a document (JSON or YAML), one in git (origin/main:openapi.json), or the module',
    'of an application. The rules are those of redocly.yaml, or else those called recommended.',
    'Of a module it also tells the hooks that may guard routes, where nothing says so.',
  ],
  options: { json: { help: 'write the problems as JSON' } },
  async run({ positionals: [source = ''], has, paint }): Promise<Result> {
    const hints: Problem[] = []
    const look = (application: Application) => hints.push(...hintsOf(application))
    const document = await (isModule(source)
      ? documentOfModule(source, {}, look)
      : readDocument(source))
    const problems = [...(await findProblems(document, source)), ...hints]
    const errors = problems.filter(({ level }) => level === 'error').length
    const output = has('json')
      ? printableJson({ problems })
      : toText(printableCopy(problems), errors, paint)
    return { output, code: errors > 0 ? 1 : 0 }
  },
}

/** Tells each hook once that may guard routes, where nothing says so. */
function hintsOf({ host }: Application): Problem[] {
  const routes = new Map<HookFunction, readonly [RouteRegistration, stage: string][]>()
  for (const registration of host.routes.registrations()) {
    if (registration.is404 || registration.declaration.schema['hide'] === true) continue
    for (const { hook, name } of unmarkedHooks(registration)) {
      routes.set(hook, [...(routes.get(hook) ?? []), [registration, name]])
    }
  }
  return [...routes].flatMap(([hook, [first, ...others]]) =>
    first === undefined ? [] : [hintOf(hook, first, others.length)],
  )
}

function hintOf(
  { name }: HookFunction,
  [{ method, url }, stage]: readonly [RouteRegistration, stage: string],
  others: number,
): Problem {
  const [path] = documentPaths(url)
  const place = `#/paths/${(path?.template ?? url).replaceAll('~', '~0').replaceAll('/', '~1')}`
  const hook = name === '' ? `A hook ${stage}` : `The hook ${stage} '${name}'`
  const more = others === 0 ? '' : ` (and before ${others} other routes)`
  return {
    level: 'warning',
    rule: 'security-of-hooks',
    place: `${place}/${method.toLowerCase()}`,
    text: `${hook} runs before ${method} ${url}${more}, and nothing says whether it refuses clients. Wrap it: secured(hook, schemes), or secured(hook, {}) if it refuses none`,
  }
}

const name = '@redocly/openapi-core'

async function findProblems(document: JsonObject, source: string): Promise<Problem[]> {
  const core = await loadPackage(name, () => import('@redocly/openapi-core'))
  const { loadConfig, lintFromString } = core
  if (typeof loadConfig !== 'function' || typeof lintFromString !== 'function') {
    throw new UsageError(
      `This version of '${name}' is unknown`,
      `Run: npm install --save-dev ${name}@2`,
    )
  }
  const config: unknown = await Reflect.apply(loadConfig, undefined, [])
  const given = { source: JSON.stringify(document), absoluteRef: source, config }
  const found: unknown = await Reflect.apply(lintFromString, undefined, [given])
  return itemsOf(found).filter(isObject).map(toProblem)
}

function toProblem({ severity, ruleId, message, location }: JsonObject): Problem {
  const [first] = itemsOf(location)
  const pointer = isObject(first) ? first['pointer'] : undefined
  return {
    level: severity === 'error' ? 'error' : 'warning',
    rule: String(ruleId),
    place: typeof pointer === 'string' ? pointer : '#/',
    text: String(message),
  }
}

function toText(problems: readonly Problem[], errors: number, paint: Paint): string {
  const lines = problems.map(({ level, rule, place, text }) => {
    const word = paint(level === 'error' ? 'red' : 'yellow', level.padEnd(7))
    return `${word} ${paint('bold', place)}  ${text} ${paint('dim', `(${rule})`)}\n`
  })
  const sum = `${errors} errors, ${problems.length - errors} warnings\n`
  return problems.length === 0 ? 'No problems\n' : `${lines.join('')}\n${sum}`
}
