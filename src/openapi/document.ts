import { errorCodes } from '../errors/codes.ts'
import type { SharedSchemas } from '../schema/shared-schemas.ts'
import { refusePromise } from '../errors/refuse-promise.ts'
import { describe } from '../errors/describe.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import type { RouteRegistration } from '../route/declaration.ts'
import { hasOwnCompiler, isStrict } from '../route/schemas/compiler.ts'
import type { Host } from '../server/host.ts'
import type { ServerContext } from '../server/context-objects.ts'
import { isPlaceName } from '../plugin/plugin.ts'
import { Components } from './components.ts'
import { SchemaConverter } from './convert.ts'
import { type OperationDraft, OperationReader } from './operation.ts'
import type { DocumentOptions, OpenApiVersion } from './options.ts'
import { inPart, PartReader, reasonOf } from './parts.ts'
import { capitalized, type DocumentPath, documentPaths, inCamelCase, wordsOf } from './paths.ts'
import { ErrorResponse } from './responses.ts'
import type { OpenApiDocument, Operation, PathItem, SecurityScheme } from './types.ts'
import { toVersion30 } from './version-3-0.ts'

/** A route under one path of the document. */
interface Found {
  readonly registration: RouteRegistration
  readonly path: DocumentPath
}

interface Entry extends Found {
  readonly name: string
}

const versions: Readonly<Record<OpenApiVersion, string>> = {
  '3.0': '3.0.4',
  '3.1': '3.1.1',
  '3.2': '3.2.0',
}

const sameOperation =
  'another route has this method and path in the document. Tell them in two documents, by the option include'

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']

/** Makes the document of a scope and of all scopes below, once all routes are compiled.
 *  @param name the name of the document in messages
 *  @throws ESP_ERR_OPENAPI_ROUTE for what cannot be told */
export function createDocument(
  host: Host,
  context: ServerContext,
  options: DocumentOptions,
  name: string,
): OpenApiDocument {
  const writer = new DocumentWriter(host, options, name)
  const document = writer.write(context)
  const made = options.version === '3.0' ? toVersion30(document) : document
  if (options.transform === undefined) return made
  const changed: unknown = refusePromise('The transform of openapi', options.transform(made))
  if (isDocument(changed)) return changed
  throw new errorCodes.ESP_ERR_OPENAPI_OPTION('transform', 'returns a document', describe(changed))
}

function isDocument(value: unknown): value is OpenApiDocument {
  return isObject(value) && isObject(value['info'])
}

/** One route apart from a document: its operation before it is rendered. */
export interface SingleOperation {
  readonly path: DocumentPath
  /** Its operationId and summary are those of the route, or made of its method and path. */
  readonly draft: OperationDraft
  /** A part of the draft as a JSON Schema whose references lead to its `$defs`. */
  readonly render: (draft: object) => JsonObject
}

/** Reads one route as a document of version 3.2 has it. An optional parameter is part of the path.
 *  @throws Error for what cannot be told; it names the part */
export function readOperation(
  host: Host,
  registration: RouteRegistration,
  jsonSchema: DocumentOptions['jsonSchema'] = {},
): SingleOperation {
  const options = { info: { title: '', version: '' }, version: '3.2', jsonSchema } as const
  return new DocumentWriter(host, options, '', new Components('#/$defs')).single(registration)
}

class DocumentWriter {
  readonly #host: Host
  readonly #options: DocumentOptions
  readonly #name: string
  readonly #components: Components
  readonly #converters = new Map<SharedSchemas, Map<boolean, SchemaConverter>>()
  readonly #schemes: Map<string, SecurityScheme>
  readonly #errors: ErrorResponse

  constructor(host: Host, options: DocumentOptions, name: string, components = new Components()) {
    this.#host = host
    this.#components = components
    this.#options = options
    this.#schemes = new Map(Object.entries(options.securitySchemes ?? {}))
    this.#name = name
    this.#errors = new ErrorResponse(this.#components, host.options.problemDetails)
  }

