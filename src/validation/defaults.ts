import type { Ajv, ErrorObject, Options } from 'ajv'
import { subschemasOf, type Bundle, type Subschema } from '../schema/bundle.ts'
import { definitionOf } from '../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { createAjv, isOwnKeyword, withDefinitions, type AjvOptions } from './ajv.ts'

/** The result for one default: the value that is filled in, or why its schema refuses it. */
type Computed = { readonly value: unknown } | { readonly problem: string }

/** The whole schema is compiled strictly elsewhere. */
const lenient: Options = { useDefaults: true, strict: false, validateSchema: false, logger: false }

/** What defaults are computed with. */
interface DefaultsTools {
  /** Makes the ajvs that are asked one after the other, until one takes a default. */
  readonly ajvs: (over: Options) => readonly Ajv[]
  /** Closes the objects of a schema. */
  readonly close?: (schema: JsonObject) => JsonObject
}

/** The tools of the default mode. A default that is valid without coercion stays: null would become
 *  the 0 of an integer. */
export const usualDefaults = (options: AjvOptions): DefaultsTools => ({
  ajvs: (over) => [createAjv(options, { ...over, coerceTypes: false }), createAjv(options, over)],
})

/** Computes the defaults in bundles before these are compiled: each becomes the value that ajv
 *  fills in for it, coerced and with the defaults inside of it, which serializers would leave out.
 *  Only defaults of properties and of items of tuples are filled in.
 *  @throws Error in the returned function, for a default that its own schema refuses: every request
 *  or reply that needs it would fail
 *  @example
 *  { type: 'object', properties: { a: { default: 1 } }, default: {} }
 *  // the default becomes { a: 1 } */
export function createDefaultsComputer({
  ajvs: make,
  close,
}: DefaultsTools): (bundle: Bundle) => void {
  let ajvs: readonly Ajv[] | undefined
  const known = new Map<string, Computed | undefined>()
  const computeOnce = (schema: JsonObject, root: JsonObject): Computed | undefined => {
    const holder = withDefinitions({ type: 'object', properties: { value: schema } }, root)
    const text = JSON.stringify(holder)
    if (text.includes('"$data"')) return undefined
    ajvs ??= make(lenient)
    if (!known.has(text)) known.set(text, compute(ajvs, close?.(holder) ?? holder))
    return known.get(text)
  }
  return (bundle) => {
    // ajv-merge-patch edits the schema each time that it is compiled.
    if (bundle.text === undefined || bundle.merges) return
    for (const { schema, place, isMember } of subschemasOf(bundle)) {
      if (schema['default'] === undefined || !isMember) continue
      const computed = computeOnce(schema, bundle.schema)
      if (computed === undefined) continue
      if ('problem' in computed) {
        const problem = `the default at ${place} is refused by its own schema: ${computed.problem}`
        throw new Error(`${problem}. Give one that fits, or none`)
      }
      Object.assign(schema, { default: computed.value })
    }
  }
}

/** Validates an empty object by each ajv, until one fills the default in. Undefined where ajv
 *  cannot tell: the schema cannot be compiled alone, refers to what stands around it, or is
 *  async. */
function compute(ajvs: readonly Ajv[], holder: JsonObject): Computed | undefined {
  let problem: string | undefined
  for (const ajv of ajvs) {
    const data: Record<string, unknown> = {}
    try {
      const validate = ajv.compile(holder)
      const isValid: unknown = validate(data)
      if (isValid === true) return { value: data['value'] }
      const isKnown = isValid === false && validate.errors?.every(isOfOwnKeyword)
      problem = isKnown ? describeError(validate.errors?.[0]) : undefined
    } catch {
      return undefined
    } finally {
      ajv.removeSchema(holder)
    }
  }
  return problem === undefined ? undefined : { problem }
}

/** A keyword of the application may depend on what stands beside the value. */
function isOfOwnKeyword({ keyword }: ErrorObject): boolean {
  return isOwnKeyword(keyword) || keyword === 'false schema'
}

function describeError(error: ErrorObject | undefined): string {
  const { instancePath = '', message = 'it does not fit' } = error ?? {}
  return `${instancePath.replace(/^\/value/, '')} ${message}`.trimStart()
}

/** Replaces the error by which ajv refuses a default that it would never fill in. It names a
 *  variable of ajv's code; the new one says where the default stands and what to do. Returns other
 *  errors as they are.
 *  @example explainIgnoredDefault(new Error('… default is ignored for: data0.n'), bundle) */
export function explainIgnoredDefault(error: unknown, bundle: Bundle): unknown {
  if (!(error instanceof Error)) return error
  const [, where] = /default is ignored (for|in the schema root)/.exec(error.message) ?? []
  if (where === undefined) return error
  const problem = where === 'for' ? describeTested(bundle) : describeRoot(bundle)
  return problem === undefined ? error : new Error(problem, { cause: error })
}

const hasDefault = ({ schema }: Subschema): boolean => schema['default'] !== undefined

/** Describes a default inside of a schema that only tests values, or of one that it refers to. */
function describeTested(bundle: Bundle): string | undefined {
  for (const tested of subschemasOf(bundle)) {
    const { testedBy } = tested
    if (testedBy === undefined) continue
    const isOwn = tested.isMember && hasDefault(tested)
    const place = isOwn ? tested.place : placeInDefinition(tested, bundle)
    if (place === undefined) continue
    const around =
      testedBy === 'anyOf' || testedBy === 'oneOf' ? `a union (${testedBy})` : `'${testedBy}'`
    const reason = `the default at ${place} is inside of ${around}, where ajv fills in none`
    const remedy = 'Leave it out, and have the handler or a t.Transform fill it in'
    return `${reason}: a schema may fail there without the value being refused. ${remedy}`
  }
  return undefined
}

function placeInDefinition(from: Subschema, { schema, origins }: Bundle): string | undefined {
  const { definitions } = schema
  const name = definitionOf(from.schema['$ref'])
  const target = name !== undefined && isPlainObject(definitions) ? definitions[name] : undefined
  if (name === undefined || !isPlainObject(target)) return undefined
  const inner = subschemasOf({ schema: target, text: undefined, merges: false, origins })
  const found = inner.find((each) => each.isMember && hasDefault(each))
  return found && `${found.place} of '${origins.get(name) ?? name}'`
}

/** Describes a default of a whole part, or of a definition. */
function describeRoot(bundle: Bundle): string | undefined {
  const isRoot = ({ place }: Subschema): boolean => !place.startsWith('/')
  const roots = subschemasOf(bundle).filter((each) => isRoot(each) && hasDefault(each))
  const found = roots.find(({ schema }) => schema === bundle.schema) ?? roots[0]
  if (found === undefined) return undefined
  const reason = 'ajv fills in those of properties alone, and of the items of tuples'
  const [what, remedy] =
    found.schema === bundle.schema
      ? ['that of a whole part', 'Leave it out, or give the properties defaults of their own']
      : ['that of no property', 'Write it beside the references that are properties']
  return `the default at ${found.place} is ${what}: ${reason}. ${remedy}`
}
