// A tree of contexts as a program, with probes: handlers and hooks that say what is there when they run, and in which the
// compiler is asked what their types show.
import { names, Scope } from './scope.ts'
import type { Kind, Move, PluginForm } from './trees.ts'

/** A place in the program where is asked what can be seen. */
export interface Probe {
  readonly id: number
  readonly scope: Scope
  /** How much had been declared for its scope. */
  readonly age: number
  /** Whether it is a hook, which sees the requests of all routes below. */
  readonly isHook: boolean
  /** Where a route is; empty for a hook. */
  readonly url: string
  /** Whether the type may show less than there is: the scope of a plugin that sees its needs alone. */
  readonly isPartial: boolean
}

/** A line of the program, or the probe whose claims stand there. */
export type Line = string | Probe

export interface TreeProgram {
  readonly lines: readonly Line[]
  readonly probes: readonly Probe[]
}

/** Writes a tree as an expression that makes its server. */
export function writeTree(moves: readonly Move[]): TreeProgram {
  const writer = new Writer()
  writer.chain('espalier()', moves, { scope: new Scope('', false), isPartial: false })
  return { lines: writer.lines, probes: writer.probes }
}

interface Place {
  readonly scope: Scope
  readonly isPartial: boolean
}

class Writer {
  readonly lines: Line[] = []
  readonly probes: Probe[] = []
  #plugins = 0

  /** Writes the calls of one server. It ends with a route, whose result is no promise. */
  chain(head: string, moves: readonly Move[], place: Place): void {
    this.lines.push(head)
    for (const move of [...moves, { do: 'route' } as const]) this.#write(move, place)
  }

  #write(move: Move, place: Place): void {
    switch (move.do) {
      case 'declare':
        return this.#declare(move, place)
      case 'derive': {
        const name = place.scope.derive(move.dice)
        if (name !== undefined)
          this.lines.push(`.derive('${move.phase}', ${derived(name, move.dice)})`)
        return
      }
      case 'hook':
        return this.#probe(`.addHook('${move.phase}', async (request, reply) => {`, place, '')
      case 'route': {
        const path = `/probe-${this.probes.length}`
        return this.#probe(
          `.get('${path}', async (request, reply) => {`,
          place,
          place.scope.prefix + path,
        )
      }
      case 'register':
        return this.#register(move, place)
    }
  }

  #declare({ kind, dice }: Move & { do: 'declare' }, { scope }: Place): void {
    const name = scope.take(kind, dice)
    if (name === undefined) return
    if (kind === 'schema') this.lines.push(`.addSchema(${schemaText(name, dice)})`)
    else if (kind === 'response')
      this.lines.push(`.addResponses({ ${statusOf(name)}: ${objectText(dice)} })`)
    else this.lines.push(`.${methods[kind]}('${name}', ${values[dice % values.length] ?? '1'})`)
  }

  #probe(head: string, { scope, isPartial }: Place, url: string): void {
    const probe = {
      id: this.probes.length,
      scope,
      age: scope.age,
      isHook: url === '',
      url,
      isPartial,
    }
    this.probes.push(probe)
    const tail = probe.isHook
      ? `observe(${probe.id}, request, reply) })`
      : `return observe(${probe.id}, request, reply) })`
    this.lines.push(head, probe, tail)
  }

  #register({ form, hasPrefix, moves }: Move & { do: 'register' }, place: Place): void {
    const number = this.#plugins++
    const server = `server${number}`
    const isShared = form === 'shared' || form === 'portableShared'
    const needs = needsText(place)
    const isPartial = place.isPartial || form === 'portable' || form === 'portableShared'
    const prefix = hasPrefix && !isShared ? `/v${number}` : ''
    const scope = isShared
      ? place.scope
      : new Scope(place.scope.prefix + prefix, isPartial, place.scope)
    const [head, tail] = wrappers(form, server, needs)
    this.lines.push(`.register(${head}`)
    this.chain(server, moves, { scope, isPartial })
    this.lines.push(`${tail}${prefix === '' ? '' : `, { prefix: '${prefix}' }`})`)
  }
}

const methods = { server: 'decorate', request: 'decorateRequest', reply: 'decorateReply' } as const
const values = ['1', 'null', `'text'`, '() => 1', '{ getter: () => 1 }']

const derived = (name: string, dice: number) =>
  dice % 2 === 0 ? `() => ({ ${name}: 1 })` : `async () => ({ ${name}: 'text' })`

/** The status of a response by its name: 401 of `of401`. */
export const statusOf = (name: string) => name.slice(2)

const objectText = (dice: number) =>
  dice % 2 === 0 ? `{ type: 'object' }` : `t.Object({ a: t.Integer() })`

const schemaText = (name: string, dice: number) =>
  dice % 2 === 0
    ? `{ $id: '${name}', type: 'object' }`
    : `t.Object({ a: t.Integer() }, { $id: '${name}' })`

/** The needs of a plugin that is written apart: the half of what there is, if the scope is known to have it. */
function needsText({ scope, isPartial }: Place): string {
  if (isPartial || scope.isPartial) return '{}'
  const some = (kind: Kind) =>
    scope
      .some(kind)
      .filter((_, index) => index % 2 === 0)
      .map((name) => `${name}: unknown`)
  const parts = (['server', 'request', 'reply'] as const).map(
    (kind) => `${kind}: { ${some(kind).join('; ')} }`,
  )
  const responses = scope.some('response').filter((_, index) => index % 2 === 0)
  const answers = responses.map((name) => `${statusOf(name)}: { type: 'object' }`)
  return `{ ${[...parts, `responses: { ${answers.join('; ')} }`].join('; ')} }`
}

/** What stands before and behind the chain of a plugin. */
function wrappers(form: PluginForm, server: string, needs: string): [string, string] {
  switch (form) {
    case 'plain':
      return [`(${server}) =>`, '']
    case 'async':
      return [`async (${server}) =>`, '']
    case 'callback':
      return [`(${server}, _options, done) => {`, '; done() }']
    case 'shared':
      return [`shared((${server}) =>`, ')']
    case 'portable':
      return [`plugin<${needs}>()((${server}) =>`, ')']
    case 'portableShared':
      return [`plugin<${needs}>().shared((${server}) =>`, ')']
  }
}

/** All names, with the type that shows them in a probe. A response is there if `send` takes its payload alone. */
export const questions: readonly (readonly [kind: Kind, name: string, type: string])[] = (
  [
    ['server', () => 'typeof request.server'],
    ['request', () => 'typeof request'],
    ['reply', () => 'typeof reply'],
    ['schema', () => 'ReturnType<typeof request.server.getSchemas>'],
    ['response', (name) => `Asked<ReturnType<typeof reply.code<${statusOf(name)}>>, '${name}'>`],
  ] as readonly (readonly [Kind, (name: string) => string])[]
).flatMap(([kind, type]) => names[kind].map((name) => [kind, name, type(name)] as const))
