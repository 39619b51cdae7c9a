import { createHash } from 'node:crypto'
import type { Bundle } from './bundle.ts'
import { isSure } from './sure-schema.ts'
import type { JsonObject } from '../types/objects.ts'
import { lazy } from './lazy.ts'
import { errorCodes } from '../errors/codes.ts'
import late from '../packages/late.cjs'

/** When the validators and serializers of routes are compiled: each when it is first needed; those
 *  that were not needed yet, one by one, once the server listens; or all of them at boot. */
export type CompileTime = 'lazy' | 'idle' | 'eager'

/** The module that `espalier compile` writes: the validators and serializers of an application. */
export interface CompiledSchemas {
  /** The functions by the hash of their schema and of the options that they were compiled with. */
  readonly functions: Readonly<Record<string, CompiledFunction>>
  /** The hashes of schemas that only the running server can compile. */
  readonly others: readonly string[]
  /** Whether it is being written: the server compiles all schemas by itself then. */
  readonly isEmpty?: boolean
}

/** Code that gets what it needs as arguments, so that the module imports nothing. */
export type CompiledFunction = (require: (name: string) => unknown, runtime: object) => unknown

/** Thrown for a schema that is not in the module that was compiled ahead of time. */
export class StaleSchema extends Error {}

/** How one kind of function is made of schemas. */
export interface Recipe<Parts, Made> {
  /** Its name: equal schemas of one recipe share a function. */
  readonly kind: string
  /** @throws for a wrong schema */
  readonly compile: (bundle: Bundle) => Parts
  /** What `compile` would make, with that part of it which was compiled ahead of time. */
  readonly load: (compiled: unknown, bundle: Bundle) => Parts
  readonly finish: (parts: Parts, bundle: Bundle) => Made
  /** A function that makes another one when it is first called. */
  readonly later: (make: () => Made) => Made
  /** Whether a compilation that cannot fail may wait. */
  readonly mayWait: boolean
}

/** What decides how schemas are compiled. */
export interface CompilationSettings {
  readonly time: CompileTime
  /** All that compiled functions depend on besides their schemas. */
  readonly options: unknown
  readonly compiled: CompiledSchemas | undefined
  /** What is done at boot about a schema that `compiled` lacks. */
  readonly whenStale: 'fail' | 'warn'
  /** What compiled code may require and call. */
  readonly environment: () => Parameters<CompiledFunction>
}

/** Makes functions of schemas: takes them from a module that was written ahead of time, compiles
 *  them at once, or when they are first called. Schemas that may be wrong never wait, so that their
 *  errors come at boot. */
export class Compilation {
  readonly #settings: CompilationSettings
  readonly #known = new Map<string, unknown>()
  /** What is compiled once the server listens. */
  readonly #pending = new Set<() => unknown>()
  readonly #kinds = new Set<string>()
  readonly #stale = new Set<string>()
  #options: string | undefined

  constructor(settings: CompilationSettings) {
    this.#settings = settings
  }

  /** The function of a schema, which is compiled once.
   *  @throws the error of a schema that is compiled at once
   *  @throws StaleSchema */
  use<Parts, Made>(recipe: Recipe<Parts, Made>, bundle: Bundle): Made {
    const { text, merges } = bundle
    if (text === undefined || merges) {
      if (late.isForWorkers) refuseCompilation()
      return recipe.finish(recipe.compile(bundle), bundle)
    }
    const key = `${recipe.kind} ${text}`
    const known = this.#known.get(key)
    if (known !== undefined) return known as Made
    const made = this.#ahead(recipe, text) ?? this.#compile(recipe, bundle, text)
    this.#known.set(key, made)
    return made
  }

  /** The schemas whose functions the application uses: the kind and the text of each. */
  schemas(): (readonly [kind: string, text: string])[] {
    return [...this.#known.keys()].map((key) => {
      const end = key.indexOf(' ')
      return [key.slice(0, end), key.slice(end + 1)]
    })
  }

  /** How many schemas are not in the module that was compiled ahead of time. */
  get staleCount(): number {
    return this.#stale.size
  }

  /** The name of a function in a compiled module. */
  hash(kind: string, text: string): string {
    this.#options ??= JSON.stringify(this.#settings.options)
    const hash = createHash('sha256').update(`${this.#options} ${kind} ${text}`)
    return hash.digest('base64url').slice(0, 22)
  }

  /** Compiles what waits, one function in each turn of the event loop. Unless the server compiles
   *  all when it is idle, that is one function of each kind, so that no request has to wait until
   *  ajv and fast-json-stringify are loaded. */
  compileWaiting(): void {
    const [next] = this.#pending
    if (next === undefined) return
    setImmediate(() => {
      try {
        next()
      } catch {
        // The request that needs it gets the error.
      }
      this.compileWaiting()
    }).unref()
  }

  #ahead<Parts, Made>(recipe: Recipe<Parts, Made>, text: string): Made | undefined {
    const { compiled, whenStale, environment } = this.#settings
    if (compiled === undefined) return undefined
    const hash = this.hash(recipe.kind, text)
    const load = Object.hasOwn(compiled.functions, hash) ? compiled.functions[hash] : undefined
    if (load !== undefined) {
      const make = (): Made => {
        const bundle = reopen(text)
        return recipe.finish(recipe.load(load(...environment()), bundle), bundle)
      }
      return later(recipe, lazy(make))
    }
    if (compiled.others.includes(hash)) return undefined
    if (whenStale === 'fail') throw new StaleSchema()
    this.#stale.add(hash)
    return undefined
  }

  #compile<Parts, Made>(recipe: Recipe<Parts, Made>, bundle: Bundle, text: string): Made {
    if (late.isForWorkers) refuseCompilation()
    const compile = (each: Bundle): Made => recipe.finish(recipe.compile(each), each)
    const { time } = this.#settings
    // The schema of the text is compiled later, so that one is asked for.
    if (time === 'eager' || !recipe.mayWait || !isSure(reopen(text))) return compile(bundle)
    // The text needs less memory than the schema.
    const make = lazy(() => {
      this.#pending.delete(make)
      return compile(reopen(text))
    })
    if (time === 'idle' || !this.#kinds.has(recipe.kind)) this.#pending.add(make)
    this.#kinds.add(recipe.kind)
    return later(recipe, make)
  }
}

/** Refuses to compile a schema in a bundle for workers. @throws ESP_ERR_FOR_WORKERS */
export function refuseCompilation(): never {
  const remedy = "Compile the schemas by `espalier compile`, and give the module as 'compiled'"
  throw new errorCodes.ESP_ERR_FOR_WORKERS('ajv', 'a schema', remedy)
}

/** What makes the functions that are compiled when they are first called. */
const waiting = new WeakMap<object, () => unknown>()

function later<Parts, Made>(recipe: Recipe<Parts, Made>, make: () => Made): Made {
  const made = recipe.later(make)
  waiting.set(made as object, make)
  return made
}

/** The function of a schema, compiled. One that cannot be compiled stays as it is, and throws when
 *  it is called. */
export function settled<Made extends object>(given: Made): Made {
  try {
    // cast: it is kept with what it makes
    return (waiting.get(given)?.() as Made | undefined) ?? given
  } catch {
    return given
  }
}

/** The bundle of a text, which has no marks and no functions. */
export function reopen(text: string): Bundle {
  return { schema: JSON.parse(text) as JsonObject, text, merges: false, origins: new Map() }
}
