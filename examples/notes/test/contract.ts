// The application as `npm run contract` loads it, with an empty database in a temporary folder.
import { rmSync } from 'node:fs'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { template } from './support.ts'

const DATA = await mkdtemp(join(tmpdir(), 'notes-'))
await cp(template, join(DATA, 'database'), { recursive: true })
process.once('exit', () => rmSync(DATA, { recursive: true, force: true }))

export const app = buildApp(readConfig({ DATA, LOG_LEVEL: 'silent' }))
