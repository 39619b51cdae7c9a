import type { Ajv, KeywordCxt, Options } from 'ajv'
import type { Bundle } from '../schema/bundle.ts'
import { createAjv, type AjvSettings } from './ajv.ts'
import { extendKeywords } from './coercion.ts'
import { type Closing, closeBundle } from './strict-schema.ts'
import late from '../packages/late.cjs'

/** The options of an ajv that converts and removes nothing, and knows which fields schemas name. */
const strict: Options = {
  coerceTypes: false,
  removeAdditional: false,
  unevaluated: true,
  // What strict mode adds to a schema has no type beside it.
  strictTypes: false,
}

/** What the values of an ajv are. Text is decoded as JSON writes it. The schemas of replies are
 *  checked by others, who know what a serializer takes. */
const options: Readonly<Record<'text' | 'json' | 'reply', Options>> = {
  text: { ...strict, coerceTypes: 'array' },
  json: strict,
  reply: { ...strict, strict: false, logger: false },
}

/** Makes an ajv of strict mode. */
export function createStrictAjv(settings: AjvSettings, values: keyof typeof options): Ajv {
  const ajv = createAjv({ ...settings, coercesExactly: true }, options[values])
  if (ajv.getKeyword('unevaluatedProperties') === false)
    ajv.addVocabulary(late.ajvUnevaluated().default)
  if (values === 'text') extendKeywords(ajv, ['anyOf'], stopAtFirst)
  nameFields(ajv)
  ajv.addKeyword({ keyword: dropKeyword, type: 'object', code: dropUnnamed })
  return ajv
}

/** Makes the first alternative that fits decode a text. An ajv that knows which fields schemas name
 *  would go on, and decode what has been decoded. */
function stopAtFirst(context: KeywordCxt): void {
  const merge = context.mergeValidEvaluated.bind(context)
  context.mergeValidEvaluated = (alternative, valid) => {
    merge(alternative, valid)
  }
}

/** The keywords that refuse fields, and where their errors have the name of a field. */
const refusing = {
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
} as const

/** Lets an error say which field it refuses. */
function nameFields(ajv: Ajv): void {
  const { _, Name, str } = late.ajv()
  for (const [keyword, param] of Object.entries(refusing)) {
    const definition = ajv.getKeyword(keyword)
    if (typeof definition !== 'object') continue
    definition.error = {
      message: ({ params }) => str`must NOT have the field '${params[param]}'`,
      params: ({ params }) => _`{${new Name(param)}: ${params[param]}}`,
    }
  }
}

/** The keyword that removes the fields of an object which no schema of it has named. ajv knows
 *  their names once it has compiled the other keywords, or once the code has run. */
const dropKeyword = 'espalier-drop'

function dropUnnamed({ gen, data, it }: KeywordCxt): void {
  const { _, Name } = late.ajv()
  const { props = {} } = it
  it.props = true
  if (props === true) return
  gen.forIn('key', data, (key) => {
    const isUnnamed =
      props instanceof Name
        ? _`${props} !== true && !(${props} && ${props}[${key}])`
        : Object.keys(props).reduce((code, name) => _`${code} && ${key} !== ${name}`, _`true`)
    gen.if(isUnnamed, () => gen.code(_`delete ${data}[${key}]`))
  })
}

/** How requests are closed: a field that no schema names is an error. */
const ofRequests = {
  plain: { additionalProperties: false },
  chosen: { unevaluatedProperties: false },
  exactIntegers: true,
}

/** How replies are closed: fields that no schema names were not taken from the payload, but for
 *  those of alternatives that it does not fit. */
const ofReplies: Closing = {
  plain: {},
  chosen: { [dropKeyword]: true },
  leavesRoot: false,
  exactIntegers: false,
}

/** @param isOpen whether the whole value may have other fields, as headers do */
export const closeRequest = (bundle: Bundle, isOpen: boolean): Bundle =>
  closeBundle(bundle, { ...ofRequests, leavesRoot: isOpen })

export const closeReply = (bundle: Bundle): Bundle => closeBundle(bundle, ofReplies)
