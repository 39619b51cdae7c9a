// Lints the package as it would be published. Build first.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** `require` gives what the ES module exports as 'module.exports', which compilers know. The file
 *  for `require` is there for bundlers that do not, and the same declarations hold for it. */
const allowed = []

const pkgDir = resolve(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(resolve(pkgDir, 'package.json'), 'utf8'))
const { messages } = await publint({ pkgDir, strict: true })
const left = messages.filter(({ code }) => !allowed.includes(code))
for (const message of left) console.log(formatMessage(message, manifest))
process.exitCode = left.length === 0 ? 0 : 1
