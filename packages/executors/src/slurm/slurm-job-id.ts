import { AssayError, boundText, printable } from "@assay/schemas"

/** A job of Slurm, as a submission names it: `123`, `123;gpu` on another cluster, `124+1001` if index 0 of the array is shard 1001. */
export interface SlurmJobId {
  readonly job: string
  readonly cluster: string | undefined
  readonly offset: number
}

const ID = /^(\d{1,12})(?:;([\w.-]{1,100}))?(?:\+(\d{1,7}))?$/

/** Reads the id of a job. @throws `executor_failed` for a text that is not one, which Slurm would read as an option */
export function parseJobId(text: string): SlurmJobId {
  const [, job, cluster, offset = "0"] = ID.exec(text) ?? []
  if (job === undefined) {
    const message = `'${printable(boundText(text, 100))}' is not the id of a Slurm job: submit the shards again.`
    throw new AssayError("executor_failed", message)
  }
  return { job, cluster, offset: Number(offset) }
}

/** Writes the id of a job. */
export function formatJobId({ job, cluster, offset }: SlurmJobId): string {
  return `${job}${cluster === undefined ? "" : `;${cluster}`}${offset === 0 ? "" : `+${offset}`}`
}

/** Returns the jobs by the option that names their cluster: commands of Slurm ask one cluster at a time. */
export function jobsByCluster(
  ids: readonly SlurmJobId[],
): readonly { option: readonly string[]; jobs: SlurmJobId[] }[] {
  return [...Map.groupBy(ids, ({ cluster }) => cluster)].map(([cluster, jobs]) => ({
    option: cluster === undefined ? [] : [`--clusters=${cluster}`],
    jobs,
  }))
}
