import { OptionalKind } from '@sinclair/typebox'
import { errorCodes } from '../errors/codes.ts'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'
import { describe } from '../errors/describe.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import { readFluent } from './fluent-schema.ts'

const fullSchemaKeywords = [
  '$ref',
  'properties',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'enum',
  'const',
  '$merge',
  '$patch',
]

/** Whether a request part or response entry is a full schema, and not the short form that lists
 *  properties. Objects of a validation library (Standard Schema, classes) are full. */
export function isFullSchema(part: JsonObject): boolean {
  const { type } = part
  if (typeof type === 'string' || Array.isArray(type)) return true
  if (isTypeBox(part) || !isListOfProperties(part)) return true
  return fullSchemaKeywords.some((keyword) => keyword in part)
}

/** Reads a request part or response entry: a JSON Schema or a Standard Schema.
 *  @param what its name in error messages
 *  @param expands whether a short form becomes a full one
 *  @throws ESP_ERR_SCH_NOT_OBJECT */
export function readPartSchema(
  given: unknown,
  what: string,
  expands: boolean,
): JsonObject | StandardSchema {
  if (isStandardSchema(given)) return given
  const schema = readFluent(given)
  if (isObject(schema)) return expands ? expandShortForm(schema) : schema
  throw new errorCodes.ESP_ERR_SCH_NOT_OBJECT(what, describe(given))
}

/** A part in its full form: a full schema is returned as it is, a short form becomes an object
 *  schema with the same property schemas (specification 2.3). A schema with `properties` but no
 *  type gets the type `object`: JSON Schema would accept every other value.
 *
 *  In a short form, properties made with `t` are required unless `t.Optional`, as in `t.Object`;
 *  those of plain JSON Schema are optional, as in JSON Schema. A `description` is an annotation.
 *  @param isListed whether a property is listed as required */
export function expandShortForm(
  part: JsonObject,
  isListed: (schema: unknown) => boolean = isRequired,
): JsonObject {
  if (isFullSchema(part)) return lacksType(part) ? { type: 'object', ...part } : part
  const isAnnotation = typeof part['description'] === 'string'
  const names = Object.keys(part).filter((name) => !(isAnnotation && name === 'description'))
  const required = names.filter((name) => isListed(part[name]))
  return {
    type: 'object',
    ...(isAnnotation && { description: part['description'] }),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(names.map((name) => [name, part[name]])),
  }
}

function lacksType(part: JsonObject): boolean {
  return isListOfProperties(part) && isObject(part['properties']) && !('type' in part)
}

/** Short forms are object literals. An object with another prototype belongs to a validation
 *  library. */
function isListOfProperties(part: JsonObject): boolean {
  const prototype: unknown = Object.getPrototypeOf(part)
  return prototype === Object.prototype || prototype === null
}

function isRequired(schema: unknown): boolean {
  if (!isObject(schema) || !isTypeBox(schema)) return false
  return !(OptionalKind in schema || '~optional' in schema)
}

/** Whether a client has to send a property. Defaults are filled in before `required` is checked. */
export function isRequiredOfClients(schema: unknown): boolean {
  return isRequired(schema) && isObject(schema) && schema['default'] === undefined
}

/** TypeBox 0.34 marks its schemas with symbols, its successor `typebox` 1.x with names that are not
 *  enumerable. */
function isTypeBox(schema: object): boolean {
  if (Object.getOwnPropertySymbols(schema).length > 0) return true
  return '~kind' in schema || '~unsafe' in schema
}
