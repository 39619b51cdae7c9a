// The process of a server: `node serve.mjs <peer> <what it is started with>`.
import { serve } from './serving.mjs'

const [peer, json] = process.argv.slice(2)
const options = JSON.parse(json)
const { start, startOwn } = await import(`./${peer}.mjs`)
await serve('routes' in options ? startOwn : start, options)