  write(context: ServerContext): OpenApiDocument {
    const { info, version = '3.1', servers, tags, security, externalDocs, webhooks } = this.#options
    const entries = this.#entries(context)
    const operations = entries.map((entry) =>
      this.#attempt(entry.registration, () => this.#operation(entry)),
    )
    this.#components.name()
    const paths: Record<string, PathItem> = {}
    for (const [index, entry] of entries.entries()) {
      // cast: readers of operations make what the specification of OpenAPI says
      const operation = this.#components.render(operations[index] ?? {}) as Operation
      const item = (paths[entry.path.template] ??= {})
      Object.assign(item, this.#member(entry.registration, item, operation))
    }
    const schemas = this.#components.schemas()
    const components = {
      ...(Object.keys(schemas).length > 0 && { schemas }),
      ...(this.#schemes.size > 0 && { securitySchemes: sorted(this.#schemes) }),
    }
    return {
      openapi: versions[version],
      info,
      servers: [...(servers ?? [{ url: '/' }])],
      // Without a list, linters ask whether security was forgotten.
      security: [...(security ?? [])],
      ...(tags !== undefined && { tags: [...tags] }),
      ...(externalDocs !== undefined && { externalDocs }),
      paths,
      ...(webhooks !== undefined && { webhooks: { ...webhooks } }),
      ...(Object.keys(components).length > 0 && { components }),
    }
  }

  single(registration: RouteRegistration): SingleOperation {
    const [entry] = withNames(
      documentPaths(registration.url)
        .slice(-1)
        .map((path) => ({ registration, path })),
    )
    if (entry === undefined) throw new Error('it has no path')
    const draft = this.#operation(entry)
    this.#components.name()
    const render = (part: object): JsonObject => {
      const schema = this.#components.render(part)
      const $defs = reachedFrom(schema, this.#components.schemas())
      return { ...schema, ...(Object.keys($defs).length > 0 && { $defs }) }
    }
    return { path: entry.path, draft, render }
  }

  /** The operations of the document, in the order of their paths. */
  #entries(context: ServerContext): Entry[] {
    const shown = this.#host.routes.registrations().filter((each) => this.#isShown(each, context))
    const urls = new Map(shown.map((each) => [`${each.method} ${each.url}`, each.declaration]))
    const found = shown
      // `/` below a prefix has two URLs, with and without a slash at the end.
      .filter(({ method, url, declaration }) => {
        return !url.endsWith('/') || urls.get(`${method} ${url.slice(0, -1)}`) !== declaration
      })
      .flatMap((registration) =>
        documentPaths(registration.url).map((path) => ({ registration, path })),
      )
      .sort(compare)
    this.#assertNames(found)
    return withNames(withSharedTemplates(found))
  }

  /** A route may have several operations, which are numbered. Two routes need two names. */
  #assertNames(found: readonly Found[]): void {
    const holders = new Map<string, RouteRegistration>()
    for (const { registration } of found) {
      const name = givenName(registration)
      if (name === undefined) continue
      const holder = holders.get(name) ?? registration
      holders.set(name, holder)
      if (holder.declaration === registration.declaration) continue
      const other = `${holder.method} ${holder.url}`
      this.#refuse(registration, `its operationId '${name}' is that of ${other} too. Rename one`)
    }
  }

  #isShown(registration: RouteRegistration, context: ServerContext): boolean {
    const { declaration, method, url, is404 } = registration
    const { schema, config, constraints } = declaration
    if (is404 || schema['hide'] === true || !isBelow(registration.context, context)) return false
    const { include } = this.#options
    if (include === undefined) return true
    const route = { method, url, schema, config, constraints }
    return this.#attempt(registration, () =>
      inPart('the option include', () => refusePromise('It', include(route))),
    )
  }

  #operation({ registration, path, name }: Entry): OperationDraft {
    const { declaration, context, method } = registration
    const isClosed = isStrict(registration) && !hasOwnCompiler(registration)
    const converter = this.#converterFor(context, isClosed)
    const hasItemSchemas = this.#options.version === '3.2'
    const place = { name: capitalized(name), scope: scopeName(context), hasItemSchemas, isClosed }
    const reader = new PartReader(converter, this.#options.jsonSchema ?? {}, place)
    const schema = declaration.fixedSchema
    const operation = new OperationReader(registration, schema, reader, this.#host)
    const draft = operation.read(path, this.#errors, this.#schemes)
    const [verb = '', ...others] = wordsOf(method, path.template)
    const summary = [capitalized(verb), ...others].join(' ')
    return { operationId: name, ...(draft['summary'] === undefined && { summary }), ...draft }
  }

  /** Closed schemas are other components than open ones. */
  #converterFor(context: RouteRegistration['context'], isClosed: boolean): SchemaConverter {
    const source = context.schemas.source()
    const known = this.#converters.get(source) ?? new Map<boolean, SchemaConverter>()
    let converter = known.get(isClosed)
    if (converter === undefined) {
      const shared = source.all()
      const scopes = new Map(
        Object.entries(shared).map(([id, schema]) => {
          const place = source.placeOf(id)
          let holder: Scope | undefined = context
          while (holder !== undefined && holder.path !== place) holder = holder.parent
          return [schema, scopeName(holder ?? context)]
        }),
      )
      converter = new SchemaConverter(this.#components, { shared, scopes })
      this.#converters.set(source, known.set(isClosed, converter))
    }
    return converter
  }

  /** The place of an operation among the others of its path. */
  #member(registration: RouteRegistration, item: PathItem, operation: Operation): PathItem {
    const { method } = registration
    const key = method.toLowerCase()
    const isNamed =
      methods.includes(method) || (method === 'QUERY' && this.#options.version === '3.2')
    if (isNamed) {
      if (key in item) this.#refuse(registration, sameOperation)
      return { [key]: operation }
    }
    if (this.#options.version !== '3.2') {
      this.#refuse(registration, `OpenAPI ${this.#options.version ?? '3.1'} has no ${method}`)
    }
    return { additionalOperations: { ...item.additionalOperations, [method]: operation } }
  }

  #attempt<Made>(registration: RouteRegistration, make: () => Made): Made {
    try {
      return make()
    } catch (error) {
      return this.#refuse(registration, reasonOf(error), error)
    }
  }

  #refuse({ method, url, context }: RouteRegistration, reason: string, cause?: unknown): never {
    const route = `${method} ${url}`
    throw new errorCodes.ESP_ERR_OPENAPI_ROUTE(this.#name, route, context.path, reason, cause)
  }
}

