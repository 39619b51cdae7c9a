/// <reference path="./front.d.ts" />
// What package.json names by `typesVersions`, for compilers that read no `exports` (`moduleResolution: node10`).
export * from '../dist/index.js'
export { default } from '../dist/index.js'
