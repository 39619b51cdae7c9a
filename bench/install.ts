// Installs packages outside of the project's own.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes a folder a package with these dependencies: versions by names. @throws what npm says where it fails */
export function install(folder: string, dependencies: Readonly<Record<string, string>>): void {
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  )
  const args = 'install --no-audit --no-fund --ignore-scripts --loglevel=error'
  const npm = process.env['npm_execpath']
  const options = { cwd: folder, encoding: 'utf8' as const }
  const { status, stderr } = npm
    ? spawnSync(process.execPath, [npm, ...args.split(' ')], options)
    : spawnSync(`npm ${args}`, { ...options, shell: true })
  if (status !== 0) {
    throw new Error(`it cannot be installed.\n${stderr.split('\n').slice(0, 5).join('\n')}`)
  }
}
