import { AGENTS } from "./agents.ts"
import { CONSOLE } from "./console.ts"
import { CONTENTS } from "./contents.ts"
import { DECIDE } from "./decide.ts"
import { EVALUATION } from "./evaluation.ts"
import { FILES_BYTES } from "./files-bytes.ts"
import { FILES_ERRORS } from "./files-errors.ts"
import { FILES_FILTERS, FILES_LISTING } from "./files-listing.ts"
import { FILES_ROUTES } from "./files-routes.ts"
import { FILES_S3 } from "./files-s3.ts"
import { GUARDRAILS } from "./guardrails.ts"
import { HUB_ENDPOINT } from "./hub-endpoint.ts"
import { OPERATING } from "./operating.ts"
import { RECORDS } from "./records.ts"
import { SCALE } from "./scale.ts"
import type { Requirement } from "./requirement.ts"

export type { Requirement } from "./requirement.ts"

/** Every testable sentence of the contract in `docs/spec`. A sentence holds if a test verifies it. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...RECORDS,
  ...FILES_ROUTES,
  ...FILES_LISTING,
  ...FILES_FILTERS,
  ...FILES_BYTES,
  ...FILES_ERRORS,
  ...FILES_S3,
  ...HUB_ENDPOINT,
  ...CONTENTS,
  ...GUARDRAILS,
  ...EVALUATION,
  ...OPERATING,
  ...SCALE,
  ...DECIDE,
  ...CONSOLE,
  ...AGENTS,
]
