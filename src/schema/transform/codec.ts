import { isPlainObject, type JsonObject } from '../../types/objects.ts'
import {
  type Codec,
  createListCodec,
  createObjectCodec,
  createUnionDecoder,
  createUnionEncoder,
  type Direction,
  type FieldCodecs,
  joinCodecs,
  type Matchers,
  RefinementFailure,
} from './structure.ts'
import {
  definitionOf,
  holds,
  referencesOf,
  type Refinement,
  refinementsOf,
  type Transform,
  transformingDefinitions,
  transformOf,
  wholeNumber,
} from './transforms.ts'

/** Keywords below which types ignore a transform. */
const untyped = ['then', 'else', 'dependencies', 'dependentSchemas', '$merge', '$patch']

/** Keywords that only test a value, so that nothing below them is decoded. */
const unchanging = ['not', 'if', 'contains', 'propertyNames']

/** Compiles the transforms and refinements of a bundle. Decoding goes from the inside out, encoding
 *  from the outside in. Undefined if there are none.
 *  @throws for a transform or a refinement in a place where it has no effect */
export function compileCodec(
  bundle: JsonObject,
  direction: Direction,
  matchers: Matchers,
): Codec | undefined {
  return new CodecCompiler(bundle, direction, matchers).compile(bundle)
}

class CodecCompiler {
  readonly #definitions: JsonObject
  readonly #transforming: ReadonlySet<string>
  readonly #direction: Direction
  readonly #matchers: Matchers
  readonly #codecs = new Map<string, Codec | undefined>()

  constructor(bundle: JsonObject, direction: Direction, matchers: Matchers) {
    const { definitions } = bundle
    this.#definitions = isPlainObject(definitions) ? definitions : {}
    this.#transforming = transformingDefinitions(this.#definitions)
    this.#direction = direction
    this.#matchers = matchers
  }

  compile(schema: unknown): Codec | undefined {
    if (!isPlainObject(schema)) return undefined
    for (const keyword of untyped) this.#refuse(keyword, schema[keyword])
    for (const keyword of unchanging) refuseRefinements(keyword, schema[keyword])
    const inner = joinCodecs([
      this.#reference(schema['$ref']),
      this.#object(schema),
      this.#list(schema),
      ...asList(schema['allOf']).map((each) => this.compile(each)),
      this.#union('anyOf', schema['anyOf']),
      this.#union('oneOf', schema['oneOf']),
    ])
    return this.#refined(refinementsOf(schema), this.#transformed(inner, transformOf(schema)))
  }

