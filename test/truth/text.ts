// Requests whose parts are text, made of values by what the document says of its parameters.
import type { Operation, Parameter } from '../../src/openapi/index.ts'
import type { Json, JsonMap } from '../soundness/sketch.ts'
import { canBeCoerced } from './coercion.ts'
import type { DocumentReader, Node } from './document.ts'
import { serialize, type Pairs } from './serialize.ts'

/** What a document says of a request. No claim is made where a documented conversion makes it valid. */
export type Verdict = 'accepts' | 'no claim' | 'refuses'

/** A request, and what the document says of it. */
export interface TextRequest {
  readonly pairs: Pairs
  readonly verdict: Verdict
}

/** Texts by name. */
export type Texts = Readonly<Record<string, readonly string[]>>

/** Values are sent, or texts as they are. */
export type Sending = { readonly values: JsonMap } | { readonly texts: Texts }

/** Writes what is sent for the parameters of an operation. */
export function writeText(
  reader: DocumentReader,
  operation: Node<Operation>,
  sending: Sending,
): TextRequest {
  const parameters = operation.value.parameters ?? []
  const requests = parameters.map((value, index) =>
    writeParameter(
      reader,
      { value, path: [...operation.path, 'parameters', String(index)] },
      sending,
    ),
  )
  return {
    pairs: requests.flatMap(({ pairs }) => pairs),
    verdict: join(requests.map(({ verdict }) => verdict)),
  }
}

/** Writes a form, whose schema stands at some keys: as a query of an object. */
export function writeForm(
  reader: DocumentReader,
  path: readonly string[],
  sending: Sending,
): TextRequest {
  const value = { name: whole, in: 'query', required: true } as const
  return writeParameter(reader, { value, path }, sending)
}

function writeParameter(
  reader: DocumentReader,
  parameter: Node<Parameter>,
  sending: Sending,
): TextRequest {
  const { required = false } = parameter.value
  const { pairs, value } = select(parameter.value, sending)
  if (pairs.length === 0) return { pairs, verdict: required ? 'refuses' : 'accepts' }
  return { pairs, verdict: judge(reader, parameter, pairs, value) }
}

const join = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.find((each) => each === 'refuses') ??
  verdicts.find((each) => each === 'no claim') ??
  'accepts'

/** What is sent for one parameter: the texts, and the value that they were written of. */
function select(parameter: Parameter, sending: Sending): { pairs: Pairs; value?: Json } {
  if ('texts' in sending) {
    const entries = Object.entries(sending.texts).filter(([name]) => isOf(parameter, name))
    const pairs = entries.flatMap(([name, texts]) => texts.map((text) => [name, text] as const))
    return { pairs: pairs.filter(([, text]) => canStand(parameter, text)) }
  }
  const { values } = sending
  const entries = Object.entries(values).filter(
    ([name, value]) => isOf(parameter, name) && write(parameter, name, value) !== undefined,
  )
  const value = isWhole(parameter) ? Object.fromEntries(entries) : entries[0]?.[1]
  const pairs = entries.flatMap(([name, each]) => write(parameter, name, each) ?? [])
  return { pairs, ...(value !== undefined && { value }) }
}

/** The texts of a value under a name. In an object that is written as a whole, each property is a parameter. */
function write(parameter: Parameter, name: string, value: Json): Pairs | undefined {
  const pairs = serialize({ ...parameter, name }, value)
  return pairs?.every(([, text]) => canStand(parameter, text)) ? pairs : undefined
}

const whole = 'query'

/** Whether a parameter has all names of the query: an object in this style has each property as a parameter of its own. */
function isWhole({ name, in: place }: Parameter): boolean {
  return place === 'query' && name === whole
}

const isOf = (parameter: Parameter, name: string): boolean =>
  isWhole(parameter) || parameter.name === name

/** Whether a text can stand in its place: HTTP trims headers, and a path has no empty parts. */
function canStand({ in: place }: Parameter, text: string): boolean {
  if (place === 'header') return text === text.trim() && text !== ''
  return place !== 'path' || text !== ''
}

function judge(
  reader: DocumentReader,
  { value: parameter, path }: Node<Parameter>,
  pairs: Pairs,
  value: Json | undefined,
): Verdict {
  const at = [...path, 'schema']
  if (value !== undefined && reader.validator(at)(value)) return 'accepts'
  const texts = isWhole(parameter) ? grouped(pairs) : oneOrMore(pairs.map(([, text]) => text))
  return canBeCoerced(reader.convertedValidator(at), texts) ? 'no claim' : 'refuses'
}

const oneOrMore = (texts: string[]): Json => (texts.length === 1 ? (texts[0] ?? '') : texts)

function grouped(pairs: Pairs): JsonMap {
  const names = [...new Set(pairs.map(([name]) => name))]
  return Object.fromEntries(
    names.map((name) => [
      name,
      oneOrMore(pairs.filter(([each]) => each === name).map(([, text]) => text)),
    ]),
  )
}
