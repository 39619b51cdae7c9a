/** The used part of a KV namespace. `wrangler types` writes the whole type. */
export interface Namespace {
  get(key: string): Promise<string | null>
  put(key: string, value: string): Promise<void>
  list(options: {
    readonly prefix: string
  }): Promise<{ readonly keys: readonly { readonly name: string }[] }>
}

/** What `wrangler.json` binds. */
export interface Bindings {
  readonly NOTES: Namespace
}

/** Bindings outside of a worker: for tests, and for `espalier compile`. */
export function bindingsInMemory(): Bindings {
  const stored = new Map<string, string>()
  return {
    NOTES: {
      get: async (key) => stored.get(key) ?? null,
      put: async (key, value) => void stored.set(key, value),
      list: async ({ prefix }) => ({
        keys: [...stored.keys()]
          .filter((name) => name.startsWith(prefix))
          .map((name) => ({ name })),
      }),
    },
  }
}