/** The definitions that a schema refers to, at any depth. */
function reachedFrom(schema: object, all: JsonObject): JsonObject {
  const found = new Set<string>()
  const visit = (at: unknown): void => {
    for (const [, name = ''] of JSON.stringify(at).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      visit(all[name])
    }
  }
  visit(schema)
  return Object.fromEntries(Object.entries(all).filter(([name]) => found.has(name)))
}

/** What names of components need of a context. */
interface Scope {
  readonly name: string
  readonly path: string
  readonly prefix: string
  readonly parent: Scope | undefined
}

/** What a scope is called in names of components: by the name of its plugin, else by its prefix. A
 *  number in the order of registration would change with each plugin that is added. */
function scopeName({ name, prefix }: Scope): string {
  return isPlaceName(name) ? prefix : name
}

function compare(left: Found, right: Found): number {
  const [a, b] = [left.path.template, right.path.template]
  if (a !== b) return a < b ? -1 : 1
  const place = ({ registration }: Found): number => methods.indexOf(registration.method)
  return place(left) - place(right)
}

/** Whether a context is another one, or below it. */
export function isBelow(context: RouteRegistration['context'], above: ServerContext): boolean {
  return context === above || (context.parent !== undefined && isBelow(context.parent, above))
}

/** Gives paths that differ only in the names of parameters one template: OpenAPI takes them for the
 *  same path. */
function withSharedTemplates(found: readonly Found[]): Found[] {
  const first = new Map<string, DocumentPath>()
  return found.map(({ registration, path }) => {
    const shape = path.template.replaceAll(/\{[^}]*\}/g, '{}')
    const known = first.get(shape) ?? path
    first.set(shape, known)
    const parameters = path.parameters.map((parameter, index) => ({
      ...parameter,
      shownAs: known.parameters[index]?.shownAs ?? parameter.shownAs,
    }))
    return { registration, path: { template: known.template, parameters } }
  })
}

/** Gives each operation a name that no other has: the one that its route declares, else one made of
 *  its method and path. A number is added to a name that is taken. */
function withNames(found: readonly Found[]): Entry[] {
  const taken = new Set(found.map(({ registration }) => givenName(registration)))
  const used = new Set<string>()
  return found.map(({ registration, path }) => {
    const { method } = registration
    const given = givenName(registration)
    const wanted = given ?? inCamelCase(wordsOf(method, path.template))
    let name = wanted
    const isTaken = (): boolean => used.has(name) || (name !== given && taken.has(name))
    for (let count = 2; isTaken(); count++) name = `${wanted}${count}`
    used.add(name)
    return { registration, path, name }
  })
}

function givenName({ declaration }: RouteRegistration): string | undefined {
  const { operationId } = declaration.schema
  return typeof operationId === 'string' ? operationId : undefined
}

function sorted<Value>(map: ReadonlyMap<string, Value>): Record<string, Value> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))
}
