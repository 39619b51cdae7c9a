// Makes servers compile all schemas at boot, unless they say otherwise:
// `node --import tsx --import ./test/support/eager.mjs test/run.ts …`
process.env.BUNDLED_DEFAULTS ??= JSON.stringify([["compile: 'lazy'", "compile: 'eager'"]])
await import('./bundled.mjs')
