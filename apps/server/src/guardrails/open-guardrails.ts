import { randomUUID } from "node:crypto"
import { createGuardrailService, type GuardrailService } from "@assay/guardrails"
import type { JobHost } from "@assay/jobs"
import { checkSecretRights } from "@assay/filesets"
import type { Registry } from "@assay/registry"
import type { ServerContext } from "../server-context.ts"

/** Opens the guardrails of a server: its configurations are in the registry, and their judges are asked through `endpoints`. */
export function openGuardrails(
  { settings, now, logger }: ServerContext,
  registry: Pick<Registry, "guardrailConfigurations" | "secrets">,
  endpoints: Pick<JobHost, "checkEndpoint" | "openInference">,
): GuardrailService {
  return createGuardrailService({
    store: registry.guardrailConfigurations,
    secrets: { ...registry.secrets, checkRights: checkSecretRights },
    ...endpoints,
    defaultUrl: settings.ASSAY_DEFAULT_INFERENCE_URL,
    now,
    newId: randomUUID,
    logger,
  })
}
