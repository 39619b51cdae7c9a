// A client of one connection, which asks one thing after the other.
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import type { Answer, Scenario } from './scenarios.ts'

export interface Client {
  send(): Promise<Answer>
  close(): void
}

export const openClient = (scenario: Scenario, port: number): Client =>
  scenario.server?.http2 ? secondClient(scenario, port) : firstClient(scenario, port)

const mediaType = (header = '') => header.split(';', 1)[0]?.trim() ?? ''

function firstClient({ method = 'GET', path, body }: Scenario, port: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = body
    ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    : {}
  const options = { host: '127.0.0.1', port, agent, method, path, headers }
  return {
    send: () =>
      new Promise((done, fail) => {
        const sent = request(options, (response) => {
          const { statusCode: status = 0, headers } = response
          const type = mediaType(headers['content-type'])
          text(response).then((body) => done({ status, type, text: body }), fail)
        })
        sent.on('error', fail).end(body)
      }),
    close: () => agent.destroy(),
  }
}

function secondClient({ path }: Scenario, port: number): Client {
  const session = connect(`http://127.0.0.1:${port}`)
  return {
    send: () =>
      new Promise((done, fail) => {
        const stream = session.request({ ':path': path })
        stream.on('error', fail).on('response', (headers) => {
          const status = headers[':status'] ?? 0
          const type = mediaType(headers['content-type'])
          text(stream).then((body) => done({ status, type, text: body }), fail)
        })
      }),
    close: () => session.close(),
  }
}

/** Asks a server once. @throws when it does not answer as the scenario wants */
export async function checkAnswer(scenario: Scenario, port: number, name: string): Promise<void> {
  const client = openClient(scenario, port)
  try {
    const answer = await client.send()
    const wanted = scenario.answer
    const message = `${name} answers ${scenario.key} otherwise`
    if (wanted.text !== undefined) return assert.deepEqual(answer, wanted, message)
    const { text = '', ...rest } = answer
    assert.deepEqual(rest, wanted, message)
    assert.ok(typeof JSON.parse(text).message === 'string', `${message}: ${text}`)
  } finally {
    client.close()
  }
}
