import { setTimeout } from "node:timers/promises"
import type { AnalysisOutcome, AnalysisRun, Registry } from "@assay/registry"
import { type Caller, secretRightsOf } from "@assay/registry/tokens"
import { AssayError, formatTimestamp, isAssayError, type Model, type StorageConfiguration } from "@assay/schemas"
import type { FastifyBaseLogger } from "fastify"
import { createTurns } from "../contents/create-turns.ts"
import { loadContents } from "../contents/load-contents.ts"
import { openNamedFileset } from "../contents/open-named-fileset.ts"

/** Analyses of checkpoints. They run to the end even if nobody waits for them. */
export interface Analyses {
  /** Runs an analysis that was started on record, with the rights of `caller`. */
  start(run: AnalysisRun, caller: Caller): void
  /** Waits until no server analyses a model any more, or `signal` aborts. */
  wait(model: Model, signal: AbortSignal): Promise<void>
  /** Ends all analyses and marks their records as ended. */
  close(): Promise<void>
}

/** Maximum number of analyses at a time. They mostly wait for storage. */
const MAX_ANALYSES = 4
/** Milliseconds between two checks of an analysis that another server runs. */
const POLL_MS = 500

export function createAnalyses(context: AnalysisContext): Analyses {
  const { registry, logger } = context
  const closing = new AbortController()
  const turns = createTurns(MAX_ANALYSES)
  const running = new Map<string, Promise<void>>()

  async function analyze(run: AnalysisRun, caller: Caller): Promise<void> {
    const { model } = run
    const signal = AbortSignal.any([run.signal, closing.signal])
    try {
      await run.keep(await turns.run(signal, () => analyzeModelFileset(model, caller, context, signal)))
    } catch (error) {
      if (!signal.aborted) throw error
      await run.drop()
    }
  }

  async function endElsewhere({ workspace, name, id }: Model, signal: AbortSignal): Promise<void> {
    for (;;) {
      const model = await registry.models.get(workspace, name)
      if (model.id !== id || model.analysis.status !== "running") return
      await setTimeout(POLL_MS, undefined, { signal })
    }
  }

  return {
    start(run, caller) {
      const { id } = run.model
      const ended = analyze(run, caller)
        .catch((error: unknown) => logger.error({ err: error, model: id }, "keeping the analysis of a model failed"))
        .finally(() => running.delete(id))
      running.set(id, ended)
    },

    async wait(model, signal) {
      const leaving = AbortSignal.any([signal, closing.signal])
      if (leaving.aborted) return
      const left = new Promise<void>((resolve) => {
        leaving.addEventListener("abort", () => resolve(), { once: true })
      })
      await Promise.race([left, running.get(model.id) ?? endElsewhere(model, leaving).catch(unlessGone(leaving))])
    },

    async close() {
      closing.abort(new AssayError("unavailable", "The server is closing."))
      await Promise.all(running.values())
    },
  }
}

/** Ignores errors after `leaving` has aborted, and `not_found` for a model that was deleted. */
function unlessGone(leaving: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!leaving.aborted && !isAssayError(error, "not_found")) throw error
  }
}

interface AnalysisContext {
  readonly registry: Registry
  readonly now: () => number
  /** Whether the operator allows tool call plugins. */
  readonly allowPlugins: boolean
  readonly logger: FastifyBaseLogger
}

const SERVER_ERROR = "The server failed to analyse the checkpoint. Its log has the reason under the id of the model."

/**
 * Analyses the checkpoint in a model's fileset with the rights of `caller`. Every failure is an outcome too: a missing
 * fileset, one that can't be opened, or an internal error.
 * @throws the reason of `signal`
 */
async function analyzeModelFileset(
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
    const { code, message } = isAssayError(error) ? error : new AssayError("internal", SERVER_ERROR)
    if (code === "internal") logger.error({ err: error, model: model.id }, message)
    const analyzed_at = formatTimestamp(now())
    const nothing = { warnings: [], bytes_read: 0, requests: 0 }
    return { spec: null, analysis: { ...nothing, status: "failed", error: { code, message }, analyzed_at } }
  }
}

/** Returns the names of the checkpoint at its origin. */
function namesBehind(storage: StorageConfiguration): readonly string[] {
  if (storage.type === "hub") return [storage.repo_id]
  return storage.type === "catalog" ? [storage.target] : []
}
