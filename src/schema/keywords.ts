/** The kinds of values that keywords have (JSON Schema draft 7, 6 to 10): a schema; schemas in an
 *  array (or one alone); a map of schemas; data; or something that only organises the document. */
type KeywordKind = 'schema' | 'schemas' | 'map' | 'data' | 'document'

/** The marks of TypeBox 1.x, which an option of TypeBox makes enumerable. */
const marks = ['~kind', '~optional', '~readonly', '~immutable', '~unsafe', '~codec', '~refine']

/** No keyword: a copy of a schema would inherit from its value. ajv ignores it too. */
const prototype = '__proto__'

const kinds: ReadonlyMap<string, KeywordKind> = new Map(
  Object.entries({
    document: [
      '$id',
      '$anchor',
      '$schema',
      '$comment',
      'definitions',
      '$defs',
      // Which hazards are meant, for the command `espalier check`.
      'meant',
      prototype,
      ...marks,
    ],
    schema: [
      'additionalItems',
      'additionalProperties',
      'contains',
      'else',
      'if',
      'not',
      'propertyNames',
      'then',
      'unevaluatedItems',
      'unevaluatedProperties',
    ],
    schemas: ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'],
    map: ['dependencies', 'dependentSchemas', 'patternProperties', 'properties'],
    data: ['const', 'default', 'enum', 'example', 'examples', 'required', 'type'],
  } satisfies Record<KeywordKind, string[]>).flatMap(([kind, keywords]) =>
    // cast: the keys of the literal are the kinds, which Object.entries forgets
    keywords.map((keyword) => [keyword, kind as KeywordKind] as const),
  ),
)

/** The kind of a keyword; undefined for the keywords of an ajv plugin. */
export function kindOfKeyword(keyword: string): KeywordKind | undefined {
  return kinds.get(keyword)
}
