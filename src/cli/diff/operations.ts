import { isObject, type JsonObject } from '../../types/objects.ts'
import { objectAt } from './references.ts'

/** An operation of a document, with what its path and its document add to it. */
export interface OperationEntry {
  /** In capitals. */
  readonly method: string
  readonly path: string
  readonly operation: JsonObject
  readonly parameters: readonly JsonObject[]
  readonly security: readonly JsonObject[]
  /** The URLs of its own servers, instead of those of the document. */
  readonly servers: readonly string[]
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** The operations of a document by method and path. The names of parameters in paths make no
 *  difference. */
export function operationsOf(document: JsonObject): Map<string, OperationEntry> {
  const all = new Map<string, OperationEntry>()
  for (const [path, given] of Object.entries(objectAt(document, document['paths']))) {
    const item = objectAt(document, given)
    const named = methods.map((method) => [method.toUpperCase(), item[method]] as const)
    const others = Object.entries(objectAt(document, item['additionalOperations']))
    for (const [method, operation] of [...named, ...others]) {
      if (!isObject(operation)) continue
      all.set(`${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`, {
        method,
        path,
        operation,
        parameters: parametersOf(document, item, operation),
        security: listOf(operation['security'] ?? document['security']),
        servers: urlsOf(listOf(operation['servers']).length > 0 ? operation : item),
      })
    }
  }
  return all
}

export const urlsOf = ({ servers }: JsonObject): string[] =>
  listOf(servers).map(({ url }) => String(url))

export function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The parameters of an operation, and those of its path that it does not replace. */
function parametersOf(document: JsonObject, item: JsonObject, operation: JsonObject): JsonObject[] {
  const read = (list: unknown) => listOf(list).map((each) => objectAt(document, each))
  const own = read(operation['parameters'])
  const isReplaced = (outer: JsonObject): boolean =>
    own.some((each) => each['in'] === outer['in'] && each['name'] === outer['name'])
  return [...own, ...read(item['parameters']).filter((outer) => !isReplaced(outer))]
}
