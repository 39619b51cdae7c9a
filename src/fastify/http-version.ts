import type { HTTPVersion } from 'find-my-way'
import type { Server } from 'node:http'
import type { RawServerBase } from './raw.ts'

/** The version of HTTP that a server of Node speaks, as the router names it. */
export type Version<RawServer extends RawServerBase> = RawServer extends Server
  ? HTTPVersion.V1
  : HTTPVersion.V2
