// All tests run in one process: a new database in memory takes some seconds.
import { readdir } from 'node:fs/promises'

for (const name of await readdir(import.meta.dirname)) {
  if (name.endsWith('.test.ts')) await import(`./${name}`)
}
