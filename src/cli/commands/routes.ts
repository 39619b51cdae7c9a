import { withApplication } from '../application.ts'
import type { Command, Result } from '../command.ts'
import { printableJson } from '../terminal.ts'
import { showTree, treeText } from '../tree.ts'

export const routes: Command = {
  name: 'routes',
  positionals: ['MODULE'],
  summary: 'show the tree of contexts, with their routes, hooks and schemas',
  options: { json: { help: 'write the tree as JSON' } },
  run: ({ positionals: [module = ''], has, paint }): Promise<Result> =>
    withApplication(module, (application) => {
      const tree = showTree(application)
      const output = has('json') ? printableJson(tree) : treeText(tree, paint)
      return { output, code: 0 }
    }),
}
