import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { askFolder } from '../../src/create/folder.ts'

const terminal = (isTTY = true) => ({
  input: Object.assign(new PassThrough(), { isTTY }),
  output: Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY }),
})

for (const [typed, folder] of [
  ['shop\n', 'shop'],
  ['  shop \n', 'shop'],
  ['\n', 'espalier-app'],
] as const) {
  test(`the answer ${JSON.stringify(typed)} is ${folder}`, async () => {
    const { input, output } = terminal()
    const answer = askFolder({ input, output }, true)
    input.write(typed)
    assert.equal(await answer, folder)
    assert.match(String(output.read()), /Folder \(espalier-app\): /)
  })
}

test('an input that ends without an answer is an error', async () => {
  const { input, output } = terminal()
  const answer = askFolder({ input, output }, true)
  input.end()
  await assert.rejects(answer, /No folder was named/)
})

test('nothing is asked elsewhere, or if nothing should be', async () => {
  for (const [isTTY, isAsked] of [
    [false, true],
    [true, false],
  ] as const) {
    const { input, output } = terminal(isTTY)
    assert.equal(await askFolder({ input, output }, isAsked), 'espalier-app')
    assert.equal(output.read(), null)
  }
})
