// Middleware for clients.
export { retry } from './retry.ts'
export type { RetryOptions } from './retry.ts'
export { timeLimit } from './time-limit.ts'
