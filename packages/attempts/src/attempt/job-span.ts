import type { RunOutcome } from "./job-progress.ts"
import type { EvaluationConfig } from "@assay/schemas"
import type { Attributes, Span, SpanOptions } from "@assay/telemetry"

interface TracedJob {
  readonly id: string
  readonly namespace: string
  readonly config: Pick<EvaluationConfig, "type">
}

/**
 * Returns the span of one run of a job. All runs of a job are in one trace: the first run is its root, and later runs, such as those
 * after a crash, and shards on other servers are inside it.
 */
export function spanOfJob(
  { id, namespace, config }: TracedJob,
  { isFirst, attributes }: { readonly isFirst: boolean; readonly attributes: Attributes },
): SpanOptions {
  return {
    name: "job",
    trace: { id, isRoot: isFirst },
    attributes: {
      "assay.job.id": id,
      "assay.workspace": namespace,
      "assay.job.type": config.type,
      ...attributes,
    },
  }
}

/** Adds to a span how its job has ended. */
export function setOutcome(span: Span | undefined, { status, conditions, progress }: RunOutcome): void {
  span?.set({
    "assay.job.status": status,
    "assay.rows.processed": progress.processed,
    "assay.rows.failed": progress.failed,
  })
  if (status === "FAILED") span?.fail(conditions[0]?.code ?? "internal")
}
