/** The type of the package's default export: its own factory's. The file `alias.ts` stands in for this
 *  one where the package is installed under the name `fastify`. */
export type Front<Own> = Own
