import type { Ajv, KeywordCxt, Options } from 'ajv'
import type { Bundle } from '../schema/bundle.ts'
import { createAjv, type AjvSettings } from './ajv.ts'
import { extendKeywords } from './coercion.ts'
import { testKeyword } from './runtime.ts'
import { type Closing, closeBundle, hasChoice } from './strict-schema.ts'
import type { JsonObject } from '../types/objects.ts'
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
  reply: { ...strict, passContext: true, strict: false, logger: false },
}

/** Makes an ajv of strict mode.
 *  @param over more options */
export function createStrictAjv(
  settings: AjvSettings,
  values: keyof typeof options,
  over: Options = {},
): Ajv {
  const ajv = createAjv({ ...settings, coercesExactly: true }, { ...options[values], ...over })
  if (ajv.getKeyword('unevaluatedProperties') === false)
    ajv.addVocabulary(late.ajvUnevaluated().default)
  extendKeywords(ajv, ['anyOf', 'oneOf', 'if', 'dependencies', 'dependentSchemas'], nameIfValid)
  if (values === 'text') extendKeywords(ajv, ['anyOf'], stopAtFirst)
  extendKeywords(ajv, ['unevaluatedProperties'], dropInherited)
  nameFields(ajv)
  if (values === 'reply') {
    extendKeywords(ajv, ['anyOf', 'oneOf'], undoNotes)
    ajv.addKeyword({ keyword: noteKeyword, type: 'object', code: note })
  }
  ajv.addKeyword(fields)
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

/** Lets schemas that hold under a condition name fields only where they hold. ajv would take the
 *  names of the first one, and those of each `if`, also where it fails. */
function nameIfValid(context: KeywordCxt): void {
  const { Name, _, stringify } = late.ajv()
  const { gen, it } = context
  const { props } = it
  if (props !== true && !(props instanceof Name))
    it.props = gen.var('props', props === undefined ? _`{}` : stringify(props))
  if (context.keyword !== 'if') return
  const apply = context.subschema.bind(context)
  const merge = context.mergeEvaluated.bind(context)
  context.subschema = (schema, valid) => {
    if (schema.keyword === 'if')
      context.mergeEvaluated = (condition) => gen.if(valid, () => merge(condition, Name))
    else context.mergeEvaluated = merge
    return apply(schema, valid)
  }
}

/** Keeps ajv from taking a field such as `constructor` for one that a schema has named: it looks
 *  the field up in an object of all names. */
function dropInherited({ gen, it: { props } }: KeywordCxt): void {
  const { _, Name } = late.ajv()
  if (!(props instanceof Name)) return
  gen.if(_`typeof ${props} == "object"`, () => gen.code(_`Object.setPrototypeOf(${props}, null)`))
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

/** The keyword that refuses objects which are written otherwise than by their fields: those of
 *  classes, and those with `toJSON`. Copies have no such objects. */
const fields = testKeyword('espalier-fields', 'hasFields', { type: 'object' })

/** A keyword that notes which fields of an object its schemas name. ajv knows them once it has
 *  compiled the other keywords, or once the code has run. */
const noteKeyword = 'espalier-note'

/** An object with the names that a schema of it has: all, or those of the keys. */
export type Note = readonly [object: Record<string, unknown>, names: true | object | undefined]

function note({ gen, data, it: { props } }: KeywordCxt): void {
  const { _, Name, stringify } = late.ajv()
  const names = props instanceof Name ? props : stringify(props ?? {})
  gen.code(_`this.push([${data}, ${names}])`)
}

/** Takes back what an alternative that fails has noted. */
function undoNotes(context: KeywordCxt): void {
  const { _ } = late.ajv()
  const { gen } = context
  const apply = context.subschema.bind(context)
  context.subschema = (schema, valid) => {
    const length = gen.const('length', _`this.length`)
    const applied = apply(schema, valid)
    gen.if(_`!${valid}`, () => gen.code(_`this.length = ${length}`))
    return applied
  }
}

const refused = {
  plain: { additionalProperties: false },
  chosen: { unevaluatedProperties: false },
}

/** How requests are closed: a field that no schema names is an error. */
const ofRequests = {
  whole: refused,
  open: {},
  alternative: refused,
  named: {},
  exactIntegers: true,
}

/** How replies are closed: what no schema names was not taken from the payload. */
const ofReplies: Closing = {
  whole: { plain: {}, chosen: {} },
  open: {},
  alternative: refused,
  named: { [fields.keyword]: true },
  leavesRoot: false,
  exactIntegers: false,
}

/** The same where it depends on the payload which fields are named. */
const noted = { [noteKeyword]: true }
const ofChoices: Closing = {
  ...ofReplies,
  whole: { plain: noted, chosen: noted },
  open: noted,
}

/** @param isOpen whether the whole value may have other fields, as headers do */
export const closeRequest = (bundle: Bundle, isOpen: boolean): Bundle =>
  closeBundle(bundle, { ...ofRequests, leavesRoot: isOpen })

/** A schema whose references all point into itself, closed as those of requests are. */
export const closeSchema = (schema: JsonObject): JsonObject =>
  closeRequest({ schema, text: undefined, merges: false, origins: new Map() }, false).schema

export const closeReply = (bundle: Bundle): Bundle =>
  closeBundle(bundle, hasChoice(bundle) ? ofChoices : ofReplies)
