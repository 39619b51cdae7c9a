import {
  createJsonParser,
  textParser,
  type PoisoningAction,
  type TextParser,
} from '../../context/content/default-parsers.ts'
import { readParser, readTypes } from '../../context/content/parser.ts'
import { open, plain, seatOf } from '../seat.ts'
import { HookFace } from './hooks.ts'

/** What turns the content of requests into their bodies. */
export class ContentFace extends HookFace {
  addContentTypeParser(types: unknown, ...rest: readonly unknown[]): this {
    const { path, parsers } = open(this, 'addContentTypeParser').context
    const server = plain(this)
    const [options, given] = typeof rest[0] === 'function' ? [undefined, rest[0]] : rest
    const parser = readParser(options, given, server, path)
    for (const type of listOf(types)) parsers.add(readTypes(type, path), parser)
    return server
  }

  hasContentTypeParser(type: unknown): boolean {
    const { path, parsers } = seatOf(this).context
    return parsers.has(readTypes(type, path))
  }

  removeContentTypeParser(types: unknown): this {
    const { path, parsers } = open(this, 'removeContentTypeParser').context
    for (const type of listOf(types)) parsers.remove(readTypes(type, path))
    return plain(this)
  }

  removeAllContentTypeParsers(): this {
    open(this, 'removeAllContentTypeParsers').context.parsers.removeAll()
    return plain(this)
  }

  getDefaultJsonParser(
    onProtoPoisoning?: PoisoningAction,
    onConstructorPoisoning?: PoisoningAction,
  ): TextParser {
    return createJsonParser({ onProtoPoisoning, onConstructorPoisoning })
  }

  get defaultTextParser(): TextParser {
    return textParser
  }
}

function listOf(types: unknown): readonly unknown[] {
  return Array.isArray(types) ? types : [types]
}
