// Before the tests: an empty PGlite, of which each file of tests copies one. To make one takes seconds. The contract is
// written from a copy as well, also where the tests use PostgreSQL.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { template } from './support.ts'

if (!existsSync(template)) {
  await mkdir(dirname(template), { recursive: true })
  const folder = await mkdtemp(template)
  const pglite = await PGlite.create(folder)
  await pglite.close()
  await rename(folder, template)
}
