import type { Host } from '../../server/host.ts'
import { mediaTypeOf } from '../../http/media-type.ts'
import { toJsonSchema } from '../../openapi/standard.ts'
import type { RouteRegistration } from '../../route/declaration.ts'
import {
  isStrict,
  nearestSerializerCompiler,
  nearestValidatorCompiler,
  SchemaCompiler,
} from '../../route/schemas/compiler.ts'
import { lowerCaseHeaderNames } from '../../schema/bundle.ts'
import { errorsIn } from '../../schema/http-error.ts'
import { openDocument, type Target } from '../../schema/reference.ts'
import { isStandardSchema, type StandardSchema } from '../../schema/standard-schema.ts'
import { isBareEntry, isContentMap } from '../../serialization/entry-form.ts'
import { isObject, type JsonObject } from '../../types/objects.ts'
import { formTypes } from '../../validation/ajv-compiler.ts'
import type { PartCheck, PartValidator } from '../../lifecycle/part-check.ts'
import { NotExaminable, serializerRun, type Subject, validatorRun } from './subject.ts'

/** A schema of a route that cannot be examined, or the function that can. */
export type Found = Subject | Unexamined

export interface Unexamined {
  readonly route: string
  readonly part: string
  readonly reason: string
}

/** What the schemas of one route have in common. */
interface Route extends Pick<Subject, 'route' | 'method' | 'isStrict' | 'shared'> {
  readonly host: Host
  readonly registration: RouteRegistration
  readonly compiler: SchemaCompiler
}

/** The schemas of a route, and those of the responses of its scope that were not found yet.
 *  @param name its methods and its URL
 *  @param known the responses of scopes that were found, for each mode */
export function subjectsOf(
  host: Host,
  registration: RouteRegistration,
  name: string,
  known: Record<'usual' | 'strict', Set<unknown>>,
): Found[] {
  const { method, url, context } = registration
  const compiler = new SchemaCompiler(
    registration,
    `${method} ${url}`,
    host.compilers,
    host.dialect,
  )
  const shared = context.schemas.all()
  const strict = isStrict(registration)
  const route: Route = {
    ...{ host, registration, compiler, shared, method },
    route: name,
    isStrict: strict,
  }
  return [...requestsOf(route), ...repliesOf(route, known[strict ? 'strict' : 'usual'])]
}

/** The kinds of other compilers than the default ones, by what they make. */
const others = {
  validator: 'a validator compiler of the application decides what it takes',
  serializer: 'a serializer compiler of the application decides what it writes',
  jtd: 'its schema is JSON Type Definition',
} as const

function requestsOf(route: Route): Found[] {
  const { host, registration, compiler } = route
  const { declaration, context } = registration
  const { validatorCompiler, buildValidator } = context.settingsWith(
    'validatorCompiler',
    'buildValidator',
  )
  const isOther = declaration.validatorCompiler ?? validatorCompiler ?? buildValidator
  const isJtd = host.options.ajv.mode === 'JTD'
  return compiler.validators().flatMap((validator) => {
    const { part } = validator
    if (isOther !== undefined || isJtd)
      return { route: route.route, part, reason: isJtd ? others.jtd : others.validator }
    return checksOf(validator).map(([type, check]) => requestOf(route, check, type))
  })
}

/** The checks of a part, each with the media type that its schema is declared for. */
function checksOf(validator: PartValidator): (readonly [string | undefined, PartCheck])[] {
  const { given, byType } = validator
  if (byType === undefined) return [[undefined, validator]]
  const content = isObject(given) && !isStandardSchema(given) ? given['content'] : undefined
  const types = isContentMap(content) ? Object.keys(content) : [undefined]
  return types.flatMap((type) => {
    const check = byType.of(type)
    return check === undefined ? [] : [[type, check] as const]
  })
}

