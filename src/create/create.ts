import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { UsageError } from '../errors/usage-error.ts'
import { suggestion } from '../errors/near-miss.ts'
import { fillFolder } from './fill-folder.ts'
import { packageManagerOf, scriptCommand } from './package-manager.ts'
import { checkPackageName } from './package-name.ts'
import { type Application, type Template, templates, writeApplication } from './templates.ts'

export interface Wanted {
  /** As it was written: relative to the current folder. */
  readonly folder: string
  /** `minimal` if it is not given. */
  readonly template: string | undefined
  readonly env: NodeJS.ProcessEnv
}

/** Makes an application in a folder. Gives what to print: what was made, and what to run next.
 *  @throws UsageError if the folder, its name or the template will not do */
export function create({ folder, template = 'minimal', env }: Wanted): string {
  const target = resolve(folder)
  const name = basename(target)
  if (!isTemplate(template)) throw unknownTemplate(template)
  checkPackageName(name)
  checkFolder(target, folder)
  const application = { name, template, manager: packageManagerOf(env) }
  fillFolder(target, (draft) => writeApplication(draft, application))
  return summaryOf(target, application)
}

const isTemplate = (name: string): name is Template => Object.hasOwn(templates, name)

function unknownTemplate(name: string): UsageError {
  return new UsageError(`There is no template '${name}'`, suggestion(name, Object.keys(templates)))
}

/** A new repository of git is empty to its user. */
const entriesOf = (path: string): string[] => readdirSync(path).filter((name) => name !== '.git')

function checkFolder(target: string, folder: string): void {
  if (!existsSync(target)) return
  if (!statSync(target).isDirectory()) {
    throw new UsageError(`'${folder}' is a file`, 'Name a folder that is new or empty')
  }
  const entries = entriesOf(target)
  if (entries.length === 0) return
  const shown = entries.slice(0, 3).join(', ') + (entries.length > 3 ? ', …' : '')
  throw new UsageError(
    `The folder '${folder}' is not empty: ${shown}`,
    'Name a folder that is new or empty',
  )
}

/** What to look at first. That of `service` leads to its documentation. */
const pages: Readonly<Record<Template, string>> = {
  minimal: 'http://localhost:3000/hello',
  service: 'http://localhost:3000',
  react: 'http://localhost:5173',
  worker: 'http://localhost:8787/hello',
}

function summaryOf(target: string, { name, template, manager }: Application): string {
  const path = relative('', target)
  const commands = [
    ...(path === '' ? [] : [`cd ${/\s/.test(path) ? `"${path}"` : path}`]),
    `${manager} install`,
    scriptCommand(manager, 'dev'),
    scriptCommand(manager, 'test'),
  ]
  return [
    `${name} is made from the template '${template}'. Run:`,
    '',
    ...commands.map((command) => `  ${command}`),
    '',
    `While 'dev' runs, open ${pages[template]}`,
    '',
  ].join('\n')
}
