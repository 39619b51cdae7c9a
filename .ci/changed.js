// What a change is: for `npm run check` and `npm run test:changed`.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const cwd = resolve(import.meta.dirname, '..')

/** The lines that git prints. None where it fails, as without a repository. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : []
}

/** The commit where a branch left `main`. Undefined on `main` itself. */
function whereItLeft() {
  const [head] = git('rev-parse', 'HEAD')
  const left = ['origin/main', 'main'].flatMap((name) => git('merge-base', name, 'HEAD'))
  return left.find((commit) => commit !== head)
}

/** The files that differ from where the branch left `main`: by commits, in the index and the folder, and those that git
 *  does not know yet. Paths from the root of the project. On `main` itself they differ from the commit that the variable
 *  CHECK_SINCE names, which a push knows, else from the last one. */
export function changedFiles() {
  const base = whereItLeft() ?? (process.env.CHECK_SINCE || 'HEAD')
  const others = git('ls-files', '--others', '--exclude-standard')
  return [...git('diff', '--name-only', base), ...others]
}
