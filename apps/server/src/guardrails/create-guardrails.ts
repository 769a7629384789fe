import { randomUUID } from "node:crypto"
import { performance } from "node:perf_hooks"
import type { Guardrail, GuardrailContext, GuardrailLease, GuardrailPool, RailSelection } from "@assay/guardrails"
import type { HostPolicy } from "@assay/http/host-policy"
import { checkSecretRights, type Registry } from "@assay/registry"
import { secretRightsOf } from "@assay/registry/tokens"
import { AssayError, isAssayError, parseSecretRef, type GuardrailData, type ValidationIssue } from "@assay/schemas"
import type { FastifyBaseLogger } from "fastify"
import { sleep } from "../sleep.ts"
import { chooseGuardrail, type ChoiceRequest, type ChosenGuardrail } from "./choose-guardrail.ts"
import { createGuardrailConfigurations, type GuardrailConfigurations } from "./guardrail-configurations.ts"
import { loadGuardrails } from "./load-guardrails.ts"

/** Guardrail configurations, and the guardrails that are open. */
export interface Guardrails {
  readonly configurations: GuardrailConfigurations
  /**
   * Returns the guardrail that a request chooses, opened with the current values of its secrets.
   * @throws `invalid_request`, `not_found`, `secret_not_readable`
   */
  acquire(request: ChoiceRequest): Promise<AcquiredGuardrail>
  close(): Promise<void>
}

/** A guardrail in use, for one request. */
export interface AcquiredGuardrail extends GuardrailLease {
  /** The rails that the request selects; undefined: all. */
  readonly rails: RailSelection | undefined
  /** Warnings about the request and about its configuration, with locations in the request. */
  readonly warnings: readonly ValidationIssue[]
}

export interface GuardrailsContext {
  readonly registry: Registry
  /** Decides which endpoints may be asked. */
  readonly policy: HostPolicy
  /** The memory limit that large responses of all endpoints share. */
  readonly answerRoom: NonNullable<GuardrailContext["inference"]["answerRoom"]>
  /** Endpoint for models without a URL; undefined: such models are refused. */
  readonly defaultUrl: string | undefined
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  readonly logger: FastifyBaseLogger
}

/** Maximum number of open guardrails. Each holds compiled templates and a few idle connections. */
const MAX_OPEN = 100

export function createGuardrails(setup: GuardrailsContext): Guardrails {
  const { registry, policy, answerRoom, defaultUrl, now, logger } = setup
  const configurations = createGuardrailConfigurations({ documents: registry.guardrailConfigurations, policy })
  const onError = (error: unknown) => logger.warn({ err: error }, "failed to close a guardrail")
  let pool: GuardrailPool | undefined

  async function open(chosen: ChosenGuardrail, data: GuardrailData, home: string): Promise<Guardrail> {
    const { openGuardrail } = await loadGuardrails()
    const { createGuardedAgent } = await import("@assay/http/guarded-agent")
    const context: GuardrailContext = {
      inference: {
        now: () => performance.now(),
        random: Math.random,
        sleep,
        openDispatcher: (options) => createGuardedAgent(policy.checkNamed, { ...options, patient: true }),
        answerRoom,
      },
      resolveSecret(reference) {
        const { workspace, name } = parseSecretRef(reference, home)
        return registry.secrets.resolve(workspace, name)
      },
      now,
      newId: randomUUID,
      ...(defaultUrl === undefined ? {} : { defaultUrl }),
      checkEndpoint: (url) => policy.checkEndpoint(url),
    }
    return openGuardrail(data, context).catch((error: unknown) => {
      throw atChoice(error, chosen)
    })
  }

  return {
    configurations,
    async acquire(request) {
      const chosen = await chooseGuardrail(configurations, request)
      checkSecretRights(chosen.secrets, request.workspace, secretRightsOf(request.caller))
      // A new value of a secret applies from the next request on.
      const versions = chosen.secrets.length === 0 ? "" : await registry.secrets.versions(chosen.secrets)
      const { createGuardrailPool, railsOf, requestWarnings, withAskedModel, withModels } = await loadGuardrails()
      const own = withModels(chosen.data(), chosen.models)
      const data = withAskedModel(own, request.model)
      const key = `${chosen.key} ${versions}${data === own ? "" : ` ${JSON.stringify(request.model)}`}`
      pool ??= createGuardrailPool({ max: MAX_OPEN, onError })
      const lease = await pool.acquire(key, () => open(chosen, data, request.workspace))
      const warnings = lease.guardrail.warnings.map((warning) => issueAtChoice(warning, chosen))
      return {
        guardrail: lease.guardrail,
        rails: railsOf(request.choice),
        warnings: [...requestWarnings(request.choice), ...warnings],
        [Symbol.dispose]: () => lease[Symbol.dispose](),
      }
    },
    close: async () => pool?.close(),
  }
}

/** Translates the locations of issues from the configuration to the request. */
function atChoice(error: unknown, chosen: ChosenGuardrail): unknown {
  if (!isAssayError(error, "invalid_request")) return error
  const issues = error.issues.map((issue) => issueAtChoice(issue, chosen))
  return new AssayError("invalid_request", error.message, { issues, cause: error })
}

function issueAtChoice(issue: ValidationIssue, { isInline }: Pick<ChosenGuardrail, "isInline">): ValidationIssue {
  if (issue.loc[1] !== "data") return issue
  const root = isInline ? ["body", "guardrails", "config"] : ["body", "guardrails"]
  return { ...issue, loc: [...root, ...issue.loc.slice(2)] }
}
