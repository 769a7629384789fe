import { printable } from "@assay/schemas"
import type { ShardPlan } from "./engine-types.ts"

interface NotesOptions {
  readonly executor: string
  /** The location of the run, as it is shown. */
  readonly shown: string
  /** Whether the user has chosen the location. */
  readonly isPlaced: boolean
}

/** Returns what is probably wrong with a job that runs on other machines: the address of its model, and the location of its run. */
export function submissionNotes(
  { job }: Pick<ShardPlan, "job">,
  { executor, shown, isPlaced }: NotesOptions,
): readonly string[] {
  if (executor !== "slurm" && executor !== "kubernetes") return []
  const url = modelUrl(job.target)
  return [
    ...(url !== undefined && isLoopback(url)
      ? [
          `the model is at ${printable(url)}, which is another machine for each shard: that is right only for a server that runs beside it, such as a sidecar or one that \`setup\` starts`,
        ]
      : []),
    ...(isPlaced
      ? []
      : [
          `the run is in ${printable(shown)}, because there is no --out: all machines have to reach it by the same path`,
        ]),
  ]
}

function modelUrl({ model }: ShardPlan["job"]["target"]): string | undefined {
  return typeof model === "object" ? model.api_endpoint.url : undefined
}

function isLoopback(text: string): boolean {
  const host = URL.parse(text)?.hostname ?? ""
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host)
}
