/** What a change does to clients that were written for the older document. */
export type Level = 'breaking' | 'info' | 'warning'

/** Who writes what a schema describes: clients, or the server. */
export type Direction = 'request' | 'response'

/** How a schema changes, apart from who writes its values. */
export type Effect =
  /** Some values no longer fit. */
  | 'narrowed'
  /** More values fit. */
  | 'widened'
  /** Some values no longer fit and others do, or something is gone that clients may name. */
  | 'changed'
  /** The value of what is left out is another. */
  | 'default'
  /** Nothing that fits is refused, and nothing else fits. */
  | 'noted'

/** One change of a schema. */
export interface Finding {
  /** The same for all places of one change, which a schema has that is used more than once. */
  readonly id: object
  readonly effect: Effect
  /** Where in the value: `.user.tags[].name`; empty for the value itself. */
  readonly at: string
  readonly text: string
}

/** One change of a document. */
export interface Change {
  readonly level: Level
  /** In capitals; empty for what concerns the whole document. */
  readonly method: string
  readonly path: string
  /** The place in the operation: `response 200 application/json, property user.name`. */
  readonly place: string
  readonly text: string
}

const levels: Readonly<Record<Effect, Readonly<Record<Direction, Level>>>> = {
  narrowed: { request: 'breaking', response: 'info' },
  widened: { request: 'info', response: 'breaking' },
  changed: { request: 'breaking', response: 'breaking' },
  default: { request: 'warning', response: 'info' },
  noted: { request: 'info', response: 'info' },
}

export function levelOf(effect: Effect, direction: Direction): Level {
  return levels[effect][direction]
}

export function finding(effect: Effect, text: string, at = ''): Finding {
  return { id: {}, effect, at, text }
}

/** The value of a keyword, for a text. */
export function shown(value: unknown): string | undefined {
  return JSON.stringify(value)
}

/** The change of a keyword in words. The values are texts, undefined where there is none. */
export function became(key: string, before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `${key} ${after ?? 'none'} was added`
  return after === undefined ? `${key} ${before} was removed` : `${key} ${before} became ${after}`
}
