import { errorCodes } from '../../errors/codes.ts'
import type { BodyParser, TypeKey } from './parser.ts'
import { ParserChoice, type ParserEntry } from './parser-choice.ts'

/** The content-type parsers of one context, linked to those of its parent: what is added there later is
 *  seen here too, unless it was removed here. */
export class ContentTypeParsers {
  readonly #place: string
  readonly #parent: ContentTypeParsers | undefined
  readonly #own = new Map<string, ParserEntry>()
  /** What the parent has, and this context has not. */
  readonly #removed = new Set<string>()
  #isCut = false
  #choice: ParserChoice | undefined

  /** @param place what error messages call the context */
  constructor(place: string, parent?: ContentTypeParsers) {
    this.#place = place
    this.#parent = parent
  }

  /** Adds a parser, which may replace one that is built in; that for `'*'` replaces any.
   *  @throws ESP_ERR_CTP_ALREADY_PRESENT */
  add({ key, types }: TypeKey, parser: BodyParser): void {
    const present = this.#find(key)
    if (present !== undefined && !present.parser.isDefault && key !== '*') {
      throw new errorCodes.ESP_ERR_CTP_ALREADY_PRESENT(key, this.#place)
    }
    // The newest stands last.
    this.#own.delete(key)
    this.#own.set(key, { types, parser })
  }

  has({ key }: TypeKey): boolean {
    return this.#find(key) !== undefined
  }

  /** Removes a parser from this context and those below. */
  remove({ key }: TypeKey): void {
    this.#own.delete(key)
    this.#removed.add(key)
  }

  /** Removes all parsers from this context and those below, the built-in ones included. */
  removeAll(): void {
    this.#own.clear()
    this.#isCut = true
  }

  /** What requests of this context choose from, when booting is over. */
  choice(): ParserChoice {
    const isParents = this.#own.size === 0 && this.#removed.size === 0 && !this.#isCut
    if (isParents && this.#parent !== undefined) return this.#parent.choice()
    this.#choice ??= new ParserChoice([...this.#visible().values()])
    return this.#choice
  }

  #find(key: string): ParserEntry | undefined {
    const own = this.#own.get(key)
    if (own !== undefined || this.#parent === undefined || this.#hides(key)) return own
    return this.#parent.#find(key)
  }

  #hides(key: string): boolean {
    return this.#isCut || this.#removed.has(key)
  }

  /** The newest first: those of this context, then those of its parent. */
  #visible(): Map<string, ParserEntry> {
    const visible = new Map([...this.#own].reverse())
    if (this.#parent === undefined) return visible
    for (const [key, entry] of this.#parent.#visible()) {
      if (!visible.has(key) && !this.#hides(key)) visible.set(key, entry)
    }
    return visible
  }
}
