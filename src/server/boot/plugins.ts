import { checkMetadata, metadataOf } from '../../plugin/metadata.ts'
import type { NamedPlugin } from '../../plugin/boot.ts'
import { isShared, nameOf, shownName } from '../../plugin/plugin.ts'
import { guard } from '../../lifecycle/log/guard.ts'
import { writeFailure } from '../logging/host-log.ts'
import type { Context } from '../../context/context.ts'
import type { ServerFaces } from '../faces.ts'

type ServerContext = Context<ServerFaces>

/** Tells a context of a plugin whose turn has come, and checks what the plugin asks of it.
 *  @throws what `checkMetadata` does */
export function enterPlugin(context: ServerContext, { plugin, name }: NamedPlugin): void {
  for (const own of [nameOf(plugin), metadataOf(plugin)?.name]) {
    if (typeof own === 'string') context.addPlugin(own)
  }
  checkMetadata(plugin, name, context)
  if (isShared(plugin)) {
    context.addShared(shownName(plugin, name, context.faces.dialect.boot))
  }
}

/** Runs the onRegister hooks of a context and its ancestors for a child that was opened for a plugin,
 *  which has not run yet. Nothing waits for them. @throws what the hooks throw */
export function announceContext(
  parent: ServerContext,
  child: ServerContext,
  options: unknown = {},
): void {
  const { server } = parent.faces
  child.decorators.server.announce(() => {
    for (const hook of parent.hooks.collect('onRegister')) {
      const returned: unknown = Reflect.apply(hook, server, [child.faces.server, options])
      guard(() => returned, writeFailure)
    }
  })
}
