// What the measured applications have in common, whatever they are written with.
//
// A route has a path parameter, a query of 3 fields, a body of 6 fields with a nested object and an array, and two
// responses, one of which refers to a shared schema of 6 fields. Its handler reads typed fields of all parts and a
// decorator, and returns both responses. Each route has some field names of its own, as in real applications.
import type { PackageName } from '../versions.ts'

/** The routes in one plugin, each plugin being a file of its own. */
export const routesPerPlugin = 20

/** One way to write the application. Texts are TypeScript; files import each other as `./name.js`. */
export interface Framework {
  readonly name: string
  /** What has to be installed. */
  readonly packages: readonly PackageName[]
  /** A file that imports the framework and does as good as nothing. */
  readonly empty: string
  /** The file `shared`: the shared schema, the decorator, what plugins need. */
  readonly shared: string
  /** The file `plugin-<index>`, which exports `plugin<index>`. */
  plugin(index: number, routes: readonly number[]): string
  /** The file `main`, which exports what a client needs the type of. */
  main(plugins: readonly number[]): string
  /** The file `contract`, where clients know the application by one. */
  contract?(routes: readonly number[]): string
  /** The file `client`: one typed call for each route, of the success and of the failure. */
  client?(routes: readonly number[]): string
}

export const pluginOf = (route: number): number => Math.floor(route / routesPerPlugin)

/** The numbers from 0 to below a count. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** One text for each number. */
export const each = (numbers: readonly number[], text: (number: number) => string): string =>
  numbers.map(text).join('')

/** The imports of all plugins into `main`. */
export const pluginImports = (plugins: readonly number[]): string =>
  each(plugins, (index) => `import { plugin${index} } from './plugin-${index}.js'\n`)

/** The body that a client sends to a route. */
export const bodyOf = (route: number): string =>
  `{ title${route}: 'a', count: 1, done: true, tags: ['b'], place: { city${route}: 'c', zip: 1 } }`

/** What a handler returns, made of `id`, `query`, `body` and `answer`, the decorator. */
export const successOf = (route: number): string =>
  `{ user: { id, name: body.place.city${route}, age: body.count, active: body.done, ` +
  `roles: body.tags }, total${route}: query.page${route} + answer }`

export const failureOf = (route: number): string => `{ message${route}: body.title${route} }`

/** The fields of the shared schema, with TypeBox. */
export const userFields = (t: string): string => `{
  id: ${t}.Integer(), name: ${t}.String(), email: ${t}.Optional(${t}.String()),
  age: ${t}.Integer(), active: ${t}.Boolean(), roles: ${t}.Array(${t}.String()),
}`

/** The fields of a query, with TypeBox. */
export const queryFields = (t: string, route: number): string => `{
  page${route}: ${t}.Integer({ default: 1 }), size: ${t}.Optional(${t}.Integer()), q: ${t}.Optional(${t}.String()),
}`

/** The fields of a body, with TypeBox. */
export const bodyFields = (t: string, route: number): string => `{
  title${route}: ${t}.String(), count: ${t}.Integer(), done: ${t}.Boolean(), note: ${t}.Optional(${t}.String()),
  tags: ${t}.Array(${t}.String()), place: ${t}.Object({ city${route}: ${t}.String(), zip: ${t}.Integer() }),
}`

/** The shared schema, with zod. */
export const zodUser = `z.object({
  id: z.int(), name: z.string(), email: z.string().optional(),
  age: z.int(), active: z.boolean(), roles: z.array(z.string()),
})`

/** A query, with zod. */
export const zodQuery = (route: number): string => `z.object({
  page${route}: z.coerce.number().default(1), size: z.coerce.number().optional(), q: z.string().optional(),
})`

/** A body, with zod. */
export const zodBody = (route: number): string => `z.object({
  title${route}: z.string(), count: z.int(), done: z.boolean(), note: z.string().optional(),
  tags: z.array(z.string()), place: z.object({ city${route}: z.string(), zip: z.int() }),
})`
