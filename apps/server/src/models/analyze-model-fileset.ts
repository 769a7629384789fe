import type { AnalysisOutcome, Registry } from "@assay/registry"
import { AssayError, formatTimestamp, isAssayError, type Model, type StorageConfiguration } from "@assay/schemas"
import type { FastifyBaseLogger } from "fastify"
import type { Caller } from "../auth/grant.ts"
import { secretRightsOf } from "../auth/secret-rights.ts"
import { loadContents } from "../contents/load-contents.ts"
import { openNamedFileset } from "../contents/open-named-fileset.ts"

export interface AnalysisContext {
  readonly registry: Registry
  readonly now: () => number
  /** Whether the operator allows tool call plugins. */
  readonly allowPlugins: boolean
  readonly logger: FastifyBaseLogger
}

const FAULT_OF_OURS = "The server failed at this analysis; its log has the reason under the id of the model."

/**
 * Analyses the checkpoint in a model's fileset with the rights of `caller`. That the fileset is gone or can't be opened is
 * an outcome too, and so is a fault of ours.
 * @throws the reason of `signal`
 */
export async function analyzeModelFileset(
  model: Model,
  caller: Caller,
  { registry, now, allowPlugins, logger }: AnalysisContext,
  signal: AbortSignal,
): Promise<AnalysisOutcome> {
  const [workspace = "", name = ""] = model.fileset.split("/")
  const { filesets, files } = registry.as(secretRightsOf(caller))
  try {
    const fileset = await filesets.get(workspace, name)
    const { analyzeModel } = await loadContents()
    return await analyzeModel({
      storage: await files.open(workspace, name),
      metadata: fileset.metadata.model,
      earlier: model.spec,
      names: [model.name, name, ...namesBehind(fileset.storage)],
      allowPlugins,
      openFileset: openNamedFileset(registry, caller),
      now,
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    const { code, message } = isAssayError(error) ? error : new AssayError("internal", FAULT_OF_OURS)
    if (code === "internal") logger.error({ err: error, model: model.id }, message)
    const analyzed_at = formatTimestamp(now())
    const nothing = { warnings: [], bytes_read: 0, requests: 0 }
    return { spec: null, analysis: { ...nothing, status: "failed", error: { code, message }, analyzed_at } }
  }
}

/** What the files are called where they come from. */
function namesBehind(storage: StorageConfiguration): readonly string[] {
  if (storage.type === "hub") return [storage.repo_id]
  return storage.type === "catalog" ? [storage.target] : []
}
