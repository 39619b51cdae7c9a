// How OpenAPI writes parameters as text (OpenAPI 3.1.1, 4.8.12.4, by RFC 6570).
import type { Json } from '../soundness/sketch.ts'

export interface ParameterLike {
  readonly name: string
  readonly in: string
  readonly style?: string
  readonly explode?: boolean
}

/** The texts of a parameter by name: several where a name is repeated. */
export type Pairs = readonly (readonly [name: string, text: string])[]

/** Writes the value of a parameter. Undefined where OpenAPI has no text for it: for null, empty lists, and what holds
 *  lists or objects inside. */
export function serialize(parameter: ParameterLike, value: Json): Pairs | undefined {
  const { name, style = defaultStyle(parameter), explode = style === 'form' } = parameter
  if (style !== 'form' && style !== 'simple') throw new Error(`nobody reads the style ${style}`)
  if (Array.isArray(value)) {
    const texts: readonly (string | undefined)[] = value.map(scalar)
    if (texts.length === 0 || !isWhole(texts)) return undefined
    return explode && style === 'form'
      ? texts.map((text) => [name, text])
      : [[name, texts.join(',')]]
  }
  const text = scalar(value)
  return text === undefined ? undefined : [[name, text]]
}

function scalar(value: Json): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : undefined
}

function isWhole<Item>(items: readonly (Item | undefined)[]): items is readonly Item[] {
  return !items.includes(undefined)
}

const defaultStyle = (parameter: ParameterLike): string =>
  parameter.in === 'query' || parameter.in === 'cookie' ? 'form' : 'simple'
