import { setTimeout } from "node:timers/promises"
import {
  AssayError,
  formatTimestamp,
  isAssayError,
  type Fileset,
  type Model,
  type StorageConfiguration,
} from "@assay/schemas"
import type { Storage } from "@assay/storage"
import type { ModelAnalysisOutcome } from "../analyze-checkpoint.ts"
import type { OpenFileset } from "../tool-calling/resolve-tool-calling.ts"
import { createTurns } from "@assay/isolation"

/** Analyses of checkpoints. They run to the end even if nobody waits for them. */
export interface Analyses {
  /** Runs an analysis that was started on record, with the filesets of its caller. */
  start(run: RecordedAnalysis, filesets: CallerFilesets): void
  /** Waits until the servers no longer analyse a model, or `signal` aborts. */
  wait(model: Model, signal: AbortSignal): Promise<void>
  /** Ends all analyses and marks their records as ended. */
  close(): Promise<void>
}

/** An analysis that was started on the record of a model. */
export interface RecordedAnalysis {
  readonly model: Model
  /** Aborted if the model is removed. */
  readonly signal: AbortSignal
  /** Ends the analysis with an outcome. */
  keep(outcome: ModelAnalysisOutcome): Promise<void>
  /** Ends the analysis without an outcome. */
  drop(): Promise<void>
}

/** The filesets that a caller may use. */
export interface CallerFilesets {
  /** @throws `not_found` */
  get(workspace: string, name: string): Promise<Fileset>
  /** @throws `not_found`, `secret_not_readable`; what the storage throws */
  open(workspace: string, name: string): Promise<Storage>
  /** Opens a fileset that metadata names. Returns null if it does not exist or the caller may not see it. */
  readonly openNamed: OpenFileset
}

export interface AnalysesOptions {
  readonly models: {
    /** @throws `not_found` */
    get(workspace: string, name: string): Promise<Model>
  }
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Whether the operator allows tool call plugins. */
  readonly allowPlugins: boolean
  readonly logger: { error(context: object, message: string): void }
}

/** Maximum number of analyses at a time. They mostly wait for storage. */
const MAX_ANALYSES = 4
/** Milliseconds between two checks of an analysis that another server runs. */
const POLL_MS = 500

export function createAnalyses(options: AnalysesOptions): Analyses {
  const { models, logger } = options
  const closing = new AbortController()
  const turns = createTurns(MAX_ANALYSES)
  const running = new Map<string, Promise<void>>()

  async function analyze(run: RecordedAnalysis, filesets: CallerFilesets): Promise<void> {
    const signal = AbortSignal.any([run.signal, closing.signal])
    try {
      await run.keep(await turns.run(signal, () => analyzeModelFileset(run.model, filesets, options, signal)))
    } catch (error) {
      if (!signal.aborted) throw error
      await run.drop()
    }
  }

  async function endElsewhere({ workspace, name, id }: Model, signal: AbortSignal): Promise<void> {
    for (;;) {
      const model = await models.get(workspace, name)
      if (model.id !== id || model.analysis.status !== "running") return
      await setTimeout(POLL_MS, undefined, { signal })
    }
  }

  return {
    start(run, filesets) {
      const { id } = run.model
      const ended = analyze(run, filesets)
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

const SERVER_ERROR = "The server failed to analyse the checkpoint. Its log has the reason under the id of the model."

/**
 * Analyses the checkpoint in a model's fileset. Every failure is an outcome too: a missing fileset, one that can't be opened, or
 * an internal error.
 * @throws the reason of `signal`
 */
async function analyzeModelFileset(
  model: Model,
  filesets: CallerFilesets,
  { now, allowPlugins, logger }: AnalysesOptions,
  signal: AbortSignal,
): Promise<ModelAnalysisOutcome> {
  const [workspace = "", name = ""] = (model.fileset ?? "").split("/")
  try {
    const fileset = await filesets.get(workspace, name)
    const { analyzeModel } = await import("../analyze-checkpoint.ts")
    return await analyzeModel({
      storage: await filesets.open(workspace, name),
      metadata: fileset.metadata.model,
      earlier: model.spec,
      names: [model.name, name, ...namesBehind(fileset.storage)],
      allowPlugins,
      openFileset: filesets.openNamed,
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
