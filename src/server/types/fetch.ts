/** Answers a request of the Fetch standard, without a server of Node. */
export interface FetchFunction {
  /** Answers a request. `Bun.serve` and `Deno.serve` take this function as it is: their second
   *  argument says who the client is. */
  (request: Request, platform?: FetchPlatform): Promise<Response>
  /** Answers a request to a URL, as the global `fetch` does. */
  (url: string | URL, init?: RequestInit): Promise<Response>
  /** Answers a request as a module of Workers does.
   *  @param env is not read */
  (request: Request, env: unknown, context: Pick<FetchPlatform, 'waitUntil'>): Promise<Response>
}

/** What the platform knows of a request. */
export interface FetchPlatform {
  /** The address of the client, as `request.ip` gives it. @default '' */
  readonly ip?: string | null | undefined
  /** Is given what goes on behind the reply, such as `onResponse` hooks, where the platform would
   *  end it. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
  /** As servers of Bun have it. */
  readonly requestIP?: ((request: Request) => { readonly address: string } | null) | undefined
  /** As `Deno.serve` gives it. */
  readonly remoteAddr?: object | undefined
  /** As Next.js gives it to route handlers. It is not read. */
  readonly params?: unknown
}
