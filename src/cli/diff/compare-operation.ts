import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../types/objects.ts'
import { became, type Change, type Direction, type Level, levelOf, shown } from './change.ts'
import type { OperationEntry } from './operations.ts'
import { SchemaReader } from './read-schema.ts'
import { objectAt } from './references.ts'
import { type Known, SchemaComparer } from './compare-schemas.ts'
import { compareSecurity } from './security.ts'

type SchemaReaders = readonly [before: SchemaReader, after: SchemaReader, equal: Known]

/** The readers of schemas of two documents. */
export interface Readers {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly request: SchemaReaders
  readonly response: SchemaReaders
}

export function readersOf(before: JsonObject, after: JsonObject): Readers {
  const pair = (direction: Direction): SchemaReaders => [
    new SchemaReader(before, direction),
    new SchemaReader(after, direction),
    new Map(),
  ]
  return { before, after, request: pair('request'), response: pair('response') }
}

type Found = Pick<Change, 'level' | 'place' | 'text'>

/** The changes of an operation that both documents have. */
export function compareOperation(
  before: OperationEntry,
  after: OperationEntry,
  readers: Readers,
): Change[] {
  const comparison = new OperationComparison(before, after, readers)
  const { method, path } = after
  return comparison.run().map(({ level, ...found }) => ({ level, method, path, ...found }))
}

class OperationComparison {
  readonly #old: OperationEntry
  readonly #now: OperationEntry
  readonly #readers: Readers
  readonly #found: Found[] = []

  constructor(old: OperationEntry, now: OperationEntry, readers: Readers) {
    this.#old = old
    this.#now = now
    this.#readers = readers
  }

  run(): readonly Found[] {
    this.#facts()
    this.#parameters()
    this.#body()
    this.#responses()
    return this.#found
  }

