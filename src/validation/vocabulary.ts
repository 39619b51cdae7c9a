import type { Ajv } from 'ajv'
import { type Bundle, subschemasOf } from '../schema/bundle.ts'
import { isComputed } from '../schema/transform/transforms.ts'
import { kindOfKeyword } from '../schema/keywords.ts'
import type { JsonObject } from '../schema/values.ts'
import { nearMiss } from './near-miss.ts'

/** Keywords of OpenAPI that ajv does not know; the last three stand beside the schema of a response. */
const annotations = ['discriminator', 'xml', 'externalDocs', 'headers', 'links', 'summary']

/** A format of fast-json-stringify's own, and those of JSON Schema (draft 7, 7.3) that ajv leaves to others. */
const moreFormats = ['unsafe', 'idn-email', 'idn-hostname', 'iri', 'iri-reference']

/** Refuses schemas that have a word which an ajv does not know, as it does itself where it compiles them: the schemas of responses
 *  are none of its own, and a serializer passes over a misspelt keyword, with all that it was to keep back. The
 *  options of ajv say how strict that is.
 *  @throws Error */
export function checkVocabulary(ajv: Ajv, bundle: Bundle): void {
  const { strictSchema } = ajv.opts
  if (strictSchema === false) return
  for (const { schema, place } of subschemasOf(bundle)) {
    const problem = findUnknown(ajv, schema, place)
    if (problem === undefined) continue
    if (strictSchema !== 'log') throw new Error(problem)
    ajv.logger.warn(problem)
  }
}

/** Refuses `t.Partial` of a reference and the like. They have no keyword of JSON Schema, so that everything would be valid where
 *  an ajv lets their own words pass.
 *  @throws Error */
export function refuseComputed(bundle: Bundle): void {
  const found = subschemasOf(bundle).find(({ schema }) => isComputed(schema))
  if (found === undefined) return
  const { schema, place } = found
  const what = `t.${String(schema['target'])} of a reference`
  throw new Error(`${what} is not computed at ${place}. Give it the schema itself`)
}

function findUnknown(ajv: Ajv, schema: JsonObject, place: string): string | undefined {
  const keywords = [...Object.keys(ajv.RULES.keywords), ...annotations]
  for (const keyword of Object.keys(schema)) {
    if (keyword.startsWith('x-') || keywords.includes(keyword) || kindOfKeyword(keyword)) continue
    return describeUnknown('keyword', keyword, place, keywords)
  }
  const formats = [...Object.keys(ajv.formats), ...moreFormats]
  const { format, type = 'string' } = schema
  const isOfText = [type].flat().includes('string')
  if (typeof format !== 'string' || !isOfText || !ajv.opts.validateFormats) return undefined
  if (formats.includes(format)) return undefined
  return describeUnknown('format', format, place, formats)
}

function describeUnknown(
  kind: 'keyword' | 'format',
  word: string,
  place: string,
  known: readonly string[],
): string {
  const meant = nearMiss(word, known)
  const value = kind === 'keyword' ? `['${word}']` : `{ '${word}': true }`
  const remedy =
    meant === undefined
      ? `What is meant is declared by ajv: { customOptions: { ${kind}s: ${value} } }`
      : `Did you mean '${meant}'?`
  return `unknown ${kind} '${word}' at ${place}. ${remedy}`
}
