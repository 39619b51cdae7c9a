// Lints the package as it would be published. Build first.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import '../support/built.mjs'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Bundlers are given a file of CommonJS by `require`, so that the module is a function. */
const allowed = ['EXPORTS_MODULE_SHOULD_BE_ESM']

const pkgDir = resolve(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(resolve(pkgDir, 'package.json'), 'utf8'))
const { messages } = await publint({ pkgDir, strict: true })
const left = messages.filter(({ code }) => !allowed.includes(code))
for (const message of left) console.log(formatMessage(message, manifest))
process.exitCode = left.length === 0 ? 0 : 1
