import { connect } from 'node:net'

export interface RawResponse {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Writes a request to a port byte by byte as it is given, and reads until the server closes. */
export function rawRequest(url: string, lines: readonly string[], body = ''): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(url)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n')
      resolve({ head, body: rest.join('\r\n\r\n'), status: Number(head.split(' ')[1]) })
    })
    const all = [...lines, 'host: localhost', 'connection: close', '', body]
    socket.write(Buffer.from(all.join('\r\n'), 'latin1'))
  })
}
