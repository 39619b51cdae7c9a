// A document as a client reads it: its operations, and a validator for each of its schemas that knows nothing of the framework.
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { OpenApiDocument, Operation } from '../../src/openapi/index.ts'

/** A value in the document, with the keys that lead to it. */
export interface Node<Value> {
  readonly value: Value
  readonly path: readonly string[]
}

const exact = 'exact'
const loose = 'loose'

export class DocumentReader {
  readonly #document: OpenApiDocument
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
  readonly #known = new Map<string, ValidateFunction>()

  constructor(document: OpenApiDocument) {
    // What is sent is JSON: keys of undefined are not there.
    this.#document = JSON.parse(JSON.stringify(document)) as OpenApiDocument
    formats.default(this.#ajv)
    this.#ajv.addSchema(this.#document, exact, undefined, false)
    this.#ajv.addSchema(withoutTests(this.#document), loose, undefined, false)
  }

  operation(path: string, method: 'get' | 'post'): Node<Operation> {
    const value = this.#document.paths[path]?.[method]
    if (value === undefined) throw new Error(`the document has no ${method} ${path}`)
    return { value, path: ['paths', path, method] }
  }

  /** The validator of the schema at some keys. */
  validator(path: readonly string[]): ValidateFunction {
    return this.#compile(exact, path)
  }

  /** The validator of what a value may be converted to. ajv may ask `if` before it converts the value, and what a list contains
   *  of a copy. */
  convertedValidator(path: readonly string[]): ValidateFunction {
    return this.#compile(loose, path)
  }

  #compile(document: string, path: readonly string[]): ValidateFunction {
    const pointer = path
      .map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
      .join('')
    // References count from the document, so that equal texts mean the same.
    const key = document + JSON.stringify(this.#at(path))
    let known = this.#known.get(key)
    if (known === undefined) {
      known = this.#ajv.compile({ $ref: `${document}#${pointer}` })
      this.#known.set(key, known)
    }
    return known
  }

  /** The keys of the map at some keys. Undefined if there is none. */
  keys(path: readonly string[]): string[] | undefined {
    const part = this.#at(path)
    return part === undefined ? undefined : Object.keys(Object(part))
  }

  #at(path: readonly string[]): unknown {
    return path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), this.#document)
  }

  /** The part of the document at some keys, and the components that it refers to. */
  show(path: readonly string[]): string {
    const texts = [JSON.stringify(this.#at(path)) ?? '']
    const names = new Set<string>()
    // The list grows while it is read.
    for (const text of texts) {
      for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        if (names.has(name)) continue
        names.add(name)
        texts.push(`${name}: ${JSON.stringify(this.#document.components?.schemas?.[name])}`)
      }
    }
    return texts.join('\n    ')
  }
}

/** A copy of a value whose schemas do not ask `contains`, and in which `then` or `else` holds, whatever `if` says. */
function withoutTests(value: object): object {
  const text = JSON.stringify(value, (_key, at: unknown) => {
    if (typeof at !== 'object' || at === null || Array.isArray(at)) return at
    const all: Record<string, unknown> = { ...at }
    const { if: condition, then = true, else: otherwise = true, contains: _has, ...others } = all
    return condition === undefined
      ? others
      : { ...others, allOf: [others['allOf'] ?? [], { anyOf: [then, otherwise] }].flat() }
  })
  return JSON.parse(text) as object
}
