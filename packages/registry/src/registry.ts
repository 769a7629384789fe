import type { Baseline, EvaluationConfigBody, EvaluationTargetBody, GuardrailData } from "@assay/schemas"
import type { Audit } from "./audit/create-audit.ts"
import type { Changes } from "./changes/create-changes.ts"
import type { SharedDatabase } from "@assay/database"
import type { Documents } from "./documents/documents.ts"
import type { EndpointPaces } from "./paces/endpoint-paces.ts"
import type { CallerFilesets, FilesetStore, Integrity } from "@assay/filesets"
import type { Jobs, WebhookEvents } from "@assay/job-store"
import type { EndedSessions } from "./ended-sessions.ts"
import type { Uploads, UploadsOptions } from "@assay/uploads"
import type { WorkspaceBudgets } from "./workspaces/month-budgets.ts"
import type { UnreadableSecret } from "./secrets/unreadable-secrets.ts"
import type { Secrets } from "./secrets/secrets.ts"
import type { Workspaces } from "./workspaces/workspaces.ts"
import type { Projects } from "./projects/projects.ts"
import type { Models } from "./models/models.ts"

/** Checks the recorded data of all parts for damage. */
export interface RegistryIntegrity extends Integrity {
  /** Lists the secrets that can't be unsealed with the given keys. */
  listUnreadableSecrets(): Promise<readonly UnreadableSecret[]>
}

/**
 * Workspaces, secrets, projects, models, filesets and their files, jobs and configurations in one database. Without `as`, the
 * parts of `CallerFilesets` use only secrets of the fileset's own workspace.
 */
export interface Registry extends CallerFilesets, Pick<FilesetStore, "as" | "trash" | "sweepHistory" | "checkReady"> {
  readonly workspaces: Workspaces
  readonly budgets: WorkspaceBudgets
  readonly endpointPaces: EndpointPaces
  readonly projects: Projects
  readonly secrets: Secrets
  readonly models: Models
  readonly guardrailConfigurations: Documents<GuardrailData>
  readonly jobs: Jobs
  readonly webhookEvents: WebhookEvents
  readonly evaluationTargets: Documents<EvaluationTargetBody>
  readonly evaluationConfigurations: Documents<EvaluationConfigBody>
  readonly evaluationBaselines: Documents<Pick<Baseline, "history">>
  /** Opens the uploads in progress. */
  openUploads(options: UploadsOptions): Uploads
  /** The database for the queue of jobs. Undefined if it belongs to this server alone. */
  readonly sharedDatabase: SharedDatabase | undefined
  readonly audit: Audit
  readonly changes: Changes
  readonly endedSessions: EndedSessions
  readonly integrity: RegistryIntegrity
  /** Returns a sentence if the clock of this machine differs by more than 2 s from the clock of a shared database. */
  checkClock(): Promise<string | undefined>
  /** Returns a sentence if no notices of a shared database arrive here. Takes up to some seconds. */
  checkNotices(): Promise<string | undefined>
  /** Returns how many connections a shared database allows to all its servers together. */
  readConnectionLimit(): Promise<number | undefined>
  close(): Promise<void>
}
