import { isObject } from '../../schema/values.ts'

/** What a value of an option must be, as a test and in words. */
export type Rule = readonly [fits: (value: unknown) => boolean, expected: string]

/** One rule for each option. */
export type Rules<Options> = Readonly<Record<keyof Options, Rule>>

export const aBoolean: Rule = [(value) => typeof value === 'boolean', 'a boolean']
export const aFunction: Rule = [(value) => typeof value === 'function', 'a function']
export const anObject: Rule = [isObject, 'an object']
export const aString: Rule = [(value) => typeof value === 'string', 'a string']
export const aCount: Rule = [
  (value) => Number.isInteger(value) && Number(value) >= 0,
  'a whole number',
]
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

/** Whatever there is. */
export const anything: Rule = [() => true, 'anything']
