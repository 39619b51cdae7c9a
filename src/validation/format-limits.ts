import type { Ajv, Code, KeywordCxt } from 'ajv'
import type { AjvCopy } from './runtime.ts'
import late from '../packages/late.cjs'

/** The comparisons of a keyword: the right one, and the one that fails. */
type Signs = readonly [right: string, wrong: string]

const limits: Readonly<Record<string, Signs>> = {
  formatMaximum: ['<=', '>'],
  formatMinimum: ['>=', '<'],
  formatExclusiveMaximum: ['<', '>='],
  formatExclusiveMinimum: ['>', '<='],
}

/** Gives an ajv the formats of ajv-formats, and its keywords that compare texts by their format.
 *  The functions of ajv-formats that do so write code for the copy of ajv that ajv-formats has. npm
 *  may install another copy for the server, which would take that code for data. */
export function addFormats(ajv: Ajv): void {
  ajv.opts.code.formats ??= formatsCode(late.ajv())
  for (const [name, format] of Object.entries(late.formatTable().fullFormats)) {
    ajv.addFormat(name, format)
  }
  setFormatLimits(ajv)
}

/** The code of the formats in what is compiled ahead of time.
 *  @param ajv the copy of ajv that compiles */
export function formatsCode({ _ }: AjvCopy): Code {
  return _`require("ajv-formats/dist/formats").fullFormats`
}

/** Sets the keywords that compare texts, also in place of those of another ajv-formats. */
export function setFormatLimits(ajv: Ajv): void {
  const { _, str } = late.ajv()
  removeFormatLimits(ajv)
  for (const [keyword, [right, wrong]] of Object.entries(limits)) {
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'string',
      $data: true,
      dependencies: ['format'],
      error: {
        message: ({ schemaCode }) => str`should be ${right} ${schemaCode}`,
        params: ({ schemaCode }) => _`{comparison: ${right}, limit: ${schemaCode}}`,
      },
      code: (context) => compare(context, wrong),
    })
  }
}

/** Removes these keywords: ajv refuses to add one that it has. */
export function removeFormatLimits(ajv: Ajv): void {
  for (const keyword of Object.keys(limits)) ajv.removeKeyword(keyword)
}

/** @throws Error for a format that has no order */
function compare(context: KeywordCxt, wrong: string): void {
  const ajv = late.ajv()
  const { _, stringify } = ajv
  const { gen, data, schemaCode, keyword, it } = context
  const { opts, self } = it
  const rule = self.RULES.all['format']
  if (!opts.validateFormats || typeof rule !== 'object') return
  const sign = new (late.ajvCode()._Code)(wrong)
  const isWrong = (format: Code) => _`${format}.compare(${data}, ${schemaCode}) ${sign} 0`
  const code = opts.code.formats ?? formatsCode(ajv)
  const named = new ajv.KeywordCxt(it, rule.definition, 'format')
  if (named.$data !== false) {
    const all = gen.scopeValue('formats', { ref: self.formats, code })
    const format = gen.const('fmt', _`${all}[${named.schemaCode}]`)
    context.fail$data(_`typeof ${format}?.compare != "function" || ${isWrong(format)}`)
    return
  }
  const name = String(named.schema)
  const ref = self.formats[name]
  if (ref === undefined || ref === true) return
  if (typeof ref !== 'object' || !('compare' in ref)) {
    throw new Error(`"${keyword}": format "${name}" does not define "compare" function`)
  }
  const own = { key: name, ref, code: _`${code}[${stringify(name)}]` }
  context.fail$data(isWrong(gen.scopeValue('formats', own)))
}
