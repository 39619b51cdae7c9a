import { examine, type Findings, type Hazard } from '../check/examine.ts'
import type { Recheck } from '../check/kinds/slow-pattern.ts'
import { withApplication } from '../application.ts'
import type { Command, Result } from '../command.ts'
import { annotation, type FormatName, formatOf, formatOptions } from '../format.ts'
import { loadPackage } from '../packages.ts'
import { type Paint, printableCopy, printableJson } from '../terminal.ts'
import { UsageError } from '../../errors/usage-error.ts'

/** What is found, and what was not looked for. */
interface Report extends Findings {
  /** Why slow patterns were not looked for. */
  readonly withoutRecheck: boolean
}

type Format = (report: Report, paint: Paint, isWhole: boolean) => string

/** The most places of one kind that the text names. */
const mostPlaces = 10

export const check: Command = {
  name: 'check',
  positionals: ['MODULE'],
  summary: 'tell what schemas let happen that nobody expects; end with 1 if they do',
  details: [
    'Each hazard is shown by the smallest input, run through what the route has compiled.',
    "What is meant is said by the schema: t.Integer({ meant: ['null-converted'] }).",
    'Slow patterns are found by the package recheck, if that is installed.',
  ],
  options: {
    all: { help: `name all places; else ${mostPlaces} of each kind` },
    ...formatOptions,
  },
  async run(given): Promise<Result> {
    const [module = ''] = given.positionals
    const recheck = await loadRecheck()
    const findings = await withApplication(module, ({ host }) => examine(host, recheck))
    const report = { ...findings, withoutRecheck: recheck === undefined }
    const name = formatOf(given)
    const shown = name === 'json' ? report : printableCopy(report)
    const output = formats[name](shown, given.paint, given.has('all'))
    return { output, code: findings.hazards.length > 0 ? 1 : 0 }
  },
}

async function loadRecheck(): Promise<Recheck | undefined> {
  // In place of a process in Java or of its own.
  Object.assign(process.env, { RECHECK_BACKEND: 'pure', RECHECK_SYNC_BACKEND: 'pure' })
  try {
    const { checkSync } = await loadPackage('recheck', () => import('recheck'))
    // cast: the function of this name takes these arguments
    return typeof checkSync === 'function' ? (checkSync as Recheck) : undefined
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

const placeOf = ({ route, part, pointer }: Pick<Hazard, 'route' | 'part' | 'pointer'>): string =>
  [route, part, pointer].filter((each) => each !== '').join(' ')

const groupBy = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, Item[]> => {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const toText: Format = (report, paint, isWhole) => {
  const { hazards, unexamined, needless, meant, withoutRecheck } = report
  const kinds = groupBy(hazards, ({ kind }) => kind)
  const sections = [...kinds].map(([kind, list]) => {
    const [{ sentence, remedy } = { sentence: '', remedy: '' }] = list
    const named = isWhole ? list : list.slice(0, mostPlaces)
    const rest = list.length - named.length
    return [
      `${paint('yellow', kind)}  ${paint('bold', sentence)}`,
      ...named.map((each) => `  ${placeOf(each)}  ${each.input} ${each.result}`),
      ...(rest === 0 ? [] : [`  and ${rest} others: --all names them`]),
      paint('dim', `  ${remedy}`),
      paint('dim', `  If it is meant: { meant: ['${kind}'] } on the schema`),
      '',
    ].join('\n')
  })
  const left = [...groupBy(unexamined, ({ reason }) => reason)].map(([reason, list]) => {
    const [first, ...others] = list
    const more = others.length === 0 ? '' : ` and ${others.length} others`
    const place = first === undefined ? '' : placeOf({ ...first, pointer: '' })
    return `not examined: ${place}${more}: ${reason}\n`
  })
  const dead = needless.map(
    (each) => `needless: '${each.kind}' is meant at ${placeOf(each)}, and does not happen\n`,
  )
  const slow = withoutRecheck
    ? ['not examined: how long patterns take. Run: npm install --save-dev recheck\n']
    : []
  const silent = meant === 0 ? '' : `, ${meant} that are meant`
  const sum = `${hazards.length} hazards of ${kinds.size} kinds${silent}\n`
  return [...sections, ...left, ...slow, ...dead, sum].join('')
}

const toGithub: Format = ({ hazards, ...others }, paint, isWhole) => {
  const lines = hazards.map((each) =>
    annotation('error', {
      title: each.kind,
      message: `${placeOf(each)}: ${each.sentence}. ${each.input} ${each.result}. ${each.remedy}`,
      file: undefined,
    }),
  )
  return lines.length > 0 ? lines.join('') : toText({ hazards, ...others }, paint, isWhole)
}

const formats: Readonly<Record<FormatName, Format>> = {
  text: toText,
  json: printableJson,
  github: toGithub,
}
