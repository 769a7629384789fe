import { BRIEF_EVALUATION } from "./brief-evaluation.ts"
import { BRIEF_GUARDRAILS } from "./brief-guardrails.ts"
import { BRIEF_RESOURCES } from "./brief-resources.ts"
import { BRIEF_STORAGE } from "./brief-storage.ts"
import { CONTENTS_MODELS } from "./contents-models.ts"
import { CONTENTS_ROWS } from "./contents-rows.ts"
import { EVALUATION_JOBS } from "./evaluation-jobs.ts"
import { FILES_BYTES } from "./files-bytes.ts"
import { FILES_DOWNLOAD } from "./files-download.ts"
import { FILES_ERRORS } from "./files-errors.ts"
import { FILES_FILTERS } from "./files-filters.ts"
import { FILES_LISTING } from "./files-listing.ts"
import { FILES_ROUTES } from "./files-routes.ts"
import { FILES_SHAPES } from "./files-shapes.ts"
import { GUARDRAILS_CLIENT } from "./guardrails-client.ts"
import { GUARDRAILS_RAILS } from "./guardrails-rails.ts"
import { HUB_ENDPOINT } from "./hub-endpoint.ts"
import { OPERATING_AUTH } from "./operating-auth.ts"
import { OPERATING_COMMANDS } from "./operating-commands.ts"
import { OPERATING_START } from "./operating-start.ts"
import type { Requirement } from "./requirement.ts"
import { SECRETS_WORKSPACES } from "./secrets-workspaces.ts"

export type { Requirement, RequirementStatus } from "./requirement.ts"

/** Every testable sentence of the contract, built or not: the honest state of the product. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...BRIEF_RESOURCES,
  ...BRIEF_STORAGE,
  ...BRIEF_EVALUATION,
  ...BRIEF_GUARDRAILS,
  ...FILES_ROUTES,
  ...SECRETS_WORKSPACES,
  ...FILES_SHAPES,
  ...FILES_LISTING,
  ...FILES_FILTERS,
  ...FILES_BYTES,
  ...FILES_DOWNLOAD,
  ...FILES_ERRORS,
  ...HUB_ENDPOINT,
  ...CONTENTS_ROWS,
  ...CONTENTS_MODELS,
  ...GUARDRAILS_CLIENT,
  ...GUARDRAILS_RAILS,
  ...EVALUATION_JOBS,
  ...OPERATING_START,
  ...OPERATING_AUTH,
  ...OPERATING_COMMANDS,
]