  #transformed(inner: Codec | undefined, transform: Transform | undefined): Codec | undefined {
    const isDecoder = this.#direction === 'decode'
    if (transform === undefined || (transform === wholeNumber && !isDecoder)) return inner
    const { Decode, Encode } = transform
    if (isDecoder) {
      return (value, trail) => Decode(inner === undefined ? value : inner(value, trail))
    }
    return (value, trail) => (inner === undefined ? Encode(value) : inner(Encode(value), trail))
  }

  /** Refinements check values before they are decoded. Replies are not validated. */
  #refined(refinements: readonly Refinement[], codec: Codec | undefined): Codec | undefined {
    if (refinements.length === 0 || this.#direction === 'encode') return codec
    return (value, trail) => {
      const failed = refinements.find(({ check }) => !check(value))
      if (failed !== undefined) throw new RefinementFailure(failed.error(value))
      return codec === undefined ? value : codec(value, trail)
    }
  }

  /** A definition may refer to itself, so its codec is looked up at the first use. */
  #reference(reference: unknown): Codec | undefined {
    const name = definitionOf(reference)
    if (name === undefined || !this.#transforming.has(name)) return undefined
    if (!this.#codecs.has(name)) {
      this.#codecs.set(name, undefined)
      this.#codecs.set(name, this.compile(this.#definitions[name]))
    }
    return (value, trail) => {
      const codec = this.#codecs.get(name)
      return codec === undefined ? value : codec(value, trail)
    }
  }

  #object({ properties, patternProperties, additionalProperties }: JsonObject): Codec | undefined {
    const named = new Map<string, Codec>()
    for (const [name, schema] of entriesOf(properties)) {
      const codec = this.compile(schema)
      if (codec !== undefined) named.set(name, codec)
    }
    const patterns = entriesOf(patternProperties).map(([pattern, schema]) => ({
      pattern: new RegExp(pattern, 'u'),
      codec: this.compile(schema),
    }))
    const others = this.compile(additionalProperties)
    const isOpen = others !== undefined || patterns.some(({ codec }) => codec !== undefined)
    if (!isOpen && named.size === 0) return undefined
    const find: FieldCodecs['find'] = (name) => {
      if (!isOpen) return named.get(name)
      const fitting = patterns.filter(({ pattern }) => pattern.test(name))
      const isListed = isPlainObject(properties) && Object.hasOwn(properties, name)
      if (!isListed && fitting.length === 0) return others
      return joinCodecs([named.get(name), ...fitting.map(({ codec }) => codec)])
    }
    return createObjectCodec({ named, isOpen, find }, this.#direction)
  }

  #list({ items, additionalItems }: JsonObject): Codec | undefined {
    const first = asList(items).map((item) => this.compile(item))
    const others = this.compile(Array.isArray(items) ? additionalItems : items)
    const changes = others !== undefined || first.some((codec) => codec !== undefined)
    return changes ? createListCodec(first, others) : undefined
  }

  #union(keyword: string, schemas: unknown): Codec | undefined {
    const isEncoder = this.#direction === 'encode'
    const all = isEncoder
      ? asList(schemas).flatMap((each) => this.#leavesOf(each))
      : asList(schemas)
    const members = all.map((given) => ({
      schema: isPlainObject(given) ? { ...given, definitions: this.#definitions } : given === true,
      codec: this.compile(given),
    }))
    if (members.every(({ codec }) => codec === undefined)) return undefined
    return isEncoder
      ? createUnionEncoder(members, this.#matchers)
      : createUnionDecoder(members, this.#matchers, keyword)
  }

  /** The members of a union with those of unions inside: one of these may accept a value that a
   *  member outside would encode. */
  #leavesOf(schema: unknown, above: readonly unknown[] = []): readonly unknown[] {
    if (!isPlainObject(schema) || above.includes(schema)) return [schema]
    const name = definitionOf(schema['$ref'])
    const target = name === undefined ? schema : this.#definitions[name]
    const isEncoded = [schema, target].some((each) => isPlainObject(each) && transformOf(each))
    const inner = isPlainObject(target) && !isEncoded ? onlyUnionOf(target) : undefined
    return inner?.flatMap((each) => this.#leavesOf(each, [...above, schema])) ?? [schema]
  }

  #refuse(keyword: string, value: unknown): void {
    const leads = referencesOf(value).some((name) => this.#transforming.has(name))
    if (leads || holds(value, 'transform')) {
      const what = 'Type.Codec, Type.Refine, t.BigInt or t.Transform'
      throw new Error(`a ${what} cannot stand below '${keyword}': no type would know of it`)
    }
  }
}

function refuseRefinements(keyword: string, value: unknown): void {
  if (!holds(value, 'refinement')) return
  throw new Error(`a Type.Refine cannot stand below '${keyword}': it would not be asked`)
}

/** The members of a schema that is only a union, with annotations at most. */
function onlyUnionOf({ anyOf, oneOf, ...beside }: JsonObject): readonly unknown[] | undefined {
  const isOnly = Object.keys(beside).every((keyword) => annotations.includes(keyword))
  const members = anyOf ?? oneOf
  const isOne = anyOf === undefined || oneOf === undefined
  return isOnly && isOne && Array.isArray(members) ? members : undefined
}

const annotations = [
  'title',
  'description',
  'examples',
  'default',
  'deprecated',
  'readOnly',
  '$comment',
]

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function entriesOf(map: unknown): [string, unknown][] {
  return isPlainObject(map) ? Object.entries(map) : []
}
