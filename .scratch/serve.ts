import { app } from './app.ts'
await app.listen({ port: 4801 })
