import type { FastifyBaseLogger } from "fastify"
import type { Settings } from "./settings/settings-schema.ts"

/** What a server takes from the machine around it. */
export interface ServerContext {
  readonly settings: Settings
  /** Relative paths in settings start here. */
  readonly cwd: string
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
  readonly logger: FastifyBaseLogger
  /** Longest time that an operation waits for a remote backend, retries included, in milliseconds. Default 40,000. */
  readonly backendDeadlineMs?: number
}
