// What Fastify's own `types/…` say, for declarations of plugins that read them.
export * from 'espalier/fastify'
