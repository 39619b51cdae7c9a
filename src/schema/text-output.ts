import { once } from '../packages/once.ts'
import type { Serializer } from './compiler-types.ts'

/** Returns the value that is sent for a payload, before it is written as JSON.
 *  @throws Error for a payload that the schema refuses */
export type Output = (payload: unknown) => unknown

const outputs = once('outputs', () => new WeakMap<Serializer, Output>())

/** Says what a serializer sends for text, which leaves without being JSON. */
export function setOutput(serializer: Serializer, output: Output): Serializer {
  outputs.set(serializer, output)
  return serializer
}

/** The output function of a serializer whose schema may change text: a Standard Schema, or one with
 *  a transform. Undefined elsewhere: text is sent as it is then. */
export const outputOf = (serializer: Serializer): Output | undefined => outputs.get(serializer)
