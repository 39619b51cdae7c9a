// Reads profiles that Node writes with `--cpu-prof`.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { digits, table } from './figures.ts'

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: {
      readonly functionName: string
      readonly url: string
      readonly lineNumber: number
    }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const rows = 25
/** Regular expressions are long. */
const longest = 80
const notBusy = ['(idle)', '(root)']

/** The functions that took most time by themselves: a table, in hundredths of the busy time. */
export function topOf(file: string): string {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map<string, number>()
  samples.forEach((id, at) => {
    const name = names.get(id) ?? ''
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[at] ?? 0))
  })
  for (const name of notBusy) times.delete(name)
  const busy = [...times.values()].reduce((sum, time) => sum + time, 0)
  const top = [...times].toSorted(([, a], [, b]) => b - a).slice(0, rows)
  const cells = top.map(([name, time]) => [name, digits((100 * time) / busy, 1)])
  return table([basename(file), '%'], cells)
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const place = url.replace(/^(file:.*\/(?:node_modules|dist|bench)|file:\/)\//, '')
  const name = functionName || (place ? 'a function' : 'code of a validator or serializer')
  const text = place ? `${name} ${place}:${lineNumber + 1}` : name
  return text.slice(0, longest).replaceAll('|', '\\|')
}
