// Forms with files, on the published @fastify/multipart.
export { multipart } from './plugin.ts'
export type { MultipartLimits, MultipartOptions, MultipartPlugin } from './plugin.ts'
