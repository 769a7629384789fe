import { randomUUID } from "node:crypto"
import { createValueChecker, type Schemas } from "@assay/contents"
import { createGuardrailService, type GuardrailService } from "@assay/guardrails"
import type { JobHost } from "@assay/jobs"
import { checkSecretRights } from "@assay/filesets"
import type { Registry } from "@assay/registry"
import type { ServerContext } from "../server-context.ts"

/** Opens the guardrails of a server: its configurations are in the registry, and their judges are asked through `endpoints`. */
export function openGuardrails(
  { settings, now, logger }: ServerContext,
  registry: Pick<Registry, "guardrailConfigurations" | "secrets">,
  { schemas, ...endpoints }: Pick<JobHost, "checkEndpoint" | "openInference"> & { readonly schemas: Schemas },
): GuardrailService {
  return createGuardrailService({
    store: registry.guardrailConfigurations,
    secrets: { ...registry.secrets, checkRights: checkSecretRights },
    ...endpoints,
    checkJsonOf: (workspace) => async (schema, text) =>
      // Not the workspace itself, whose validations of rows would delay its chats. No workspace has a blank in its name.
      createValueChecker(schema, await schemas.of(`guardrails of ${workspace}`)).check(text),
    defaultUrl: settings.ASSAY_DEFAULT_INFERENCE_URL,
    now,
    newId: randomUUID,
    logger,
  })
}
