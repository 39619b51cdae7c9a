// What the framework documents that it converts (docs/unions-and-coercion.md), told from the errors of a validator alone: a
// value that another type was expected for is converted, and a closed object loses a field. As ajv does, a list of one value
// becomes that value.
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Json, JsonMap } from '../soundness/sketch.ts'

/** How many values are tried at most. More than that may be valid. */
const limit = 2000

/** Whether documented conversions lead from a value to a valid one. */
export function canBeCoerced(validate: ValidateFunction, value: Json): boolean {
  const queue: Json[] = [value]
  const seen = new Set([JSON.stringify(value)])
  // The list grows while it is read.
  for (const each of queue) {
    if (validate(each) || queue.length > limit) return true
    for (const next of (validate.errors ?? []).flatMap((error) => repairs(each, error))) {
      const text = JSON.stringify(next)
      if (!seen.has(text)) queue.push(next)
      seen.add(text)
    }
  }
  return false
}

function repairs(value: Json, { keyword, instancePath, params }: ErrorObject): Json[] {
  const path = instancePath.split('/').slice(1).map(unescaped)
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty'])
    return change(value, path, (at) =>
      isMap(at) ? [Object.fromEntries(Object.entries(at).filter(([key]) => key !== name))] : [],
    )
  }
  if (keyword !== 'type') return []
  const types = String(params['type']).split(',')
  return change(value, path, (at) => types.flatMap((type) => convert(at, type)))
}

const unescaped = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')

/** The value with each of the new values at a place. */
function change(value: Json, path: readonly string[], make: (at: Json) => Json[]): Json[] {
  const [key, ...rest] = path
  if (key === undefined) return make(value)
  if (Array.isArray(value)) {
    const index = Number(key)
    return change(value[index] ?? null, rest, make).map((item) => value.with(index, item))
  }
  if (!isMap(value)) return []
  return change(value[key] ?? null, rest, make).map((item) => ({ ...value, [key]: item }))
}

/** The values of another type that a value is converted to. */
function convert(value: Json, type: string): Json[] {
  if (type === 'array') return isHolder(value) ? [] : [[value]]
  const [only] = Array.isArray(value) && value.length === 1 ? value : []
  if (only !== undefined && !isHolder(only)) return [only, ...convert(only, type)]
  if (isHolder(value)) return []
  switch (type) {
    case 'number':
    case 'integer': {
      if (value === '') return []
      const number = Number(value)
      return Number.isFinite(number) && (type === 'number' || Number.isInteger(number))
        ? [number]
        : []
    }
    case 'string':
      return [value === null ? '' : String(value)]
    case 'boolean':
      if (value === 'true' || value === 1) return [true]
      return value === 'false' || value === 0 || value === null ? [false] : []
    case 'null':
      return value === '' || value === 0 || value === false ? [null] : []
    default:
      return []
  }
}

function isHolder(value: Json): value is Json[] | JsonMap {
  return typeof value === 'object' && value !== null
}

function isMap(value: Json): value is JsonMap {
  return isHolder(value) && !Array.isArray(value)
}
