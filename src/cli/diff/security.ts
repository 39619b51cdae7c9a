import type { JsonObject } from '../../types/objects.ts'
import { objectAt } from './references.ts'
import type { OperationEntry } from './operations.ts'

/** One way to get access: what is needed together, each as a text that tells it from others. */
type Way = ReadonlySet<string>

interface Ways {
  readonly all: readonly Way[]
  /** The ways in the words of their document. */
  readonly text: string
}

/** Compares who may call an operation. The names of security schemes make no difference. */
export function compareSecurity(
  before: OperationEntry,
  after: OperationEntry,
  documents: readonly [before: JsonObject, after: JsonObject],
): { readonly isBreaking: boolean; readonly text: string } | undefined {
  const [old, now] = [waysOf(before, documents[0]), waysOf(after, documents[1])]
  const opens = (ways: Ways, given: Way): boolean =>
    ways.all.some((way) => [...way].every((need) => given.has(need)))
  const isBreaking = !old.all.every((way) => opens(now, way))
  if (!isBreaking && now.all.every((way) => opens(old, way))) return undefined
  return { isBreaking, text: `${old.text} became ${now.text}` }
}

function waysOf({ security }: OperationEntry, document: JsonObject): Ways {
  if (security.length === 0) return { all: [new Set()], text: 'none' }
  const components = objectAt(document, document['components'])
  const schemes = objectAt(document, components['securitySchemes'])
  const all = security.map((requirement) => {
    const needs = Object.entries(requirement).flatMap(([name, scopes]) => {
      const { description: _, ...scheme } = objectAt(document, schemes[name])
      const id = Object.keys(scheme).length === 0 ? name : JSON.stringify(scheme)
      return [id, ...(Array.isArray(scopes) ? scopes.map((scope) => `${id} ${scope}`) : [])]
    })
    return new Set(needs)
  })
  return { all, text: security.map(wayText).join(' or ') }
}

function wayText(requirement: JsonObject): string {
  const needs = Object.entries(requirement).map(([name, scopes]) => {
    const some = Array.isArray(scopes) && scopes.length > 0
    return some ? `${name} (${scopes.join(', ')})` : name
  })
  return needs.length === 0 ? 'none' : needs.join(' and ')
}
