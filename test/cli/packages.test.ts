import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findPackage, loadPackage } from '../../src/cli/packages.ts'
import { folderOf } from '../support/files.ts'

test('a package is found as the folder of an application sees it', (context) => {
  const folder = folderOf(context, {
    'node_modules/some-rules/package.json': '{"name":"some-rules","main":"rules.js"}',
    'node_modules/some-rules/rules.js': '',
  })
  const found = join(folder, 'node_modules/some-rules/rules.js')
  assert.equal(findPackage('some-rules', folder), found)
  assert.equal(findPackage('some-rules', join(folder, 'src')), found)
  assert.equal(findPackage('other-rules', folder), undefined)
})

test('a package that is not installed is asked for', async () => {
  const missing = () => Promise.reject(new Error('not found'))
  await assert.rejects(loadPackage('other-rules', missing), {
    message: "The package 'other-rules' is needed for this, and is not installed",
    remedy: 'Run: npm install --save-dev other-rules',
  })
  assert.deepEqual(await loadPackage('other-rules', async () => ({ rule: 1 })), { rule: 1 })
})
