import { aBoolean, anything, type Rule } from './rules.ts'

const names = [
  'logger',
  'loggerInstance',
  'logController',
  'disableRequestLogging',
  'childLoggerFactory',
  'onProtoPoisoning',
  'onConstructorPoisoning',
  'schemaController',
  'allowErrorHandlerOverride',
  'handlerTimeout',
]

/** Fastify's options besides those that have a meaning here: applications that come from there may give
 *  them. */
export const foreignRules: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(names.map((name) => [name, anything])),
  jsonShorthand: aBoolean,
}
