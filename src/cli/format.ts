import { relative } from 'node:path'
import type { Given, Option } from './command.ts'

const names = ['text', 'json', 'github'] as const

/** How a command writes what it found. */
export type FormatName = (typeof names)[number]

/** The options of a command that writes in these formats. */
export const formatOptions: Readonly<Record<'format' | 'json', Option>> = {
  format: {
    value: 'FORMAT',
    choices: names,
    help: 'text, json, or github for annotations of GitHub Actions',
  },
  json: { help: 'the same as --format json' },
}

export function formatOf(given: Given): FormatName {
  if (given.has('json')) return 'json'
  const named = given.text('format')
  return names.find((name) => name === named) ?? 'text'
}

/** What GitHub Actions shows. */
interface Annotation {
  readonly title: string
  readonly message: string
  /** The file that it is shown beside; undefined for none. */
  readonly file: string | undefined
}

/** A command for GitHub Actions.
 *  See https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
export function annotation(
  level: 'error' | 'warning' | 'notice',
  { title, message, file }: Annotation,
): string {
  // GitHub knows files by their paths from the top of the repository.
  const { GITHUB_WORKSPACE: top } = process.env
  const path = file !== undefined && top !== undefined ? relative(top, file) : file
  const at = path === undefined ? '' : `file=${escapeProperty(path)},`
  return `::${level} ${at}title=${escapeProperty(title)}::${escapeMessage(message)}\n`
}

const escapeMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
