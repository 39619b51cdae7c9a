// Type tests: the types of one route, claims about them, and programs that must not compile.
export { expectRoute } from './expect-route.ts'
export type { Bootable } from './expect-route.ts'
export type { RequestPart, RouteTests, TypeTests } from './claims.ts'
export type { Difference, Differs } from './difference.ts'
export type { Messages, RouteOf, TypesOfRoute } from './route-of.ts'
export { mistakes } from './mistakes.ts'
export type { MistakesOptions } from './mistakes.ts'
