import { existsSync } from 'node:fs'
import { compareDocuments } from '../diff.ts'
import type { Change, Level } from '../diff/change.ts'
import type { Command, Given, Result } from '../command.ts'
import { annotation, type FormatName, formatOf, formatOptions } from '../format.ts'
import { isModule, readDocument } from '../source.ts'
import { type Paint, printableCopy, printableJson } from '../terminal.ts'

/** Writes the changes of a document. @param file the newer document, undefined if it is no file */
type Format = (changes: readonly Change[], paint: Paint, file: string | undefined) => string

export const diff: Command = {
  name: 'openapi diff',
  positionals: ['OLD', 'NEW'],
  summary: 'say what a newer document changes for clients; end with 1 if it breaks them',
  details: [
    'OLD and NEW are each a document (JSON or YAML), one in git (origin/main:openapi.json),',
    'or the module of an application.',
  ],
  options: {
    ...formatOptions,
  },
  async run(given): Promise<Result> {
    const [before = '', after = ''] = given.positionals
    const old = await readDocument(before)
    const changes = compareDocuments(old, await readDocument(after))
    return changesResult(changes, given, isModule(after) ? '' : after)
  },
}

/** Writes changes in the format that was asked for.
 *  @param after the file of what is newer */
export function changesResult(found: readonly Change[], given: Given, after: string): Result {
  const changes = sorted(found)
  const name = formatOf(given)
  const shown = name === 'json' ? changes : printableCopy(changes)
  const file = existsSync(after) ? after : undefined
  const isBreaking = changes.some(({ level }) => level === 'breaking')
  return { output: formats[name](shown, given.paint, file), code: isBreaking ? 1 : 0 }
}

const levels = ['breaking', 'warning', 'info'] as const

const sorted = (changes: readonly Change[]): Change[] =>
  levels.flatMap((level) => changes.filter((change) => change.level === level))

const count = (changes: readonly Change[], level: Level): number =>
  changes.filter((change) => change.level === level).length

const colours = { breaking: 'red', warning: 'yellow', info: 'dim' } as const

const where = ({ method, path }: Change): string => `${method} ${path}`.trim() || 'document'

const toText: Format = (changes, paint) => {
  const lines = changes.map((change) => {
    const level = paint(colours[change.level], change.level.padEnd(9))
    return `${level} ${paint('bold', where(change))}  ${change.place}: ${change.text}\n`
  })
  const [breaking, warning, info] = levels.map((level) => count(changes, level))
  const sum = `${breaking} breaking, ${warning} warnings, ${info} others`
  return changes.length === 0 ? 'No changes\n' : `${lines.join('')}\n${sum}\n`
}

const toJson: Format = (changes) => {
  const counts = Object.fromEntries(levels.map((level) => [level, count(changes, level)]))
  return printableJson({ ...counts, changes })
}

const commands = { breaking: 'error', warning: 'warning', info: 'notice' } as const

const toGithub: Format = (changes, paint, file) => {
  const lines = changes.map((change) =>
    annotation(commands[change.level], {
      title: `${change.level}: ${where(change)}`,
      message: `${where(change)} ${change.place}: ${change.text}`,
      file,
    }),
  )
  return lines.length === 0 ? toText(changes, paint, file) : lines.join('')
}

const formats: Readonly<Record<FormatName, Format>> = {
  text: toText,
  json: toJson,
  github: toGithub,
}
