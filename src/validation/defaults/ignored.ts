import { subschemasOf, type Bundle, type Subschema } from '../../schema/bundle.ts'
import { isPlainObject } from '../../schema/values.ts'

/** Says of a default that ajv refuses to pass over, which stops the boot, where it stands and what to do: ajv names a variable of the
 *  code that it writes. Any other error is as it was.
 *  @example explainIgnored(new Error('strict mode: default is ignored for: data0.n'), bundle) */
export function explainIgnored(error: unknown, bundle: Bundle): unknown {
  if (!(error instanceof Error)) return error
  const [, where] = /default is ignored (for|in the schema root)/.exec(error.message) ?? []
  if (where === undefined) return error
  const problem = where === 'for' ? describeAsked(bundle) : describeWhole(bundle)
  return problem === undefined ? error : new Error(problem, { cause: error })
}

const hasDefault = ({ schema }: Subschema): boolean => schema['default'] !== undefined

/** A default where ajv asks of a schema whether it holds, in the bundle or in what a reference there leads to. */
function describeAsked(bundle: Bundle): string | undefined {
  for (const asked of subschemasOf(bundle)) {
    const { asker } = asked
    if (asker === undefined) continue
    const place = asked.isMember && hasDefault(asked) ? asked.place : placeBehind(asked, bundle)
    if (place === undefined) continue
    const around = asker === 'anyOf' || asker === 'oneOf' ? `a union (${asker})` : `'${asker}'`
    const reason = `the default at ${place} is inside of ${around}, where ajv fills in none`
    const remedy = 'Leave it out, and have the handler or a t.Transform fill it in'
    return `${reason}: a schema may fail there without the value being refused. ${remedy}`
  }
  return undefined
}

function placeBehind(
  { schema: { $ref } }: Subschema,
  { schema, origins }: Bundle,
): string | undefined {
  const { definitions } = schema
  if (typeof $ref !== 'string' || !isPlainObject(definitions)) return undefined
  const name = $ref.replace('#/definitions/', '')
  const target = definitions[name]
  if (!isPlainObject(target)) return undefined
  const inner = subschemasOf({ schema: target, text: undefined, merges: false, origins })
  const found = inner.find((each) => each.isMember && hasDefault(each))
  return found && `${found.place} of '${origins.get(name) ?? name}'`
}

/** A default of a whole part, or of what a reference leads to. */
function describeWhole(bundle: Bundle): string | undefined {
  const isTop = ({ place }: Subschema): boolean => !place.startsWith('/')
  const tops = subschemasOf(bundle).filter((each) => isTop(each) && hasDefault(each))
  const whole = tops.find(({ schema }) => schema === bundle.schema)
  const reason = 'ajv fills in those of properties alone, and of the items of tuples'
  if (whole) {
    const remedy = 'Leave it out, or give the properties defaults of their own'
    return `the default at ${whole.place} is that of a whole part: ${reason}. ${remedy}`
  }
  const [shared] = tops
  if (shared === undefined) return undefined
  const remedy = 'Write it beside the references that are properties'
  return `the default at ${shared.place} is that of no property: ${reason}. ${remedy}`
}
