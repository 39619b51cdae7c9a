// Bundles applications with one bundler, as its users configure it.
// Run as `bundlers.mjs <bundler> <from> <to>`.
// It stands in a folder in which the bundlers are installed.
import { join } from 'node:path'

const [bundler, from, to] = process.argv.slice(2)
const formats = { mjs: 'es', cjs: 'cjs' }
/** The files that are bundled, and the formats of each. */
const entries = {
  'layout-espalier.mjs': ['mjs', 'cjs'],
  'layout-fastify.mjs': ['mjs', 'cjs'],
  'layout.cjs': ['cjs'],
}
const output = (file, extension) => `${bundler}-${file}.${extension}`

async function useRollup() {
  const { rollup } = await import('rollup')
  const titles = ['node-resolve', 'commonjs', 'json']
  const modules = await Promise.all(titles.map((title) => import(`@rollup/plugin-${title}`)))
  for (const [file, extensions] of Object.entries(entries)) {
    const plugins = modules.map((module) => module.default())
    const bundle = await rollup({ input: join(from, file), plugins })
    for (const extension of extensions) {
      const format = formats[extension]
      await bundle.write({ file: join(to, output(file, extension)), format })
    }
  }
}

/** What webpack and Rspack are both given. */
const packs = (more) =>
  Object.entries(entries).flatMap(([file, extensions]) =>
    extensions.map((extension) => ({
      mode: 'production',
      target: 'node',
      context: from,
      entry: join(from, file),
      output: { path: to, filename: output(file, extension), module: extension === 'mjs' },
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
