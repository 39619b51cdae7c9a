import { isObject, type JsonObject } from '../../types/objects.ts'
import { UsageError } from '../../errors/usage-error.ts'

/** What a reference inside a document leads to. @throws UsageError */
export function resolveReference(document: JsonObject, reference: string): unknown {
  const [before, pointer = ''] = reference.split('#')
  const isPointer = before === '' && /^(?:\/|$)/.test(pointer)
  let found: unknown = isPointer ? document : undefined
  for (const key of pointer.split('/').slice(1)) {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(found)) found = found[Number(name)]
    else found = isObject(found) ? found[name] : undefined
  }
  if (found !== undefined) return found
  throw new UsageError(
    `The reference '${reference}' leads nowhere in its document`,
    'Put all parts into one document first, for instance by: npx @redocly/cli bundle',
  )
}

/** An object of a document, behind its reference if it is one; empty if there is none. */
export function objectAt(document: JsonObject, given: unknown): JsonObject {
  for (let value = given, steps = 0; isObject(value) && steps < 32; steps++) {
    if (typeof value['$ref'] !== 'string') return value
    value = resolveReference(document, value['$ref'])
  }
  return {}
}

/** The items of a list; none where something else stands. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
