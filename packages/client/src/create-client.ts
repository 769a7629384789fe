import { AssayError, hasUrlUser, maskUrlUser } from "@assay/schemas/errors"
import { createAudit, type Audit } from "./resources/audit.ts"
import { createBudgets, type Budgets } from "./resources/budgets.ts"
import { createCaches, type Caches } from "./resources/caches.ts"
import { createCallJson } from "./exchange/call-json.ts"
import type { ClientOptions } from "./client-options.ts"
import { createEvaluation, type Evaluation } from "./resources/evaluation.ts"
import { createExchange } from "./exchange/exchange.ts"
import { createFiles, type Files } from "./resources/files.ts"
import { createFilesets, type Filesets } from "./resources/filesets.ts"
import { createGuardrails, type Guardrails } from "./resources/guardrails.ts"
import { createHistory, type History } from "./resources/history.ts"
import { createModels, type Models } from "./resources/models.ts"
import { createProjects, type Projects } from "./resources/projects.ts"
import { createRows, type Rows } from "./resources/rows.ts"
import { createSecrets, type Secrets } from "./resources/secrets.ts"
import { createService, type Service } from "./resources/service.ts"
import { createTokens, type Tokens } from "./resources/tokens.ts"
import { createTrash, type Trash } from "./resources/trash.ts"
import { createUploads, type Uploads } from "./resources/uploads.ts"
import { createWorkspaces, type Workspaces } from "./resources/workspaces.ts"

/** The HTTP API as functions. Every failure is an `AssayError`. An abort rejects with the reason of its signal. */
export interface Client {
  /** Address of the server, without a slash at its end. */
  readonly url: string
  readonly workspaces: Workspaces
  readonly budgets: Budgets
  readonly projects: Projects
  readonly secrets: Secrets
  readonly filesets: Filesets
  readonly files: Files
  readonly caches: Caches
  readonly history: History
  readonly rows: Rows
  readonly models: Models
  readonly guardrails: Guardrails
  readonly evaluation: Evaluation
  readonly trash: Trash
  readonly uploads: Uploads
  readonly service: Service
  readonly tokens: Tokens
  readonly audit: Audit
}

/** Creates a client of the server at `options.url`. It connects at its first call. @throws `bad_settings` for an invalid address */
export function createClient(options: ClientOptions): Client {
  const url = parseServerUrl(options.url)
  const exchange = createExchange({ ...options, url })
  const call = createCallJson(exchange, { ...options, url })
  return {
    url,
    workspaces: createWorkspaces(call),
    budgets: createBudgets(call),
    projects: createProjects(call),
    secrets: createSecrets(call, exchange),
    filesets: createFilesets(call),
    files: createFiles(call, exchange, url),
    caches: createCaches(call),
    history: createHistory(call),
    rows: createRows(call),
    models: createModels(call),
    guardrails: createGuardrails(call, exchange, url),
    evaluation: createEvaluation(call, exchange, { ...options, url }),
    trash: createTrash(call),
    uploads: createUploads(exchange),
    service: createService(call, exchange),
    tokens: createTokens(call),
    audit: createAudit(call, exchange, url),
  }
}

/**
 * Parses the address of a server, and returns it without a slash at its end.
 * @throws `bad_settings` if it is not an http or https address, or contains a user name
 */
function parseServerUrl(url: string): string {
  if (hasUrlUser(url)) {
    const shown = maskUrlUser(url)
    throw new AssayError(
      "bad_settings",
      `'${shown}' contains a user name or a password: leave them out, and give the token in ASSAY_TOKEN.`,
    )
  }
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new AssayError(
      "bad_settings",
      `'${url}' is not the address of a server: write it like http://127.0.0.1:8080.`,
    )
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`
}
