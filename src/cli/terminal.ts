import { inspect } from 'node:util'

type Style = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'

/** Gives a text a colour, where colours are wanted. */
export type Paint = (style: Style, text: string) => string

interface Stream {
  readonly isTTY?: boolean
}

/** Paints for a stream: a terminal, unless NO_COLOR is set; with FORCE_COLOR, any. */
export function painterFor({ isTTY = false }: Stream, env: NodeJS.ProcessEnv): Paint {
  const { FORCE_COLOR: force, NO_COLOR: none = '', TERM: term } = env
  const isForced = force !== undefined && force !== '0' && force !== 'false'
  const isOff = force !== undefined || none !== '' || term === 'dumb'
  if (!isForced && (isOff || !isTTY)) return (_style, text) => text
  return (style, text) => {
    const [open = 0, close = 0] = inspect.colors[style] ?? []
    return `\u001B[${open}m${text}\u001B[${close}m`
  }
}
