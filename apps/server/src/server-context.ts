import type { SchemaLimits } from "@assay/contents"
import type { FastifyBaseLogger } from "fastify"
import type { createCompilers } from "./validation/compilers.ts"
import type { Settings } from "./settings/settings-schema.ts"

/** Everything that a server needs from its process. */
export interface ServerContext {
  readonly settings: Settings
  /** Base folder of relative paths in settings. */
  readonly cwd: string
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
  readonly logger: FastifyBaseLogger
  /** The words that start `assay`, if they started this process. Shards of executors are started by them. */
  readonly program?: readonly string[] | undefined
  /** Servers of one process can share what it returns. Default: each has its own. */
  readonly createCompilers?: typeof createCompilers
  /** Folder with the built console. Default: that of the package `@assay/console`. */
  readonly consoleFolder?: string
  /** Maximum time that an operation waits for a remote backend, including retries, in milliseconds. Default: 40,000. */
  readonly backendDeadlineMs?: number
  /** Limits of the work on users' schemas. */
  readonly schemaLimits?: SchemaLimits
}
