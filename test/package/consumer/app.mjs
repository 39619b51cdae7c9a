// What an ES module gets: `import espalier, { t } from 'espalier'`.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import * as everything from 'espalier'
import espalier, { t } from 'espalier'
import { serve } from './serve.cjs'

assert.equal(typeof everything.shared, 'function')
assert.equal(typeof everything.plugin, 'function')
assert.equal(typeof everything.errorCodes.ESP_ERR_VALIDATION, 'function')
assert.equal(everything.espalier, espalier)
assert.equal(everything.version, createRequire(import.meta.url)('espalier/package.json').version)
await serve(espalier, t)
