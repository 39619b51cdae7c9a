const known = ['npm', 'pnpm', 'yarn', 'bun'] as const

export type PackageManager = (typeof known)[number]

/** The package manager that started this process, by what it says of itself:
 *  `pnpm/10.0.0 npm/? node/v24.0.0 linux x64`. */
export function packageManagerOf({
  npm_config_user_agent: agent,
}: NodeJS.ProcessEnv): PackageManager {
  const [name] = (agent ?? '').split('/')
  return known.find((each) => each === name) ?? 'npm'
}

/** The command that runs a script. `bun test` would run the tests of Bun. */
export function scriptCommand(manager: PackageManager, script: string): string {
  const isShort = ['start', 'test'].includes(script) && manager !== 'bun'
  return isShort ? `${manager} ${script}` : `${manager} run ${script}`
}
