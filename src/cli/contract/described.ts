import { isObject, type JsonObject } from '../../types/objects.ts'
import { capitalized, documentPaths, wordsOf } from '../../openapi/paths.ts'
import { resolveReference } from '../diff/references.ts'

/** What the document of an application says of a type: words, and the names of shared schemas. It
 *  changes no type, so a place that is not found says nothing. */
export class Description {
  readonly #document: JsonObject
  readonly #node: JsonObject

  constructor(document: JsonObject, node: unknown) {
    this.#document = document
    this.#node = isObject(node) ? node : {}
  }

  /** The name of the component that this refers to. */
  get name(): string | undefined {
    const { $ref } = this.#node
    return typeof $ref === 'string' ? /^#\/components\/schemas\/(.+)$/.exec($ref)?.[1] : undefined
  }

  /** The comment of a member, or of a declaration; empty if there is nothing to say. */
  get words(): readonly string[] {
    const { description, deprecated } = { ...this.#whole, ...this.#node }
    return [
      ...(typeof description === 'string' ? description.trim().split(/\r?\n/) : []),
      ...(deprecated === true ? ['@deprecated'] : []),
    ].filter((line, index) => line !== '' || index > 0)
  }

  property(name: string): Description {
    return this.#first((node) => {
      const { properties } = node
      return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    })
  }

  item(index: number): Description {
    return this.#first(({ items, prefixItems }) =>
      Array.isArray(prefixItems) ? prefixItems[index] : items,
    )
  }

  /** The description of a member of a union, told by the names of its properties. */
  member(names: readonly string[]): Description {
    const found = this.#alternatives().find((each) => {
      const own = isObject(each) ? this.#in(each).#names() : []
      return own.length === names.length && names.every((name) => own.includes(name))
    })
    return found === undefined ? this.#in(this.#node) : this.#in(found)
  }

  /** What it refers to, or itself. */
  behind(): Description {
    return this.#in(this.#whole)
  }

  get #whole(): JsonObject {
    const { $ref } = this.#node
    const found = typeof $ref === 'string' ? resolveReference(this.#document, $ref) : this.#node
    return isObject(found) ? found : {}
  }

  #names(): string[] {
    const { properties } = this.#whole
    return isObject(properties) ? Object.keys(properties) : []
  }

  #alternatives(): readonly unknown[] {
    const { anyOf, oneOf } = this.#whole
    const lists = [anyOf, oneOf].filter((list) => Array.isArray(list)).flat()
    return lists.length === 0 ? [this.#node] : lists
  }

  /** What the first part that says something says. */
  #first(look: (node: JsonObject) => unknown, depth = 0): Description {
    const whole = this.#whole
    const own = look(whole)
    if (own !== undefined || depth > 5) return this.#in(own)
    for (const word of ['allOf', 'anyOf', 'oneOf']) {
      const list = whole[word]
      for (const part of Array.isArray(list) ? list : []) {
        const found = this.#in(part).#first(look, depth + 1)
        if (Object.keys(found.#node).length > 0) return found
      }
    }
    return this.#in(undefined)
  }

  #in(node: unknown): Description {
    return new Description(this.#document, node)
  }
}

/** Says nothing. */
export const nothing: Description = new Description({}, undefined)

/** The descriptions of a route. */
export interface RouteDescription {
  /** The comment above it. */
  readonly words: readonly string[]
  /** Of a part of the request: `params`, `query`, `headers`, `body`. */
  readonly part: (name: string) => Description
  /** Of the body with a status, and of its items. */
  readonly response: (status: string) => Description
}

/** @param key the key of the route */
export function describeRoute(document: JsonObject, key: string): RouteDescription {
  const [method = '', url = ''] = key.split(/ (.*)/s)
  const paths = isObject(document['paths']) ? document['paths'] : {}
  const template = documentPaths(url).at(-1)?.template ?? url
  const item = paths[template]
  const found = isObject(item) ? item[method.toLowerCase()] : undefined
  const operation = isObject(found) ? found : {}
  const { summary, description, deprecated } = operation
  const ownSummary = capitalized(wordsOf(method, template).join(' '))
  const responses = isObject(operation['responses']) ? operation['responses'] : {}
  const contentOf = (value: unknown): unknown => {
    const content = isObject(value) ? value['content'] : undefined
    const [media] = isObject(content) ? Object.values(content) : []
    return isObject(media) ? (media['itemSchema'] ?? media['schema']) : undefined
  }
  return {
    words: [
      ...(typeof summary === 'string' && summary !== ownSummary ? [summary] : []),
      ...new Description(document, { description, deprecated }).words,
    ],
    part: (name) =>
      name === 'body'
        ? new Description(document, contentOf(operation['requestBody']))
        : new Description(document, { properties: parametersOf(operation, name) }),
    response: (status) =>
      new Description(document, contentOf(responses[status] ?? responses[status.toUpperCase()])),
  }
}

const places: Readonly<Record<string, string>> = {
  params: 'path',
  query: 'query',
  headers: 'header',
}

/** The schemas of parameters by name, each with the words of its parameter. */
function parametersOf(operation: JsonObject, part: string): JsonObject {
  const { parameters } = operation
  const all = Array.isArray(parameters) ? parameters.filter(isObject) : []
  const own = all.filter((each) => each['in'] === places[part])
  return Object.fromEntries(
    own.map(({ name, description, deprecated, schema }) => [
      String(name),
      {
        ...(isObject(schema) && schema),
        ...(description !== undefined && { description }),
        deprecated,
      },
    ]),
  )
}
