import type { AccessKeys, CallerTokens, FailureLimit, IdentityProvider, Sessions, XetTokens } from "@assay/access"
import type { ConsoleFiles } from "./console/console-files.ts"
import type { Analyses, ChatTemplates } from "@assay/checkpoints"
import type { EnforceRows, RowReader, Schemas } from "@assay/contents"
import type { Evaluations, PacedInference, WorkspacePaces } from "@assay/jobs/service"
import type { GuardrailService } from "@assay/guardrails"
import type { XetHashes } from "@assay/hub"
import type { Registry } from "@assay/registry"
import type { Uploads } from "@assay/uploads"
import type { WireNames } from "@assay/schemas"
import type { Telemetry } from "@assay/telemetry"
import type { OutgoingBytes, TrustedProxies } from "@assay/http/node"
import type { Authenticate } from "./auth/authenticate.ts"
import type { ServerRole } from "./settings/settings-schema.ts"

/** The services that routes use. They are created once at start and passed to all routes. */
export interface Services {
  readonly registry: Registry
  /** Aborted when the server begins to stop. Until its requests have ended, it is not ready. */
  readonly stopping: AbortSignal
  readonly uploads: Uploads["uploads"]
  /** LFS objects that were sent for a future commit. */
  readonly pendingObjects: Uploads["pendingObjects"]
  /** Files that clients of the hub send as chunks. */
  readonly xet: Uploads["xet"]
  /** The hash functions of their chunks, made at the first call. */
  readonly xetHashes: () => Promise<XetHashes>
  /** The key of the hashes of chunks in shards that clients get, with its hash function, made at the first call. */
  readonly xetShardKey: () => Promise<{ readonly key: Uint8Array; readonly hash: (bytes: Uint8Array) => Uint8Array }>
  /** Tokens for chunks. */
  readonly xetTokens: XetTokens
  /** Uploads of S3 clients in parts. */
  readonly multipart: Uploads["multipart"]
  readonly enforceRows: EnforceRows
  readonly schemas: Schemas
  /** Reads rows for all routes, which share its limits. */
  readonly rows: RowReader
  readonly analyses: Analyses
  readonly chatTemplates: ChatTemplates
  readonly guardrails: GuardrailService
  readonly evaluations: Evaluations
  /** Undefined: no collector is configured. */
  readonly telemetry: Telemetry | undefined
  readonly workspacePaces: WorkspacePaces
  /** Lists the hosts whose endpoints limit requests. */
  readonly heldHosts: PacedInference["held"]
  /** A process without the role `api` serves only health and metrics. */
  readonly roles: readonly ServerRole[]
  readonly authenticate: Authenticate
  /** Whether callers are identified by bearer tokens. Without authentication, they are not identified. */
  readonly takesTokens: boolean
  /** The tokens, as callers may manage them. */
  readonly tokens: CallerTokens
  /** The access keys of S3 clients. */
  readonly accessKeys: AccessKeys
  /** The callers whose tokens or signatures were wrong. */
  readonly failures: FailureLimit
  /** The company's identity provider. Undefined: there is none. */
  readonly identityProvider: IdentityProvider | undefined
  /** The address of this server for people. Undefined: it is not known. */
  readonly publicUrl: URL | undefined
  /** The sessions of browsers. */
  readonly sessions: Sessions
  /** Origins whose pages may read and write. */
  readonly allowedOrigins: ReadonlySet<string>
  /** Proxies whose X-Forwarded-For, -Proto and -Host are trusted. */
  readonly trustedProxies: TrustedProxies
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Responses that clients have not received yet. */
  readonly outgoing: OutgoingBytes
  readonly wireNames: WireNames
  /** Endpoint for models that are given by name only; undefined: such models are refused. */
  readonly defaultInferenceUrl: string | undefined
  /** Whether the server has a table with prices of models. */
  readonly hasPrices: boolean
  /** Maximum silence of an upload, in milliseconds. */
  readonly uploadIdleMs: number
  /** Maximum size of a file in bytes; undefined: no limit. */
  readonly maxUploadBytes: number | undefined
  /** Host names that requests may use if there is no authentication; undefined: any. */
  readonly allowedHostNames: ReadonlySet<string> | undefined
  /** Whether metadata of models may name tool call plugins. */
  readonly allowPlugins: boolean
  /** The console. Empty if it was not built. */
  readonly console: ConsoleFiles
  /** Processor cores that one piece of work may use. */
  readonly cores: number
  readonly version: string
  readonly revision: string
}
