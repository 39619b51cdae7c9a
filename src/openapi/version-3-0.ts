import { isPlainObject } from '../types/objects.ts'
import { toSchema30 } from './schema-3-0.ts'
import type {
  Components,
  HeaderObject,
  Info,
  MediaType,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  ResponseObject,
  SchemaObject,
  SecurityRequirement,
  SecurityScheme,
} from './types.ts'

/** Rewrites a document of version 3.1 for version 3.0.4. What that version cannot say is left out,
 *  or kept as `x-…`: its schemas may take more values, but not fewer. */
export function toVersion30(document: OpenApiDocument): OpenApiDocument {
  const { info, paths, webhooks, components, security, jsonSchemaDialect: _, ...rest } = document
  const rewriter = new DocumentRewriter(components ?? {})
  return {
    ...rest,
    openapi: '3.0.4',
    info: rewriteInfo(info),
    ...(security !== undefined && { security: rewriter.security(security) }),
    paths: rewriter.paths(paths),
    ...(webhooks !== undefined && { 'x-webhooks': rewriter.paths(webhooks) }),
    ...(components !== undefined && { components: rewriter.components(components) }),
  }
}

function rewriteInfo({ summary, license, ...rest }: Info): Info {
  const { identifier, ...named } = license ?? { name: '' }
  const others = identifier === undefined ? named : { ...named, 'x-identifier': identifier }
  return {
    ...rest,
    ...(summary !== undefined && { 'x-summary': summary }),
    ...(license !== undefined && { license: others }),
  }
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

class DocumentRewriter {
  readonly #schemas: Readonly<Record<string, SchemaObject>>
  readonly #schemes: Readonly<Record<string, SecurityScheme>>

  constructor({ schemas = {}, securitySchemes = {} }: Components) {
    this.#schemas = schemas
    this.#schemes = securitySchemes
  }

  components({ schemas, securitySchemes, ...rest }: Components): Components {
    const schemes = Object.entries(securitySchemes ?? {})
    return {
      ...rest,
      ...(schemas !== undefined && {
        schemas: Object.fromEntries(
          Object.entries(schemas).map(([name, schema]) => [name, this.#schema(schema)]),
        ),
      }),
      ...(schemes.length > 0 && {
        securitySchemes: Object.fromEntries(schemes.filter(([, { type }]) => isKnown(type))),
      }),
    }
  }

  paths(paths: Readonly<Record<string, PathItem>>): Record<string, PathItem> {
    return mapped(paths, (item) => {
      const made = { ...item }
      for (const method of methods) {
        const operation = item[method]
        if (operation !== undefined) made[method] = this.#operation(operation)
      }
      return made
    })
  }

  /** Only schemes of OAuth and of OpenID have scopes. A certificate cannot be asked for. */
  security(requirements: readonly SecurityRequirement[]): SecurityRequirement[] {
    return requirements.map((requirement) => {
      const entries = Object.entries(requirement).filter(([name]) => isKnown(this.#typeOf(name)))
      return Object.fromEntries(
        entries.map(([name, scopes]) => [name, hasScopes(this.#typeOf(name)) ? scopes : []]),
      )
    })
  }

  #typeOf(name: string): string | undefined {
    return this.#schemes[name]?.type
  }

  #schema(schema: SchemaObject): SchemaObject {
    return toSchema30(schema, this.#schemas)
  }

  #operation(operation: Operation): Operation {
    const { parameters, requestBody: body, responses, callbacks, security } = operation
    return {
      ...operation,
      ...(parameters !== undefined && {
        parameters: parameters.map((each) => this.#withSchema<Parameter>(each)),
      }),
      ...(body?.content !== undefined && {
        requestBody: { ...body, content: this.#content(body.content) },
      }),
      responses: mapped(responses, (each) => this.#response(each)),
      ...(callbacks !== undefined && {
        callbacks: mapped(callbacks, (each) => this.paths(each)),
      }),
      ...(security !== undefined && { security: this.security(security) }),
    }
  }

  #response({ summary, headers, content, ...rest }: ResponseObject): ResponseObject {
    return {
      ...rest,
      ...(summary !== undefined && { 'x-summary': summary }),
      ...(headers !== undefined && {
        headers: mapped(headers, (each) => this.#withSchema<HeaderObject>(each)),
      }),
      ...(content !== undefined && { content: this.#content(content) }),
    }
  }

  #content(content: Readonly<Record<string, MediaType>>): Record<string, MediaType> {
    return mapped(content, ({ itemSchema: _, ...media }) => this.#withSchema<MediaType>(media))
  }

  #withSchema<Holder extends { schema?: SchemaObject }>(holder: Holder): Holder {
    const { schema } = holder
    return schema === undefined ? holder : { ...holder, schema: this.#schema(schema) }
  }
}

/** Whether version 3.0 has this type of security scheme. One that is not declared may be added by
 *  `transform`. */
function isKnown(type: string | undefined): boolean {
  return type !== 'mutualTLS'
}

function hasScopes(type: string | undefined): boolean {
  return type === undefined || type === 'oauth2' || type === 'openIdConnect'
}

/** Rewrites each entry of a map. Extensions may have any value. */
function mapped<Value>(
  record: Readonly<Record<string, Value>>,
  rewrite: (value: Value) => Value,
): Record<string, Value> {
  const entries = Object.entries(record)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isPlainObject(value) ? rewrite(value) : value]),
  )
}