  #add(level: Level, place: string, text: string): void {
    this.#found.push({ level, place, text })
  }

  #facts(): void {
    const [old, now] = [this.#old.operation, this.#now.operation]
    const { before, after } = this.#readers
    const [id, newId] = [old['operationId'], now['operationId']]
    if (id !== undefined && id !== newId) {
      const text = became('operationId', shown(id), shown(newId))
      this.#add('warning', 'operation', `${text}: generated clients call it by another name`)
    }
    this.#deprecation('operation', old, now)
    for (const url of this.#old.servers.filter((each) => !this.#now.servers.includes(each))) {
      this.#add('warning', `server ${url}`, 'was removed')
    }
    const security = compareSecurity(this.#old, this.#now, [before, after])
    if (security !== undefined) {
      this.#add(security.isBreaking ? 'breaking' : 'info', 'security', security.text)
    }
    if (!isDeepStrictEqual(old['callbacks'], now['callbacks'])) {
      this.#add('warning', 'callbacks', 'changed: they are not compared')
    }
  }

  #parameters(): void {
    const [old, now] = [this.#old, this.#now].map(byPlace)
    for (const [key, was] of old ?? []) {
      const is = now?.get(key)
      if (is === undefined) this.#add('breaking', parameterPlace(was), 'was removed')
      else this.#parameter(was, is)
    }
    for (const [key, is] of now ?? []) {
      if (old?.has(key) === true) continue
      const isRequired = is['required'] === true
      const text = `was added, ${isRequired ? 'required' : 'optional'}`
      this.#add(isRequired ? 'breaking' : 'info', parameterPlace(is), text)
    }
  }

  #parameter(was: JsonObject, is: JsonObject): void {
    const place = parameterPlace(is)
    this.#need(place, was, is)
    this.#deprecation(place, was, is)
    for (const [key, read] of Object.entries(styles)) {
      const [old, now] = [read(was), read(is)]
      if (old !== now) this.#add('breaking', place, `${key} ${old} became ${now}`)
    }
    this.#value('request', place, was, is)
  }

  /** The value of a parameter or a header: a schema, or content of one media type. */
  #value(direction: Direction, place: string, was: JsonObject, is: JsonObject): void {
    const [old, now] = [was['content'], is['content']]
    if ((old === undefined) !== (now === undefined)) {
      const text = `${old === undefined ? 'schema' : 'content'} became `
      this.#add('breaking', place, text + (now === undefined ? 'schema' : 'content'))
    } else if (old === undefined) this.#schema(direction, place, [was['schema'], is['schema']])
    else this.#content(direction, place, [old, now])
  }

  #deprecation(place: string, was: JsonObject, is: JsonObject): void {
    const isDeprecated = is['deprecated'] === true
    if (isDeprecated === (was['deprecated'] === true)) return
    this.#add('info', place, isDeprecated ? 'is deprecated' : 'is no longer deprecated')
  }

  #need(place: string, was: JsonObject, is: JsonObject): void {
    const isRequired = is['required'] === true
    if (isRequired === (was['required'] === true)) return
    const text = `became ${isRequired ? 'required' : 'optional'}`
    this.#add(isRequired ? 'breaking' : 'info', place, text)
  }

  #body(): void {
    const [old, now] = [this.#old.operation['requestBody'], this.#now.operation['requestBody']]
    const was = objectAt(this.#readers.before, old)
    const is = objectAt(this.#readers.after, now)
    if (old === undefined && now === undefined) return
    if (old === undefined || now === undefined) {
      const isRequired = is['required'] === true
      const added = `was added, ${isRequired ? 'required' : 'optional'}`
      const isFine = old === undefined && !isRequired
      this.#add(isFine ? 'info' : 'breaking', 'body', old === undefined ? added : 'was removed')
      return
    }
    this.#need('body', was, is)
    this.#content('request', 'body', [was['content'], is['content']])
  }

  #responses(): void {
    const old = objectAt(this.#readers.before, this.#old.operation['responses'])
    const now = objectAt(this.#readers.after, this.#now.operation['responses'])
    for (const [status, given] of Object.entries(old)) {
      const place = `response ${status}`
      const heirs = heirsOf(status, old, now)
      if (heirs.length === 0) this.#add(lossOf(status), place, 'was removed')
      else if (!heirs.includes(status)) this.#add('info', place, `became ${heirs.join(', ')}`)
      const was = objectAt(this.#readers.before, given)
      for (const heir of heirs) {
        const at = status.endsWith('XX') ? `response ${heir}` : place
        this.#response(at, was, objectAt(this.#readers.after, now[heir]))
      }
    }
    for (const status of Object.keys(now)) {
      if (old[status] === undefined) this.#add('info', `response ${status}`, 'was added')
    }
  }

  #response(place: string, was: JsonObject, is: JsonObject): void {
    this.#content('response', place, [was['content'], is['content']])
    const [old, now] = [headersOf(was), headersOf(is)]
    for (const [name, given] of old) {
      const at = `${place}, header ${name}`
      const found = now.get(name)
      if (found === undefined) this.#add('breaking', at, 'was removed')
      else {
        const before = objectAt(this.#readers.before, given)
        const after = objectAt(this.#readers.after, found)
        const isRequired = after['required'] === true
        if (isRequired !== (before['required'] === true)) {
          this.#add(
            isRequired ? 'info' : 'breaking',
            at,
            `became ${isRequired ? 'required' : 'optional'}`,
          )
        }
        this.#value('response', at, before, after)
      }
    }
    for (const name of now.keys()) {
      if (!old.has(name)) this.#add('info', `${place}, header ${name}`, 'was added')
    }
  }

  #content(direction: Direction, place: string, [old, now]: readonly [unknown, unknown]): void {
    const [before, after] = [mediaTypesOf(old), mediaTypesOf(now)]
    for (const [type, was] of before) {
      const is = after.get(type) ?? after.get(`${type.split('/')[0]}/*`) ?? after.get('*/*')
      const at = `${place} ${type}`
      if (is === undefined) this.#add('breaking', at, 'was removed')
      else {
        this.#schema(direction, at, [was['schema'], is['schema']])
        const items = [was['itemSchema'], is['itemSchema']] as const
        this.#schema(direction, `${at}, items of the stream`, items)
        if (!isDeepStrictEqual(was['encoding'], is['encoding'])) {
          this.#add('warning', at, 'the encoding of its parts changed')
        }
      }
    }
    for (const type of after.keys()) {
      if (!before.has(type)) this.#add('info', `${place} ${type}`, 'was added')
    }
  }

  #schema(direction: Direction, place: string, [was, is]: readonly [unknown, unknown]): void {
    const comparer = new SchemaComparer(...this.#readers[direction])
    for (const { effect, at, text } of comparer.compare(was, is)) {
      const where = at === '' ? place : `${place}, property ${at.replace(/^\./, '')}`
      this.#add(levelOf(effect, direction), where, text)
    }
  }
}

/** The statuses of the newer document that stand for one of the older: itself, else the range that
 *  it is in, or for a range the statuses in it that it stood for. */
function heirsOf(status: string, old: JsonObject, now: JsonObject): string[] {
  if (now[status] !== undefined) return [status]
  const [first = ''] = status
  const range = `${first}XX`
  if (status !== range) return now[range] === undefined ? [] : [range]
  return Object.keys(now).filter((each) => each.startsWith(first) && old[each] === undefined)
}

/** A server that no longer answers so may still be called; it is the success that clients wait
 *  for. */
function lossOf(status: string): Level {
  if (/^[23]/.test(status)) return 'breaking'
  return status === 'default' ? 'warning' : 'info'
}

/** The parameters by their place and name; those in the path by their position there. */
function byPlace({ parameters, path }: OperationEntry): Map<string, JsonObject> {
  const positions = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
  return new Map(
    parameters.map((parameter) => {
      const { in: place, name } = parameter
      const text = String(name)
      if (place === 'path') return [`path ${positions.indexOf(text)}`, parameter]
      return [`${String(place)} ${place === 'header' ? text.toLowerCase() : text}`, parameter]
    }),
  )
}

const parameterPlace = ({ in: place, name }: JsonObject): string =>
  `${String(place)} parameter ${String(name)}`

const styleOf = ({ style, in: place }: JsonObject): unknown =>
  style ?? (place === 'path' || place === 'header' ? 'simple' : 'form')

/** How a parameter is written, with the defaults of OpenAPI. */
const styles: Readonly<Record<string, (parameter: JsonObject) => string>> = {
  style: (parameter) => String(styleOf(parameter)),
  explode: (parameter) => String((parameter['explode'] ?? styleOf(parameter) === 'form') === true),
  allowReserved: ({ allowReserved }) => String(allowReserved === true),
  'x-wildcard': (parameter) => String(parameter['x-wildcard'] === true),
}

function headersOf({ headers }: JsonObject): Map<string, unknown> {
  const entries = Object.entries(isObject(headers) ? headers : {})
  return new Map(entries.map(([name, header]) => [name.toLowerCase(), header]))
}

/** Media types without their charset. */
function mediaTypesOf(content: unknown): Map<string, JsonObject> {
  const entries = Object.entries(isObject(content) ? content : {})
  return new Map(
    entries.map(([type, media]) => [
      type.replace(/\s*;\s*charset=[^;]*/i, '').toLowerCase(),
      isObject(media) ? media : {},
    ]),
  )
}
