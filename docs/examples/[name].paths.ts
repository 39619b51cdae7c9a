// A page for each example that is one file.
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const examples = resolve(import.meta.dirname, '..', '..', 'examples')

export default {
  paths: () =>
    readdirSync(examples)
      .filter((file) => /^\d\d-.*\.ts$/.test(file))
      .map((file) => {
        const code = readFileSync(resolve(examples, file), 'utf8')
        const name = file.slice(0, -3)
        const run = `npm run build && npx tsx examples/${file}`
        return {
          params: { name },
          content: `\`\`\`sh\n${run}\n\`\`\`\n\n\`\`\`typescript\n${code}\`\`\`\n`,
        }
      }),
}
