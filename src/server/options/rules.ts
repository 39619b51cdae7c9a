import { errorCodes } from '../../errors/codes.ts'
import { suggestion } from '../../errors/near-miss.ts'
import { describe } from '../../errors/describe.ts'
import { isObject } from '../../types/objects.ts'

/** A test for the value of an option, and the words for it in messages. */
export type Rule = readonly [fits: (value: unknown) => boolean, expected: string]

/** One rule for each option. */
export type Rules<Options> = Readonly<Record<keyof Options, Rule>>

export const anything: Rule = [() => true, 'anything']
export const aBoolean: Rule = [(value) => typeof value === 'boolean', 'a boolean']
export const aFunction: Rule = [(value) => typeof value === 'function', 'a function']
export const anObject: Rule = [isObject, 'an object']
export const aString: Rule = [(value) => typeof value === 'string', 'a string']
export const aCount: Rule = [
  (value) => Number.isInteger(value) && Number(value) >= 0,
  'a whole number',
]
export const aSize: Rule = [(value) => aCount[0](value) && value !== 0, 'a positive integer']
export const aTime: Rule = [aCount[0], 'a whole number of milliseconds']

/** Any of several rules. */
export function either(...rules: readonly Rule[]): Rule {
  return [
    (value) => rules.some(([fits]) => fits(value)),
    rules.map(([, expected]) => expected).join(', or '),
  ]
}

/** One of several values. */
export function oneOf(...values: readonly (string | boolean | null)[]): Rule {
  const names = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
  return [(value) => values.some((each) => each === value), names.join(' or ')]
}

/** The rule of an option; undefined for an unknown option. */
export function ruleOf(rules: Readonly<Record<string, Rule>>, name: string): Rule | undefined {
  return Object.hasOwn(rules, name) ? rules[name] : undefined
}

/** Checks options by their rules. An option may be undefined.
 *  @param parent the option whose value they are
 *  @throws ESP_ERR_INIT_OPTS_INVALID for an unknown option, unless they are ignored, and a wrong
 *  value */
export function checkOptions(
  options: object,
  rules: Readonly<Record<string, Rule>>,
  {
    parent = '',
    ignoresUnknown = false,
  }: { readonly parent?: string; readonly ignoresUnknown?: boolean },
): void {
  for (const [name, value] of Object.entries(options)) {
    const rule = ruleOf(rules, name)
    if (rule === undefined) {
      if (ignoresUnknown) continue
      const where = parent && ` of ${parent}`
      const known = suggestion(name, Object.keys(rules), ': see docs/options.md')
      const text = `There is no option '${name}'${where}. ${known}`
      throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(text)
    }
    const [fits, expected] = rule
    if (value === undefined || fits(value)) continue
    const path = parent && `${parent}.`
    const text = `The option '${path}${name}' must be ${expected}, but is ${describe(value)}`
    throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(text)
  }
}

/** @throws ESP_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN */
export function assertFormatter(given: unknown): void {
  const isAsync = typeof given === 'function' && given.constructor.name === 'AsyncFunction'
  if (typeof given === 'function' && !isAsync) return
  const found = isAsync ? 'async' : describe(given)
  throw new errorCodes.ESP_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN(found)
}
