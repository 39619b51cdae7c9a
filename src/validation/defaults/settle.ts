import type { Ajv, ErrorObject, Options } from 'ajv'
import { subschemasOf, type Bundle } from '../../schema/bundle.ts'
import { reachOf } from '../../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../../schema/values.ts'
import { createAjv, type AjvOptions } from '../ajv-compiler.ts'

/** What becomes of a default: the value that is filled in, or what its schema says against it. */
type Settled = { readonly value: unknown } | { readonly problem: string }

/** Strictness is for the schema as a whole, which is compiled besides. */
const over: Options = { useDefaults: true, strict: false, validateSchema: false, logger: false }

/** Settles the defaults in bundles: each becomes what ajv makes of it where it fills it in, coerced and with the defaults inside
 *  of it, which serializers would leave out. One that its own schema refuses throws: each request that needs
 *  it would be refused, each reply would be wrong. Asked of those that are filled in.
 *  @example { type: 'object', properties: { a: { default: 1 } }, default: {} } // the default becomes { a: 1 } */
export function createDefaultsSettler(options: AjvOptions): (bundle: Bundle) => void {
  let ajvs: readonly Ajv[] | undefined
  const known = new Map<string, Settled | undefined>()
  const settleOnce = (schema: JsonObject, root: JsonObject): Settled | undefined => {
    const holding = holdingOf(schema, root)
    const text = JSON.stringify(holding)
    if (text.includes('"$data"')) return undefined
    // What fits as it stands stays so: null would become the 0 of a first alternative.
    ajvs ??= [createAjv(options, { ...over, coerceTypes: false }), createAjv(options, over)]
    if (!known.has(text)) known.set(text, settle(ajvs, holding))
    return known.get(text)
  }
  return (bundle) => {
    // ajv-merge-patch edits what it is given, each time that it is compiled.
    if (bundle.text === undefined || bundle.merges) return
    for (const { schema, place, isMember } of subschemasOf(bundle)) {
      if (schema['default'] === undefined || !isMember) continue
      const settled = settleOnce(schema, bundle.schema)
      if (settled === undefined) continue
      if ('problem' in settled) {
        const problem = `the default at ${place} is refused by its own schema: ${settled.problem}`
        throw new Error(`${problem}. Give one that fits, or none`)
      }
      Object.assign(schema, { default: settled.value })
    }
  }
}

/** An object that has a schema for a property, and no more of the definitions than that leads to: all of them are compiled. */
function holdingOf(schema: JsonObject, { definitions }: JsonObject): JsonObject {
  const holding = { type: 'object', properties: { value: schema } }
  if (!isPlainObject(definitions)) return holding
  const names = reachOf(schema, definitions)
  if (names.size === 0) return holding
  const entries = [...names].map((name) => [name, definitions[name]])
  return { ...holding, definitions: Object.fromEntries(entries) as JsonObject }
}

/** Has each ajv fill a default in where it stands for a property, until one does. Undefined where ajv cannot say: of a
 *  schema that it cannot compile alone, that looks at what stands around it, or that validates by a promise. */
function settle(ajvs: readonly Ajv[], holding: JsonObject): Settled | undefined {
  let problem: string | undefined
  for (const ajv of ajvs) {
    const holder: Record<string, unknown> = {}
    try {
      const validate = ajv.compile(holding)
      const isValid: unknown = validate(holder)
      if (isValid === true) return { value: holder['value'] }
      const isKnown = isValid === false && validate.errors?.every(isOfAjv)
      problem = isKnown ? explain(validate.errors?.[0]) : undefined
    } catch {
      return undefined
    } finally {
      ajv.removeSchema(holding)
    }
  }
  return problem === undefined ? undefined : { problem }
}

let own: readonly string[] | undefined

/** A keyword of the user's may look at what stands beside the value. */
function isOfAjv({ keyword }: ErrorObject): boolean {
  own ??= Object.keys(createAjv({}, over).RULES.all)
  return own.includes(keyword) || keyword === 'false schema'
}

function explain(error: ErrorObject | undefined): string {
  const { instancePath = '', message = 'it does not fit' } = error ?? {}
  return `${instancePath.replace(/^\/value/, '')} ${message}`.trimStart()
}
