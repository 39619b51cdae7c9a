// The items of a stream are written as a payload by the same schema is, for random schemas and values.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'
import { makeTruthCase, type TruthCase } from './cases.ts'

/** What is written of each payload of a case: as a whole reply, and as the only item of a stream. Undefined for an error. */
async function writeBoth({ shared, body, payloads }: TruthCase) {
  let payload: unknown
  const app = untyped()
  for (const schema of shared) app.addSchema(schema)
  const media = (content: object) => ({ schema: { response: { 200: { content } } } })
  app.get('/whole', media({ 'application/json': { schema: body } }), (_request, reply) =>
    reply.send(payload),
  )
  app.get('/item', media({ 'application/jsonl': { itemSchema: body } }), () => [payload].values())
  await app.ready()
  const written: (readonly [whole: string | undefined, item: string | undefined])[] = []
  for (payload of payloads) {
    // A text is sent as it is, and null may stand for no payload.
    if (payload === null || typeof payload === 'string') continue
    const [whole, item] = await Promise.all([app.inject('/whole'), app.inject('/item')])
    const textOf = ({ statusCode, body }: typeof whole) => (statusCode === 200 ? body : undefined)
    written.push([textOf(whole), textOf(item)])
  }
  await app.close()
  return written
}

test('an item is written as a whole reply is, or fails as that does', async () => {
  let sent = 0
  for (let seed = 1; seed <= 80; seed++) {
    // fast-json-stringify warns of schemas that are loose.
    const [written] = await silenced(() => writeBoth(makeTruthCase(seed)))
    for (const [whole, item] of written) {
      assert.equal(item, whole === undefined ? undefined : `${whole}\n`, `seed ${seed}`)
      if (whole !== undefined) sent += 1
    }
  }
  assert.ok(sent > 100, `${sent} items were sent`)
})
