// What the type of a schema must refuse, told from the sketch alone: neither from the types nor from ajv. It says so only
// where it is sure.
import type { Field, Form, Json, JsonMap, ObjectSketch, Sketch, TupleSketch } from './sketch.ts'

export interface View {
  /** What a client may send, or what a handler reads. */
  readonly side: 'in' | 'out'
  readonly form: Form
  /** What a `self` stands for. */
  readonly root: Sketch
  /** Whether an object around says that there is one, so that inner schemas need not. */
  readonly isObject?: boolean
}

/** Whether a value is surely none of the schema's type. */
export function isOutside(sketch: Sketch, value: Json, view: View): boolean {
  const isListed = sketch.kind === 'const' || sketch.kind === 'enum'
  if (value === null && sketch.nullable && !isListed) return false
  switch (sketch.kind) {
    case 'any':
      return false
    case 'integer':
    case 'number':
      return typeof value !== 'number'
    case 'null':
      return value !== null
    case 'boolean':
    case 'string':
      return typeof value !== sketch.kind
    case 'const':
      return !isEqual(value, sketch.value)
    case 'enum':
      return !sketch.values.some((each) => isEqual(value, each))
    case 'types':
      return sketch.names.every((name) => name !== nameOf(value) && !isInteger(name, value))
    default:
      return isOutsideHolder(sketch, value, { ...view, isObject: false }, view.isObject)
  }
}

const isInteger = (name: string, value: Json) => name === 'integer' && typeof value === 'number'
const nameOf = (value: Json) => (value === null ? 'null' : typeof value)

function isOutsideHolder(sketch: Sketch, value: Json, view: View, isObject = false): boolean {
  const inside = (each: Sketch, given: Json) => isOutside(each, given, view)
  switch (sketch.kind) {
    case 'array':
      return !Array.isArray(value) || value.some((item) => inside(sketch.items, item))
    case 'tuple':
      return !Array.isArray(value) || isOutsideTuple(sketch, value, view)
    case 'record':
      return !isMap(value) || Object.values(value).some((item) => inside(sketch.value, item))
    case 'object':
      return isOutsideObject(isObject ? { ...sketch, typed: true } : sketch, value, view)
    case 'ref':
      // What it names may be written in the other form.
      return (
        isOutside(sketch.target, value, { ...view, form: 't' }) &&
        isOutside(sketch.target, value, { ...view, form: 'plain' })
      )
    case 'self':
      return isOutside(view.root, value, view)
    case 'transform':
      if (view.side === 'in') return inside(sketch.inner, value)
      return (
        !isMap(value) || value['decoded'] === undefined || inside(sketch.inner, value['decoded'])
      )
    default:
      return isOutsideJoined(sketch, value, view)
  }
}

function isOutsideJoined(sketch: Sketch, value: Json, view: View): boolean {
  const within = { ...view, isObject: true }
  switch (sketch.kind) {
    case 'union': {
      const around = sketch.beside ? within : view
      const beside = sketch.beside !== undefined && isOutside(sketch.beside, value, view)
      return beside || sketch.of.every((each) => isOutside(each, value, around))
    }
    case 'all':
      return (
        isMap(value) &&
        [...sketch.of, ...(sketch.beside ? [sketch.beside] : [])].some((each) =>
          isOutside(each, value, within),
        )
      )
    case 'not':
      return isOutside(sketch.base, value, view)
    case 'branch': {
      if (isOutside(sketch.base, value, view)) return true
      const { then, otherwise } = sketch
      return (
        then !== undefined &&
        otherwise !== undefined &&
        [then, otherwise].every((each) => isOutside(each, value, within))
      )
    }
    default:
      return false
  }
}

function isOutsideTuple({ items, whole, rest }: TupleSketch, value: Json[], view: View): boolean {
  if (whole && value.length < items.length) return true
  if (rest === false && value.length > items.length) return true
  return value.some((item, index) => {
    const sketch = items[index] ?? rest
    return typeof sketch === 'object' && isOutside(sketch, item, view)
  })
}

function isOutsideObject(sketch: ObjectSketch, value: Json, view: View): boolean {
  if (!isMap(value)) {
    if (!sketch.typed) return false
    // An object type without members, or with optional ones only, may take in what is no object.
    return value === null || sketch.fields.some((field) => isCertain(field, view))
  }
  const isWrong = sketch.fields.some((field) => {
    const item = value[field.name]
    return item === undefined ? isCertain(field, view) : isOutside(field.schema, item, view)
  })
  const isMissing = sketch.requires?.some((name) => value[name] === undefined) ?? false
  // Before defaults are filled in, another schema may have one for it.
  if (isMissing && view.side === 'out') return true
  return isWrong || (view.form === 'plain' && isIndexOutside(sketch, value, view))
}

/** With a schema for other fields, and with no pattern that lets anything pass, another field is of that, or is of the type of
 *  some named one. */
function isIndexOutside(
  { fields, others, patterns = {} }: ObjectSketch,
  value: JsonMap,
  view: View,
): boolean {
  const hasPatterns = Object.keys(patterns).length > 0
  if (typeof others !== 'object' && !(hasPatterns && others === false)) return false
  const allowed = [...fields.map(({ schema }) => schema), ...Object.values(patterns)]
  if (typeof others === 'object') allowed.push(others)
  return Object.entries(value).some(
    ([name, item]) =>
      !fields.some((field) => field.name === name) &&
      allowed.every((each) => isOutside(each, item, view)),
  )
}

const isCertain = ({ required, schema }: Field, { side }: View) =>
  side === 'in'
    ? required && schema.default === undefined
    : required || schema.default !== undefined

function isMap(value: Json): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value has all that another one has: types do not say that there is no more. */
function isEqual(value: Json, expected: Json): boolean {
  if (Array.isArray(expected) || !isMap(expected)) {
    return JSON.stringify(value) === JSON.stringify(expected)
  }
  const has = ([name, item]: [string, Json]) =>
    isMap(value) && value[name] !== undefined && isEqual(value[name], item)
  return Object.entries(expected).every(has)
}
