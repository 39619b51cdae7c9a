import type { Bundle } from './bundle.ts'
import type { Serializer, ValidatorFunction } from './compiler-types.ts'
import { isSure } from './sure-schema.ts'
import type { JsonObject } from './values.ts'

/** When the validators and serializers of routes are compiled: each when it is first needed; those
 *  that were not needed yet, one by one, once the server listens; or all of them at boot. */
export type CompileTime = 'lazy' | 'idle' | 'eager'

/** Decides when a schema is compiled. Those that may be wrong are compiled at boot, so that their
 *  errors come at boot. */
export class CompileTiming {
  readonly #waits: boolean
  readonly #pending: Set<() => unknown> | undefined

  constructor(time: CompileTime) {
    this.#waits = time !== 'eager'
    this.#pending = time === 'idle' ? new Set() : undefined
  }

  /** @throws the error of a schema that is compiled at once */
  validator(bundle: Bundle, compile: (bundle: Bundle) => ValidatorFunction): ValidatorFunction {
    const made = this.#later(bundle, compile)
    if (made === undefined) return compile(bundle)
    const validator: ValidatorFunction = (data) => {
      const validate = made()
      const answer = validate(data)
      validator.errors = validate.errors ?? null
      return answer
    }
    return validator
  }

  /** @throws the error of a schema that is compiled at once */
  serializer(bundle: Bundle, compile: (bundle: Bundle) => Serializer): Serializer {
    const made = this.#later(bundle, compile)
    return made === undefined ? compile(bundle) : (payload) => made()(payload)
  }

  /** Compiles what waits, one function in each turn of the event loop. */
  compilePending(): void {
    const [next] = this.#pending ?? []
    if (next === undefined) return
    setImmediate(() => {
      next()
      this.compilePending()
    }).unref()
  }

  /** Returns a function that compiles the schema at its first call. It keeps the text, which needs
   *  less memory than the schema. Undefined where the schema has to be compiled at once. */
  #later<Made>(bundle: Bundle, compile: (bundle: Bundle) => Made): (() => Made) | undefined {
    if (!this.#waits || !isSure(bundle)) return undefined
    const { text = '' } = bundle
    let made: Made | undefined
    const make = (): Made => {
      if (made !== undefined) return made
      this.#pending?.delete(make)
      const schema = JSON.parse(text) as JsonObject
      made = compile({ schema, text, merges: false, origins: new Map() })
      return made
    }
    this.#pending?.add(make)
    return make
  }
}
