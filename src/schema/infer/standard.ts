import type { Json } from '../../types/json.ts'

/** The type of a Standard Schema by mode: what goes into it, and what comes out. A reply goes into it,
 *  and what comes out leaves as JSON. */
export interface InferStandard<Types> {
  in: TypeAt<Types, 'input'>
  call: TypeAt<Types, 'input'>
  out: TypeAt<Types, 'output'>
  reply: TypeAt<Types, 'input'>
  member: TypeAt<Types, 'input'>
  json: Json<TypeAt<Types, 'output'>>
  exact: unknown
}

type TypeAt<Types, Side extends string> = Types extends { readonly [Key in Side]: infer Type }
  ? Type
  : unknown
