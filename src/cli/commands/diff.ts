import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { compareDocuments } from '../diff.ts'
import type { Change, Level } from '../diff/change.ts'
import type { Command, Result } from '../command.ts'
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
    format: {
      value: 'FORMAT',
      choices: ['text', 'json', 'github'],
      help: 'text, json, or github for annotations of GitHub Actions',
    },
    json: { help: 'the same as --format json' },
  },
  async run(given): Promise<Result> {
    const [before = '', after = ''] = given.positionals
    const old = await readDocument(before)
    const changes = sorted(compareDocuments(old, await readDocument(after)))
    const name = given.has('json') ? 'json' : (given.text('format') ?? 'text')
    const format = formats[name] ?? toText
    const shown = name === 'json' ? changes : printableCopy(changes)
    const file = existsSync(after) && !isModule(after) ? after : undefined
    const isBreaking = changes.some(({ level }) => level === 'breaking')
    return { output: format(shown, given.paint, file), code: isBreaking ? 1 : 0 }
  },
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

/** Commands for GitHub Actions, which shows them beside the file.
 *  See https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
const toGithub: Format = (changes, paint, file) => {
  // GitHub knows files by their paths from the top of the repository.
  const { GITHUB_WORKSPACE: top } = process.env
  const path = file !== undefined && top !== undefined ? relative(top, file) : file
  const at = path === undefined ? '' : `file=${escapeProperty(path)},`
  const lines = changes.map((change) => {
    const title = escapeProperty(`${change.level}: ${where(change)}`)
    const message = escapeMessage(`${where(change)} ${change.place}: ${change.text}`)
    return `::${commands[change.level]} ${at}title=${title}::${message}\n`
  })
  return lines.length === 0 ? toText(changes, paint, file) : lines.join('')
}

const escapeMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

const formats: Readonly<Record<string, Format>> = { text: toText, json: toJson, github: toGithub }
