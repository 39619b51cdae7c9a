import { isPlainObject, type JsonObject } from '../values.ts'

/** A schema that has dates in the place of their text, as serializers write them. It is for an ajv that knows `date`. */
export function takeDates(schema: object | boolean): object | boolean {
  return isPlainObject(schema) ? take(schema) : schema
}

/** The keyword for objects that are dates. */
export const date = {
  keyword: 'espalier-date',
  type: 'object',
  schema: false,
  validate: (value: object): boolean => value instanceof Date,
} as const

function take(schema: JsonObject): JsonObject {
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, takeAny(value)]),
  )
  const types = [schema['type']].flat()
  const isText = types.includes('string') && !types.includes('object')
  if (!isText || !formats.includes(schema['format'])) return copy
  return { ...copy, type: [...types, 'object'], [date.keyword]: true }
}

function takeAny(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(takeAny)
  return isPlainObject(value) ? take(value) : value
}

const formats: readonly unknown[] = ['date-time', 'date', 'time']
