/** What `wrangler.json` binds: variables, namespaces, databases. */
export interface Bindings {
  readonly GREETING: string
}
