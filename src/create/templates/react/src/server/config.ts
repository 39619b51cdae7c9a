import { t, type Output } from 'espalier'
import { Value } from '@sinclair/typebox/value'

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const Config = t.Object({
  NODE_ENV: t.String({ default: 'development' }),
  HOST: t.String({ default: 'localhost' }),
  PORT: t.Integer({ minimum: 0, maximum: 65_535, default: 3000 }),
  LOG_LEVEL: t.Union(
    levels.map((level) => t.Literal(level)),
    { default: 'info' },
  ),
})

export type Config = Output<typeof Config>

/** Reads the environment. Throws an error that names the first variable that is wrong. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const filled = Value.Default(Config, Value.Clean(Config, { ...environment }))
  const config = Value.Convert(Config, filled)
  const [problem] = Value.Errors(Config, config)
  if (problem) throw new Error(`${problem.path.slice(1)}: ${problem.message}`)
  return Value.Decode(Config, config)
}
