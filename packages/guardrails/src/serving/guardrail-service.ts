import { AssayError, isAssayError, parseSecretRef, type GuardrailData, type ValidationIssue } from "@assay/schemas"
import type { Guardrail, GuardrailContext, RailSelection } from "../guardrail.ts"
import { createGuardrailPool, type GuardrailLease } from "../requests/guardrail-pool.ts"
import { railsOf, requestWarnings, showsPrompts } from "../requests/request-options.ts"
import { chooseGuardrail, type ChoiceRequest, type ChosenGuardrail } from "./choose-guardrail.ts"
import { createGuardrailConfigurations, type GuardrailConfigurations } from "./guardrail-configurations.ts"
import type { GuardrailSecrets, GuardrailStore } from "./guardrail-store.ts"

/** Guardrail configurations, and the guardrails that are open. */
export interface GuardrailService {
  readonly configurations: GuardrailConfigurations
  /**
   * Returns the guardrail that a request chooses, opened with the current values of its secrets.
   * @throws `invalid_request`, `not_found`, `secret_not_readable`
   */
  acquire(request: ChoiceRequest): Promise<AcquiredGuardrail>
  /**
   * Returns the names of the models that a chat through this guardrail can ask: the one of `main` first, then those that its endpoint
   * lists. Without a list, or if `main` is pinned, only its own.
   * @throws as `acquire`; the error of the endpoint if it lists no models and `main` has no name
   */
  listModels(request: ChoiceRequest, options: { readonly signal: AbortSignal }): Promise<readonly string[]>
  close(): Promise<void>
}

/** A guardrail in use, for one request. */
export interface AcquiredGuardrail extends GuardrailLease {
  /** The rails that the request selects; undefined: all. */
  readonly rails: RailSelection | undefined
  /** Whether the request asks for the messages that its judges are asked with. */
  readonly prompts: boolean
  /** The stored configuration that the request names, `<workspace>/<name>`; undefined: the request contains its configuration. */
  readonly id: string | undefined
  /** Warnings about the request and about its configuration, with locations in the request. */
  readonly warnings: readonly ValidationIssue[]
}

export interface GuardrailServiceContext extends Pick<GuardrailContext, "now" | "newId"> {
  readonly store: GuardrailStore
  readonly secrets: GuardrailSecrets
  /** Fails if this endpoint may not be asked. @throws `host_not_allowed` */
  readonly checkEndpoint: (url: string) => void
  /** Returns what the clients of all endpoints share. Asynchronous, so that a server loads it with the first guardrail. */
  readonly openInference: () => Promise<GuardrailContext["inference"]>
  /** Endpoint for models without a URL; undefined: such models are refused. */
  readonly defaultUrl: string | undefined
  /** Checks values with schemas of users. Given the workspace of the request, whose share of the threads it uses. */
  readonly checkJsonOf: (workspace: string) => NonNullable<GuardrailContext["checkJson"]>
  readonly logger: { warn(context: object, message: string): void }
}

/** Maximum number of open guardrails. Each holds compiled templates and a few idle connections. */
const MAX_OPEN = 100

/** Creates the service. The code that asks judges is loaded with the first request that needs it, because it would slow down the start. */
export function createGuardrailService(context: GuardrailServiceContext): GuardrailService {
  const { secrets, openInference, checkEndpoint, checkJsonOf, defaultUrl, now, newId, logger } = context
  const configurations = createGuardrailConfigurations(context)
  const onError = (error: unknown) => logger.warn({ err: error }, "failed to close a guardrail")
  const pool = createGuardrailPool({ max: MAX_OPEN, onError })

  const importModels = () => import("../configuration/with-models.ts")
  // Kept, because an import of what is loaded takes as long as reading a configuration.
  let models: ReturnType<typeof importModels> | undefined
  const loadModels = () => (models ??= importModels())

  async function contextOf(ownWorkspace: string): Promise<GuardrailContext> {
    return {
      inference: await openInference(),
      resolveSecret(reference) {
        const { workspace, name } = parseSecretRef(reference, ownWorkspace)
        return secrets.resolve(workspace, name)
      },
      checkJson: checkJsonOf(ownWorkspace),
      now,
      newId,
      ...(defaultUrl === undefined ? {} : { defaultUrl }),
      checkEndpoint,
    }
  }

  async function open(chosen: ChosenGuardrail, data: GuardrailData, ownWorkspace: string): Promise<Guardrail> {
    const { openGuardrail } = await import("../rails/open-guardrail.ts")
    const opening = openGuardrail(data, await contextOf(ownWorkspace))
    return opening.catch((error: unknown) => {
      throw atChoice(error, chosen)
    })
  }

  return {
    configurations,
    async acquire(request) {
      const chosen = await chooseGuardrail(configurations, request)
      secrets.checkRights(chosen.secrets, request.workspace, request.rights.usesSecretsOf)
      // A new value of a secret applies from the next request on.
      const versions = chosen.secrets.length === 0 ? "" : await secrets.versions(chosen.secrets)
      const { withAskedModel, withModels } = await loadModels()
      const own = withModels(chosen.data(), chosen.models)
      const data = withAskedModel(own, request.model)
      const key = `${chosen.key} ${versions}${data === own ? "" : ` ${JSON.stringify(request.model)}`}`
      const lease = await pool.acquire(key, () => open(chosen, data, request.workspace))
      const warnings = lease.guardrail.warnings.map((warning) => issueAtChoice(warning, chosen))
      return {
        guardrail: lease.guardrail,
        id: chosen.id,
        rails: railsOf(request.choice),
        prompts: showsPrompts(request.choice),
        warnings: [...requestWarnings(request.choice), ...warnings],
        [Symbol.dispose]: () => lease[Symbol.dispose](),
      }
    },
    async listModels(request, { signal }) {
      const chosen = await chooseGuardrail(configurations, request)
      secrets.checkRights(chosen.secrets, request.workspace, request.rights.usesSecretsOf)
      const { listModels } = await import("../rails/chat/list-models.ts")
      const { withModels } = await loadModels()
      return listModels(withModels(chosen.data(), chosen.models), await contextOf(request.workspace), signal)
    },
    close: () => pool.close(),
  }
}

/** Translates the locations of issues from the configuration to the request. */
function atChoice(error: unknown, chosen: ChosenGuardrail): unknown {
  if (!isAssayError(error, "invalid_request")) return error
  const issues = error.issues.map((issue) => issueAtChoice(issue, chosen))
  return new AssayError("invalid_request", error.message, { issues, cause: error })
}

function issueAtChoice(issue: ValidationIssue, { id }: Pick<ChosenGuardrail, "id">): ValidationIssue {
  if (issue.loc[1] !== "data") return issue
  const root = id === undefined ? ["body", "guardrails", "config"] : ["body", "guardrails"]
  return { ...issue, loc: [...root, ...issue.loc.slice(2)] }
}
