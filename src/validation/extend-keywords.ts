import type { Ajv, KeywordCxt } from 'ajv'

/** Has code of one's own made before that of keywords, in all schemas that an ajv compiles from then on. It may also
 *  change what the keyword makes of its context.
 *  @param extend is given the place of a keyword in a schema */
export function extendKeywords(
  ajv: Ajv,
  keywords: readonly string[],
  extend: (context: KeywordCxt) => void,
): void {
  for (const keyword of keywords) {
    const definition = ajv.getKeyword(keyword)
    if (typeof definition !== 'object' || !('code' in definition)) continue
    const { code } = definition
    definition.code = (context, ruleType) => {
      extend(context)
      code(context, ruleType)
    }
  }
}
