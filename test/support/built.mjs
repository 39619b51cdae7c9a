// What imports 'espalier' in this folder gets `dist/`. Imported by tests and scripts that do: it ends the process where
// the build is older than the source, since they would test what is no more there.
import { readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
/** The last step of the build writes it. */
const built = join(root, 'dist/fastify/modules.d.cts')

/** When a file or a folder was changed, in milliseconds; 0 if it is not there. */
const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** The file or folder of the source that was changed last. A folder changes when a file in it is deleted. */
function newestSource() {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const paths = ['src', ...names.map((name) => join('src', name))].filter(
    (path) => !path.endsWith('.md'),
  )
  return paths.reduce((newest, path) =>
    changed(join(root, path)) > changed(join(root, newest)) ? path : newest,
  )
}

const newest = newestSource()
const time = changed(built)
if (time < changed(join(root, newest))) {
  const reason = time === 0 ? 'There is no build' : `${relative('.', newest)} is newer than dist/`
  console.error(`${reason}. These tests take the built package. Run: npm run build`)
  process.exit(1)
}
