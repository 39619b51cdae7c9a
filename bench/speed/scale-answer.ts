// Reads one answer of HTTP/1.1 from raw bytes.
import type { Answer } from './scenarios.ts'

const headEnd = '\r\n\r\n'
const lastChunk = '0\r\n\r\n'

export class AnswerReader {
  #text = ''
  /** The characters of the whole answer; undefined as long as it is not known; Infinity for chunks. */
  #size: number | undefined

  /** Whether the answer has begun. */
  get begun(): boolean {
    return this.#text !== ''
  }

  /** Takes what came, and tells whether the answer is whole. */
  add(part: Buffer): boolean {
    this.#text += part.toString('latin1')
    this.#size ??= this.#readHead()
    if (this.#size === undefined) return false
    return this.#size === Infinity
      ? this.#text.endsWith(lastChunk)
      : this.#text.length >= this.#size
  }

  #readHead(): number | undefined {
    const at = this.#text.indexOf(headEnd)
    if (at < 0) return undefined
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.#text.slice(0, at))?.[1]
    return length === undefined ? Infinity : at + headEnd.length + Number(length)
  }

  /** Whether it is the answer that is wanted, and nothing more. Bodies are of ASCII. */
  is({ status, text = '' }: Answer): boolean {
    const at = this.#text.indexOf(headEnd) + headEnd.length
    const body = this.#text.slice(at)
    const found = this.#size === Infinity ? unchunk(body) : body
    return this.#text.startsWith(`HTTP/1.1 ${status} `) && found === text
  }

  /** The begin of the answer, for messages. */
  get begin(): string {
    return JSON.stringify(this.#text.slice(0, 300))
  }
}

/** The content of a body in chunks. What follows the last one is kept, so that it is seen. */
function unchunk(body: string): string {
  let content = ''
  let at = 0
  while (at < body.length) {
    const line = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.slice(at, line), 16)
    if (!(size > 0)) return content + body.slice(line + headEnd.length)
    content += body.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
  return content
}
