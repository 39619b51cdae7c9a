// A program of claims: each is a line that the compiler refuses where it does not hold.
import { compile } from './compiler.ts'

/** A claim about types, and what it is about, for whoever reads that it does not hold. */
export interface Claim {
  readonly test: string
  readonly holds: boolean
  readonly about: string
  /** The case that the claim belongs to. */
  readonly seed: number
}

export interface Broken {
  readonly seed: number
  readonly about: string
  readonly message: string
}

const preamble = [
  `import espalier, { plugin, shared, t } from '../../src/index.ts'`,
  `import type { HasCtx, Input, InputOf, Output, Payload } from '../../src/index.ts'`,
  `import type { Received, RootCtx, RouteEntry } from '../../src/index.ts'`,
  `/** Whether a type is assignable to another one, which must not be \`any\`. */`,
  `type Fits<Value, Type, Lax = Value> = 0 extends 1 & Type`,
  `  ? 'any' : [Value] extends [Type] ? true : [Lax] extends [Type] ? true : false`,
  `/** Holds also where the premise does not. */`,
  `type Implies<Premise, Conclusion> = Premise extends true ? Conclusion : true`,
  `type Yes<Answer extends true> = Answer`,
  `type No<Answer extends false> = Answer`,
  `type Asked<Reply extends { send: (payload: never) => unknown }, Name extends string> =`,
  `  unknown extends Parameters<Reply['send']>[0] ? {} : Record<Name, 1>`,
  `type Has<Type, Name> = Name extends keyof Type ? true : false`,
]

/** Collects the lines of a program. */
export class Program {
  readonly #lines: string[] = [...preamble]
  readonly #claims = new Map<number, Claim>()

  /** Lines that must be right whatever is claimed. Returns the number of the first. */
  declare(text: string): number {
    const first = this.#lines.length
    this.#lines.push(...text.split('\n'))
    return first
  }

  claim(claim: Claim): void {
    this.#claims.set(this.#lines.length, claim)
    // Types alone: with a value for each claim the compiler would follow the flow through all of them.
    this.#lines.push(`{ type claim = ${claim.holds ? 'Yes' : 'No'}<${claim.test}> }`)
  }

  get size(): number {
    return this.#claims.size
  }

  /** Asks the compiler, once. @param seedAt the case that a line which is no claim belongs to */
  check(seedAt: (line: number) => number): Broken[] {
    return compile(this.#lines.join('\n')).map(({ line, message }) => {
      const claim = this.#claims.get(line)
      if (claim === undefined)
        return { seed: seedAt(line), about: `line: ${this.#lines[line] ?? 'none'}`, message }
      const { seed, about, test, holds } = claim
      return { seed, about, message: `${test} is not ${holds} (${message.slice(0, 200)})` }
    })
  }
}
