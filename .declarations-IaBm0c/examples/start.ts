import { fileURLToPath } from 'node:url'

interface Startable {
  listen(options: { port: number; host: string }): Promise<string>
  printContexts(): string
}

/** Starts an example when it is the program that was run, and not when a test imports it. It prints
 *  the tree of contexts and the requests to try. */
export async function startWhenRun(
  file: string,
  app: Startable,
  requests: (url: string) => readonly string[],
): Promise<void> {
  if (process.argv[1] !== fileURLToPath(file)) return
  const url = await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' })
  console.log(app.printContexts())
  console.log(`Listening at ${url}. Try:\n`)
  for (const line of requests(url)) console.log(`  ${line}`)
}
