// What a context of a generated program has, as far as its names must be chosen by it. What is visible is not told from here:
// that is what the compiler and the server are asked.
import type { Kind } from './trees.ts'

export const names: Readonly<Record<Kind, readonly string[]>> = {
  server: ['s0', 's1', 's2', 's3', 's4'],
  request: ['r0', 'r1', 'r2', 'r3', 'r4', 'r5'],
  reply: ['p0', 'p1', 'p2', 'p3', 'p4'],
  schema: ['x0', 'x1', 'x2', 'x3', 'x4'],
  response: ['of401', 'of403', 'of409', 'of503'],
}

export class Scope {
  readonly parent: Scope | undefined
  readonly prefix: string
  /** Whether a plugin stands here, or above, that sees its needs alone. */
  readonly isPartial: boolean
  readonly #children: Scope[] = []
  readonly #own: Readonly<Record<Kind, Set<string>>> = {
    server: new Set(),
    request: new Set(),
    reply: new Set(),
    schema: new Set(),
    response: new Set(),
  }
  readonly #derived = new Set<string>()
  #declarations = 0

  constructor(prefix: string, isPartial: boolean, parent?: Scope) {
    this.prefix = prefix
    this.isPartial = isPartial
    this.parent = parent
    if (parent !== undefined) parent.#children.push(this)
  }

  /** Takes a name that is free here, above and below; undefined where there is none. */
  take(kind: Kind, dice: number): string | undefined {
    const free = names[kind].filter(
      (name) => !this.#isAbove(kind, name) && !this.#isBelow(kind, name),
    )
    const name = free[dice % Math.max(1, free.length)]
    if (name === undefined) return undefined
    this.#own[kind].add(name)
    this.#declarations++
    return name
  }

  /** The same for what is derived. */
  derive(dice: number): string | undefined {
    const name = this.take('request', dice)
    if (name !== undefined) this.#derived.add(name)
    return name
  }

  /** Names that are there, for a plugin to need. Nothing derived: a plugin that needs it is not told at which phase it is
   *  there, so its early hooks have a type that says too much. */
  some(kind: Kind): string[] {
    return names[kind].filter((name) => this.#isAbove(kind, name) && !this.#isDerived(name))
  }

  /** How much has been declared here and above: more of it later is declared late for whoever asked before. */
  get age(): number {
    return this.#declarations + (this.parent?.age ?? 0)
  }

  #isAbove(kind: Kind, name: string): boolean {
    return (
      this.#own[kind].has(name) || (this.parent !== undefined && this.parent.#isAbove(kind, name))
    )
  }

  #isDerived(name: string): boolean {
    return this.#derived.has(name) || (this.parent !== undefined && this.parent.#isDerived(name))
  }

  #isBelow(kind: Kind, name: string): boolean {
    return this.#children.some((child) => child.#own[kind].has(name) || child.#isBelow(kind, name))
  }
}
