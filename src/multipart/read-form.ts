import type { Readable } from 'node:stream'
import { parse as parseJson } from 'secure-json-parse'
import { errorCodes } from '../errors/codes.ts'
import type { FileRule, FormFields } from './file-fields.ts'
import type { StoredFiles } from './stored-files.ts'

/** A part of a form, as @fastify/multipart gives it. */
export type FormPart =
  | {
      readonly type: 'field'
      readonly fieldname: string
      readonly value: unknown
      readonly valueTruncated: boolean
    }
  | {
      readonly type: 'file'
      readonly fieldname: string
      readonly filename: string | undefined
      readonly mimetype: string
      readonly file: Readable
    }

type FilePart = Extract<FormPart, { type: 'file' }>

/** What a form may have. */
export interface FormRules {
  readonly fields: FormFields
  readonly fileSize: number
  readonly fileCount: number
  readonly partCount: number
  /** The largest size of all fields together, in bytes. */
  readonly textSize: number
}

/** Reads a form: a field that comes several times becomes a list.
 *  @throws ESP_ERR_MULTIPART_INVALID, ESP_ERR_MULTIPART_TOO_LARGE, and errors of the disk */
export async function readForm(
  parts: AsyncIterator<FormPart>,
  rules: FormRules,
  stored: StoredFiles,
): Promise<Record<string, unknown>> {
  const form: Record<string, unknown> = {}
  const reader = new FormReader(rules, stored)
  for (;;) {
    const next = await parts.next().catch(blameClient)
    if (next.done === true) return form
    const part = next.value
    reader.count(part)
    if (part.type === 'field') {
      reader.measure(part)
      add(form, part.fieldname, part.value)
      continue
    }
    if (reader.isJson(part)) {
      const value = await reader.readJson(part)
      add(form, part.fieldname, value, !Array.isArray(value) && reader.isList(part))
      continue
    }
    const file = await reader.readFile(part)
    if (file !== undefined) add(form, part.fieldname, file, reader.ruleOf(part)?.isList)
  }
}

function add(form: Record<string, unknown>, name: string, value: unknown, isList = false): void {
  const present = form[name]
  if (Array.isArray(present)) present.push(value)
  else if (present !== undefined) form[name] = [present, value]
  else form[name] = isList ? [value] : value
}

class FormReader {
  readonly #rules: FormRules
  readonly #stored: StoredFiles
  #parts = 0
  #files = 0
  #textSize = 0

  constructor(rules: FormRules, stored: StoredFiles) {
    this.#rules = rules
    this.#stored = stored
  }

  count(part: FormPart): void {
    const { fieldname } = part
    const { partCount, fileCount } = this.#rules
    if (!fieldname) throw invalid('a part has no name')
    if (++this.#parts > partCount) throw tooLarge(fieldname, `more than ${partCount} parts`)
    if (part.type === 'file' && !this.isJson(part) && ++this.#files > fileCount)
      throw tooLarge(fieldname, `more than ${fileCount} files`)
  }

  measure({ fieldname, value, valueTruncated }: Extract<FormPart, { type: 'field' }>): void {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const bytes = fieldname.length + Buffer.byteLength(text)
    this.#addText(fieldname, valueTruncated ? Infinity : bytes)
  }

  #addText(field: string, bytes: number): void {
    const { textSize } = this.#rules
    this.#textSize += bytes
    if (this.#textSize > textSize) throw tooLarge(field, `fields of more than ${textSize} bytes`)
  }

  /** Whether it is a field of JSON. `FormData` gives a Blob the name of a file, 'blob'. */
  isJson(part: FilePart): boolean {
    if (part.mimetype !== 'application/json') return false
    if (this.#rules.fields.files === undefined) return part.filename === 'blob'
    return this.ruleOf(part) === undefined
  }

  isList({ fieldname }: FilePart): boolean {
    return this.#rules.fields.lists.has(fieldname)
  }

  async readJson({ fieldname, file }: FilePart): Promise<unknown> {
    const chunks: Buffer[] = []
    for await (const chunk of withBlame(file)) {
      this.#addText(fieldname, chunk.length)
      chunks.push(chunk)
    }
    try {
      return parseJson(String(Buffer.concat(chunks)))
    } catch (error) {
      const reason = this.#rules.fields.isSensitive ? '' : `: ${(error as Error).message}`
      throw invalid(`'${fieldname}' is not JSON${reason}`)
    }
  }

  ruleOf({ fieldname }: FilePart): FileRule | undefined {
    const { files } = this.#rules.fields
    return files?.get(fieldname) ?? files?.get(undefined)
  }

  /** Undefined where no file was chosen: a browser sends an empty file without a name then. */
  async readFile(part: FilePart): Promise<File | undefined> {
    const { fieldname, filename = '', mimetype: type, file: stream } = part
    const { fileSize } = this.#rules
    const rule = this.ruleOf(part)
    let size = 0
    const check = (now: number): void => {
      size = now
      if (this.#rules.fields.files !== undefined && rule === undefined)
        throw invalid(`'${fieldname}' is a file, which the schema does not have there`)
      if (rule?.types?.every((each) => !fits(type, each)) === true)
        throw invalid(`'${fieldname}' is of type '${type}', but takes ${rule.types.join(', ')}`)
      const limit = rule?.maxSize ?? fileSize
      if (now > limit) throw tooLarge(fieldname, `a file of more than ${limit} bytes`)
    }
    const file = await this.#stored.store(withBlame(stream), { name: filename, type }, check)
    if (size === 0 && filename === '') return undefined
    check(size)
    return file
  }
}

/** The chunks of a file. An error of the stream is one of the client. */
async function* withBlame(stream: Readable): AsyncGenerator<Buffer, void, undefined> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  try {
    for (;;) {
      const next = await chunks.next().catch(blameClient)
      if (next.done === true) return
      yield next.value
    }
  } finally {
    stream.destroy()
  }
}

/** Whether a media type is one, such as `image/png` or `image/*`. */
function fits(type: string, wanted: string): boolean {
  return wanted.endsWith('/*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted
}

/** Throws an error of the parser, or of a connection that ended, with status 400. */
function blameClient(error: unknown): never {
  throw new errorCodes.ESP_ERR_MULTIPART_INVALID((error as Error).message, error)
}

const invalid = (problem: string): Error => new errorCodes.ESP_ERR_MULTIPART_INVALID(problem)

const tooLarge = (field: string, what: string): Error =>
  new errorCodes.ESP_ERR_MULTIPART_TOO_LARGE(field, what)
