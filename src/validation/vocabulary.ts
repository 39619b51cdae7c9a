import type { Ajv } from 'ajv'
import { type Bundle, subschemasOf } from '../schema/bundle.ts'
import { isComputed } from '../schema/transform/transforms.ts'
import { kindOfKeyword } from '../schema/keywords.ts'
import type { JsonObject } from '../types/objects.ts'
import { fileKeyword } from './ajv.ts'
import { nearMiss } from '../errors/near-miss.ts'

/** Keywords of OpenAPI that ajv does not know. The last three stand beside the schema of a
 *  response. */
const annotations = ['discriminator', 'xml', 'externalDocs', 'headers', 'links', 'summary']

/** The format of fast-json-stringify itself, and those of JSON Schema (draft 7, 7.3) that
 *  ajv-formats does not have. */
const moreFormats = ['unsafe', 'idn-email', 'idn-hostname', 'iri', 'iri-reference']

/** Refuses response schemas with a keyword or a format that ajv does not know, as ajv does for the
 *  schemas of requests. A serializer ignores a misspelt keyword, and may send what that should
 *  exclude. The option `strictSchema` of ajv turns this off, or makes it a warning.
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

/** Refuses `t.Partial` of a reference and the like. They have no keyword of JSON Schema, so an ajv
 *  that accepts unknown keywords would accept every value.
 *  @throws Error */
export function refuseUncomputed(bundle: Bundle): void {
  const found = subschemasOf(bundle).find(({ schema }) => isComputed(schema))
  if (found === undefined) return
  const what = `t.${String(found.schema['target'])} of a reference`
  throw new Error(`${what} is not computed at ${found.place}. Give it the schema itself`)
}

/** The error of ajv for an unknown keyword or format of a request, with the one that is near. */
export function suggestWord(ajv: Ajv, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const [, kind, word = ''] = /unknown (keyword|format):? "([^"]*)"/.exec(error.message) ?? []
  const known = kind === 'format' ? ajv.formats : ajv.RULES.keywords
  const near = kind === undefined ? undefined : nearMiss(word, Object.keys(known))
  if (near === undefined) return error
  return new Error(`${error.message}. Did you mean '${near}'?`, { cause: error })
}

function findUnknown(ajv: Ajv, schema: JsonObject, place: string): string | undefined {
  if (fileKeyword in schema) return `t.File at ${place} is for bodies. Reply with bytes or a stream`
  const keywords = [...Object.keys(ajv.RULES.keywords), ...annotations]
  const isKnown = (keyword: string) =>
    keyword.startsWith('x-') || keywords.includes(keyword) || kindOfKeyword(keyword) !== undefined
  const unknown = Object.keys(schema).find((keyword) => !isKnown(keyword))
  if (unknown !== undefined) return describeUnknown('keyword', unknown, place, keywords)
  const formats = [...Object.keys(ajv.formats), ...moreFormats]
  const { format, type = 'string' } = schema
  const isChecked = ajv.opts.validateFormats && [type].flat().includes('string')
  if (!isChecked || typeof format !== 'string' || formats.includes(format)) return undefined
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
