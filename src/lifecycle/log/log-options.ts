import type { ChildLoggerFactory, LogSerializer } from '../../http/logger.ts'
import { isObject } from '../../types/objects.ts'

/** The logging options of a route, or of a plugin for its routes. */
export interface LogOptions {
  readonly level: string | undefined
  readonly serializers: Readonly<Record<string, LogSerializer>> | undefined
  readonly childLoggerFactory: ChildLoggerFactory | undefined
}

/** Reads one option. @throws if the value does not fit */
type ReadOption = <Value>(
  name: string,
  fits: (value: unknown) => value is Value,
  rule: string,
) => Value | undefined

/** Reads the logging options of a plugin or a route. */
export function readLogOptions(read: ReadOption): LogOptions {
  return {
    // onRoute hooks see an empty string if the route has no level.
    level: read('logLevel', isText, 'must be the name of a level') || undefined,
    serializers: read('logSerializers', isSerializers, 'must be an object of functions'),
    childLoggerFactory: read('childLoggerFactory', isFactory, 'must be a function'),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isSerializers(value: unknown): value is Readonly<Record<string, LogSerializer>> {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'function')
}

function isFactory(value: unknown): value is ChildLoggerFactory {
  return typeof value === 'function'
}
