// What the environment says, by a schema. A process whose configuration is wrong does not start.
import { t, type Output } from 'espalier'
import { Value } from '@sinclair/typebox/value'

const Config = t.Object({
  NODE_ENV: t.String({ default: 'development' }),
  HOST: t.String({ default: 'localhost' }),
  PORT: t.Integer({ minimum: 0, maximum: 65_535, default: 3000 }),
  /** Without it the database is PGlite, in the folder DATA. */
  DATABASE_URL: t.Optional(t.String({ pattern: '^postgres(ql)?://' })),
  /** Without it each process counts the attempts to sign in by itself. */
  REDIS_URL: t.Optional(t.String({ pattern: '^rediss?://' })),
  DATA: t.String({ minLength: 1, default: 'data' }),
  /** The proxies whose `x-forwarded-…` headers are believed. */
  TRUST_PROXY: t.Optional(t.String({ minLength: 1 })),
  LOG_LEVEL: t.Union(
    [
      t.Literal('debug'),
      t.Literal('info'),
      t.Literal('warn'),
      t.Literal('error'),
      t.Literal('silent'),
    ],
    { default: 'info' },
  ),
})

export type Config = Output<typeof Config>

/** @throws Error that names the first variable that is wrong */
export function readConfig(env: Record<string, string | undefined>): Config {
  // `DATABASE_URL=` in a file of the environment means that there is none.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const value = Value.Convert(Config, Value.Default(Config, Value.Clean(Config, given)))
  const [problem] = Value.Errors(Config, value)
  if (problem)
    throw new Error(
      `${problem.path.slice(1)}: ${problem.message}, but it is ${JSON.stringify(problem.value)}`,
    )
  return Value.Decode(Config, value)
}
