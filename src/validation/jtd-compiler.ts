import type { Ajv, AnySchema } from 'ajv'
import { Ajv as JtdAjv, type JTDOptions } from 'ajv/dist/jtd.js'
import type { ValidatorCompiler } from '../schema/compiler-types.ts'
import { extendAjv, type AjvOptions } from './ajv-compiler.ts'

// What is used of it is what both have of their common core.
const Jtd: new (options: JTDOptions) => Ajv = JtdAjv

/** Makes the validator compiler of schemas in JSON Type Definition (RFC 8927), which knows no shared schemas, no coercion
 *  and no defaults. */
export function createJtdCompiler(options: AjvOptions): ValidatorCompiler {
  const { customOptions = {} } = options
  const { jsonPointers: _always, ...custom } = customOptions
  const ajv = new Jtd(custom as JTDOptions)
  extendAjv(ajv, options)
  return ({ schema }) => ajv.compile(schema as AnySchema)
}