function requestOf(route: Route, check: PartCheck, type: string | undefined): Found {
  const { host, registration, compiler, method } = route
  const { declaration, context, url } = registration
  const { part, given, validate } = check
  const name = type === undefined ? part : `${part} ${type}`
  const isForm = type !== undefined && formTypes.includes(mediaTypeOf(type) ?? '')
  return attempt(route, name, () => {
    const schema = read(compiler, given, part === 'headers')
    const compile = nearestValidatorCompiler(context, host.compilers, declaration.strict)
    const typed = type === undefined ? {} : { contentType: type }
    const raw = isStandardSchema(schema)
      ? validate
      : compile({ schema, method, url, httpPart: part, ...typed })
    const isText = part !== 'body' || isForm
    const { bodyLimit = host.options.bodyLimit } = declaration
    return {
      ...common(route, name, schema, 'input'),
      isReply: false,
      isText,
      limit: part === 'body' ? bodyLimit : part === 'params' ? 100 : 8192,
      run: validatorRun(raw, validate, isText),
    }
  })
}

function read(compiler: SchemaCompiler, given: unknown, isLower: boolean) {
  const schema = compiler.read(given, compiler.name)
  return isLower && !isStandardSchema(schema) ? lowerCaseHeaderNames(schema) : schema
}

/** The document of a schema. A Standard Schema may tell its JSON Schema. */
function rootOf(schema: JsonObject | StandardSchema, direction: 'input' | 'output'): Target {
  if (!isStandardSchema(schema)) return { node: schema, document: openDocument(schema) }
  try {
    const node = toJsonSchema(schema, direction, {})
    return { node, document: openDocument(node) }
  } catch {
    throw new NotExaminable('its library does not tell it as JSON Schema')
  }
}

function repliesOf(route: Route, known: Set<unknown>): Found[] {
  const { registration } = route
  const { declaration, context } = registration
  const { response } = declaration.fixedSchema
  const { serializerCompiler, buildSerializer } = context.settingsWith(
    'serializerCompiler',
    'buildSerializer',
  )
  const isOther = declaration.serializerCompiler ?? serializerCompiler ?? buildSerializer
  const own = Object.entries(isObject(response) ? response : {})
  if (isOther !== undefined) {
    const { route: name } = route
    return own.length === 0 ? [] : [{ route: name, part: 'response', reason: others.serializer }]
  }
  const ofScope = [...(context.responses.all() ?? [])].flatMap(([status, each]) => {
    if (known.has(each)) return []
    known.add(each)
    return entryOf({ ...route, route: each.place }, status, each.schema)
  })
  return [...own.flatMap(([status, entry]) => entryOf(route, status, entry)), ...ofScope]
}

/** The schemas of one response entry. Errors of `httpError` are written by the server itself. */
function entryOf(route: Route, status: string, entry: unknown): Found[] {
  if (isBareEntry(entry) || errorsIn(entry) !== undefined) return []
  const content = isObject(entry) && !isStandardSchema(entry) ? entry['content'] : undefined
  if (!isContentMap(content)) return [replyOf(route, status, entry, undefined)]
  return Object.entries(content).flatMap(([type, media]) => {
    const schema = isObject(media) ? media['schema'] : undefined
    return schema === undefined ? [] : [replyOf(route, status, schema, type)]
  })
}

function replyOf(route: Route, status: string, given: unknown, type: string | undefined): Found {
  const { host, registration, compiler, method } = route
  const { declaration, context, url } = registration
  const name = type === undefined ? `response ${status}` : `response ${status} ${type}`
  return attempt(route, name, () => {
    const schema = compiler.read(given, compiler.name)
    const compile = nearestSerializerCompiler(context, host.compilers, declaration)
    const typed = type === undefined ? {} : { contentType: type }
    const serialize = compile({ schema, method, url, httpStatus: status, ...typed })
    return {
      ...common(route, name, schema, 'output'),
      isReply: true,
      isText: false,
      limit: Infinity,
      run: serializerRun(serialize),
    }
  })
}

/** What subjects of both directions have. */
const common = (
  { route, method, isStrict: strict, shared }: Route,
  part: string,
  schema: JsonObject | StandardSchema,
  direction: 'input' | 'output',
) => ({
  ...{ route, method, part, isStrict: strict, shared },
  isForeign: isStandardSchema(schema),
  root: rootOf(schema, direction),
})

function attempt(route: Route, part: string, make: () => Subject): Found {
  try {
    return make()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { route: route.route, part, reason }
  }
}
