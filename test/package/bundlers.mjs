// Bundles applications with one bundler, as its users configure it.
// Run as `bundlers.mjs <bundler> <from> <to>`.
// It stands in a folder in which the bundlers are installed.
import { join } from 'node:path'

const [bundler, from, to] = process.argv.slice(2)
const names = ['espalier', 'fastify']
const formats = { mjs: 'es', cjs: 'cjs' }
const entry = (name) => join(from, `layout-${name}.mjs`)
const output = (name, extension) => `${bundler}-${name}.${extension}`

async function useRollup() {
  const { rollup } = await import('rollup')
  const titles = ['node-resolve', 'commonjs', 'json']
  const modules = await Promise.all(titles.map((title) => import(`@rollup/plugin-${title}`)))
  for (const name of names) {
    const plugins = modules.map((module) => module.default())
    const bundle = await rollup({ input: entry(name), plugins })
    for (const [extension, format] of Object.entries(formats)) {
      await bundle.write({ file: join(to, output(name, extension)), format })
    }
  }
}

/** What webpack and Rspack are both given. */
const packs = (more) =>
  names.flatMap((name) =>
    Object.keys(formats).map((extension) => ({
      mode: 'production',
      target: 'node',
      context: from,
      entry: entry(name),
      output: { path: to, filename: output(name, extension), module: extension === 'mjs' },
      ...more?.(extension),
    })),
  )

const compile = (pack, configs) =>
  new Promise((done, fail) => {
    pack(configs, (error, stats) => {
      const text = stats?.toString({ all: false, errors: true, warnings: true })
      if (error || stats.hasErrors()) fail(error ?? new Error(text))
      else done()
    })
  })

async function useWebpack() {
  const { default: webpack } = await import('webpack')
  const configs = packs((extension) => ({
    // Modules are still an experiment of webpack's.
    experiments: { outputModule: extension === 'mjs' },
    // Rspack minifies: a second time would only take longer.
    optimization: { minimize: false },
  }))
  await compile(webpack, configs)
}

async function useRspack() {
  const { rspack } = await import('@rspack/core')
  await compile(rspack, packs())
}

await { rollup: useRollup, webpack: useWebpack, rspack: useRspack }[bundler]()
