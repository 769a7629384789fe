import type { Registry } from "@assay/registry"
import type { WireNames } from "@assay/schemas"
import type { Authenticate } from "./auth/authenticate.ts"
import type { Schemas } from "./contents/create-schemas.ts"
import type { EnforceRows } from "./contents/enforce-rows.ts"
import type { TrustedProxies } from "./door/trusted-proxies.ts"
import type { Evaluations } from "./evaluation/create-evaluations.ts"
import type { Guardrails } from "./guardrails/create-guardrails.ts"
import type { OutgoingBytes } from "./http/outgoing-bytes.ts"
import type { Analyses } from "./models/create-analyses.ts"
import type { ServerRole } from "./settings/settings-schema.ts"
import type { ObjectStore } from "./uploads/object-store.ts"
import type { UploadStore } from "./uploads/upload-store.ts"

/** What the routes stand on; made once at start and passed to each of them. */
export interface Services {
  readonly registry: Registry
  readonly uploads: UploadStore
  /** What was sent for a commit that is still to come. */
  readonly objects: ObjectStore
  readonly enforceRows: EnforceRows
  readonly schemas: Schemas
  readonly analyses: Analyses
  readonly guardrails: Guardrails
  readonly evaluations: Evaluations
  /** A process that is no `api` answers health and metrics alone. */
  readonly roles: readonly ServerRole[]
  readonly authenticate: Authenticate
  /** Whether callers are known by bearer tokens; without auth they are not known at all. */
  readonly takesTokens: boolean
  /** Origins whose pages may read and write. */
  readonly allowedOrigins: ReadonlySet<string>
  /** Proxies whose X-Forwarded-For, -Proto and -Host are believed. */
  readonly trustedProxies: TrustedProxies
  /** Answers that are on their way. */
  readonly outgoing: OutgoingBytes
  readonly wireNames: WireNames
  /** Where models are asked that are given by name alone; undefined: nowhere. */
  readonly defaultInferenceUrl: string | undefined
  /** Longest silence of an upload, in milliseconds. */
  readonly uploadIdleMs: number
  /** Largest file taken; undefined: no limit. */
  readonly maxUploadBytes: number | undefined
  /** Host names that requests may name while there is no auth; undefined: any. */
  readonly allowedHostNames: ReadonlySet<string> | undefined
  /** Whether metadata of models may name tool call plugins. */
  readonly allowPlugins: boolean
  /** Processor cores that one piece of work may use. */
  readonly cores: number
  readonly version: string
  readonly revision: string
}
