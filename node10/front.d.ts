// Compilers of old resolution do not know the import map of package.json either. These patterns stand in for it: a
// pattern is asked for what no file was found for, as `fastify/front` is where the package has its own name.
declare module '#fron*' {
  export { Front } from 'fastify/front'
}
declare module 'fastify/fron*' {
  /** As in `own.ts`. */
  export type Front<Own> = Own
}
