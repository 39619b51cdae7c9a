// What a crowd of clients asks for, and how a client leaves.
import { type Scenario, scenarios } from './scenarios.ts'

/** When a client that leaves early does so: after the request, while the handler works, after half of the body, or after
 *  the first bytes of the answer. */
type Leaves = 'asked' | 'working' | 'half' | 'answered'

export interface Kind {
  readonly scenario: Scenario
  readonly leaves: Leaves
  /** How many of 20 requests are of this kind. */
  readonly weight: number
}

/** The servers that have the slow route. */
export const slowPeers: readonly string[] = ['espalier', 'fastify', 'hand']

const slow: Scenario = {
  key: 'slow',
  title: 'a handler that takes 5 ms',
  path: '/slow',
  answer: { status: 200, type: 'application/json', text: '{"slow":true}' },
}

/** @throws on a key that no scenario has */
function scenario(key: string): Scenario {
  const found = scenarios.find((each) => each.key === key)
  if (found) return found
  throw new Error(`there is no scenario "${key}"`)
}

export const kinds: readonly Kind[] = [
  { scenario: scenario('S1'), leaves: 'asked', weight: 12 },
  { scenario: scenario('S3'), leaves: 'half', weight: 6 },
  { scenario: scenario('stream'), leaves: 'answered', weight: 1 },
  { scenario: slow, leaves: 'working', weight: 1 },
]

/** The bytes of a request. */
export function bytesOf({ method = 'GET', path, body }: Scenario): Buffer {
  const length = Buffer.byteLength(body ?? '')
  const headers = body ? `content-type: application/json\r\ncontent-length: ${length}\r\n` : ''
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n${body ?? ''}`)
}
