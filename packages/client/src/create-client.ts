import { createCaches, type Caches } from "./caches.ts"
import { createCallJson } from "./call-json.ts"
import type { ClientOptions } from "./client-options.ts"
import { createEvaluation, type Evaluation } from "./evaluation.ts"
import { createExchange } from "./exchange.ts"
import { createFiles, type Files } from "./files.ts"
import { createFilesets, type Filesets } from "./filesets.ts"
import { createGuardrails, type Guardrails } from "./guardrails.ts"
import { createModels, type Models } from "./models.ts"
import { parseServerUrl } from "./parse-server-url.ts"
import { createProjects, type Projects } from "./projects.ts"
import { createRows, type Rows } from "./rows.ts"
import { createSecrets, type Secrets } from "./secrets.ts"
import { createService, type Service } from "./service.ts"
import { createUploads, type Uploads } from "./uploads.ts"
import { createWorkspaces, type Workspaces } from "./workspaces.ts"

/** The HTTP API as calls. Every failure is an `AssayError`; an abort rejects with the reason of its signal. */
export interface Client {
  /** Address of the server, without a slash at its end. */
  readonly url: string
  readonly workspaces: Workspaces
  readonly projects: Projects
  readonly secrets: Secrets
  readonly filesets: Filesets
  readonly files: Files
  readonly caches: Caches
  readonly rows: Rows
  readonly models: Models
  readonly guardrails: Guardrails
  readonly evaluation: Evaluation
  readonly uploads: Uploads
  readonly service: Service
}

/** A client of the server at `options.url`. Opens no connection by itself. @throws `bad_settings` for a wrong address */
export function createClient(options: ClientOptions): Client {
  const url = parseServerUrl(options.url)
  const exchange = createExchange({ ...options, url })
  const call = createCallJson(exchange, { ...options, url })
  return {
    url,
    workspaces: createWorkspaces(call),
    projects: createProjects(call),
    secrets: createSecrets(call, exchange),
    filesets: createFilesets(call),
    files: createFiles(call, exchange, url),
    caches: createCaches(call),
    rows: createRows(call),
    models: createModels(call),
    guardrails: createGuardrails(call, exchange, url),
    evaluation: createEvaluation(call, exchange, { ...options, url }),
    uploads: createUploads(exchange),
    service: createService(call, exchange),
  }
}
