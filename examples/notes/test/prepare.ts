// Before the tests: an empty PGlite, of which each file of tests copies one. To make one takes seconds.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { template } from './support.ts'

if (!process.env['TEST_DATABASE_URL'] && !existsSync(template)) {
  await mkdir(dirname(template), { recursive: true })
  const folder = await mkdtemp(template)
  const pglite = await PGlite.create(folder)
  await pglite.close()
  await rename(folder, template)
}
