import { createRequire } from 'node:module'
import type { Ajv, AnySchema } from 'ajv'
import type { JTDOptions } from 'ajv/dist/jtd.js'
import type { ValidatorCompiler } from '../schema/compiler-types.ts'
import { extendAjv, type AjvOptions } from './ajv-compiler.ts'

interface JtdModule {
  // What is used of it is what both have of their common core.
  readonly default: new (options: JTDOptions) => Ajv
}

/** Makes the validator compiler of schemas in JSON Type Definition (RFC 8927), which knows no shared schemas, no coercion
 *  and no defaults. Its part of ajv is loaded only here. */
export function createJtdCompiler(options: AjvOptions): ValidatorCompiler {
  const { customOptions = {} } = options
  const load = createRequire(import.meta.url)
  const { default: Jtd } = load('ajv/dist/jtd') as JtdModule
  const { jsonPointers: _always, ...custom } = customOptions
  const ajv = new Jtd(custom as JTDOptions)
  extendAjv(ajv, options)
  return ({ schema }) => ajv.compile(schema as AnySchema)
}
