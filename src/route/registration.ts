import type { Context, ContextObjects } from '../context/context.ts'
import type { Reply } from '../lifecycle/reply.ts'
import type { Request } from '../lifecycle/request.ts'
import type { RouteDeclaration } from './declaration.ts'

/** The objects of a context whose requests and replies are made by these classes. */
export interface ExchangeClasses extends ContextObjects {
  readonly Request: typeof Request
  readonly Reply: typeof Reply
}

/** A declared route under one method and full path. */
export interface RouteRegistration {
  readonly declaration: RouteDeclaration
  readonly context: Context<ExchangeClasses>
  readonly method: string
  readonly url: string
  /** Whether it answers requests that no route was found for. */
  readonly is404: boolean
  /** Whether the bodies of its requests are left unread. @default false */
  readonly ignoresBody?: boolean
}
