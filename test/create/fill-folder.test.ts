import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fillFolder } from '../../src/create/fill-folder.ts'
import { folderOf } from '../support/files.ts'

const write = (folder: string) => {
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/app.ts'), 'app')
}
const fail = (folder: string) => {
  write(folder)
  throw new Error('the disk is full')
}
const all = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

for (const [title, path, files] of [
  ['a new folder', 'shop', {}],
  ['a new folder in new folders', 'a/b/shop', {}],
  ['an existing folder', '.', { '.git/HEAD': '' }],
] as const) {
  test(`${title} has what was written`, (context) => {
    const folder = folderOf(context, files)
    fillFolder(join(folder, path), write)
    assert.equal(readFileSync(join(folder, path, 'src/app.ts'), 'utf8'), 'app')
    assert.deepEqual(
      all(folder).filter((name) => name.includes('create-espalier')),
      [],
    )
  })

  test(`${title} has nothing after a failure`, (context) => {
    const folder = folderOf(context, files)
    const before = all(folder)
    assert.throws(() => fillFolder(join(folder, path), fail), /the disk is full/)
    assert.deepEqual(all(folder), before)
  })
}
