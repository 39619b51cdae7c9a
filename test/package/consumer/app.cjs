// What CommonJS gets: the factory itself, with the named exports and `default` as its properties.
const assert = require('node:assert/strict')
const espalier = require('espalier')
const { t, shared, plugin, errorCodes, EspalierError } = require('espalier')
const { serve } = require('./serve.cjs')

assert.equal(typeof espalier, 'function')
assert.equal(espalier.default, espalier)
assert.equal(espalier.espalier, espalier)
assert.equal(typeof shared, 'function')
assert.equal(typeof plugin, 'function')
assert.equal(typeof errorCodes.ESP_ERR_VALIDATION, 'function')

Promise.all([serve(espalier, t), import('espalier')]).then(([, module]) => {
  const error = new module.errorCodes.ESP_ERR_VALIDATION('')
  assert.ok(error instanceof EspalierError, 'what require and import give is one framework')
})
