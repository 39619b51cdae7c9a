// All of Fastify's types. Plugins declare members with `declare module 'fastify'`. That reaches
// only interfaces that a module exports by a star.
export type * from './content-parser.ts'
export type * from './hooks.ts'
export type * from './instance.ts'
export type * from './logger.ts'
export type * from './plugin.ts'
export type * from './raw.ts'
export type * from './reply.ts'
export type * from './request.ts'
export type * from './route.ts'
export type * from './schema.ts'
export type * from './server-options.ts'
export type * from './type-provider.ts'
export type {
  CallbackFunc as LightMyRequestCallback,
  Chain as LightMyRequestChain,
  InjectOptions,
  Response as LightMyRequestResponse,
} from 'light-my-request'
