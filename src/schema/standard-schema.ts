import type { ValidationRecord } from './compiler-types.ts'
import { isObject } from '../types/objects.ts'
import { toPointer } from './json-pointer.ts'

/** A Standard Schema (version 1), reduced to its validate function. */
export interface StandardSchema {
  readonly '~standard': {
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>
  }
}

/** The output of a Standard Schema, or its issues with the input. */
export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Whether a schema is one of a library that implements Standard Schema, such as zod or valibot. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  const carries = isObject(schema) || typeof schema === 'function'
  return carries && '~standard' in schema && isObject(schema['~standard'])
}

/** The issues of a Standard Schema in the shape of ajv's error list. Both lists may be instances of
 *  a class of the library (arktype), so their own `map` is not used.
 *  @param most how many issues are read at most */
export function toRecords(
  issues: readonly StandardIssue[],
  most: number = Infinity,
): ValidationRecord[] {
  const list = Array.from<StandardIssue>(issues).slice(0, most)
  return list.map(({ message, path = [] }) => {
    const keys = Array.from(path, (step) => String(typeof step === 'object' ? step.key : step))
    return { keyword: 'standard', instancePath: toPointer(keys), message }
  })
}
