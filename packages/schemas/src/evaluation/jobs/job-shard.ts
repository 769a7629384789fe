import { type Static, type TProperties, Type } from "@sinclair/typebox"
import { enumeration } from "../../records/field-types.ts"

const OrNull = <T extends TProperties[string]>(schema: T) => Type.Union([schema, Type.Null()])

const SHARD_STATES = ["waiting", "running", "failed", "stopped", "done"] as const

/** A shard of a job: some of its rows, which a worker or an engine runs. */
export const JobShard = Type.Object(
  {
    index: Type.Integer({ description: "From 0." }),
    state: enumeration(SHARD_STATES, {
      description:
        "failed: its last process could not ask its rows; its engine may start another one. stopped: it ended early, because too many rows of the job had failed, its budget was used up or its gates were decided, and has not asked all of its rows.",
    }),
    rows: Type.Integer({ description: "Number of rows. Each repeat counts." }),
    processed: Type.Integer(),
    failed: Type.Integer({ description: "Number of rows that failed." }),
    location: OrNull(
      Type.String({ description: "The machine or pod, or the worker of a server, that runs it or ran it last." }),
    ),
    reason: OrNull(Type.String({ description: "The word of the engine for its state, such as `OUT_OF_MEMORY`." })),
    message: OrNull(Type.String({ description: "Why its last process could not ask its rows." })),
  },
  { $id: "JobShard" },
)
export type JobShard = Static<typeof JobShard>

export const JobShardPage = Type.Object(
  {
    object: Type.Literal("list"),
    data: Type.Array(JobShard),
    executor: OrNull(
      Type.String({ description: "The executor that runs the shards; null: workers of the servers do." }),
    ),
    run: OrNull(
      Type.String({ description: "The folder or bucket of the run on an executor, which `assay eval status` reads." }),
    ),
    total: Type.Integer({ description: "Number of shards. 0: the job is not cut into shards, or not yet." }),
    counts: Type.Object(
      {
        waiting: Type.Integer(),
        running: Type.Integer(),
        failed: Type.Integer(),
        stopped: Type.Integer(),
        done: Type.Integer(),
      },
      { description: "Number of shards by state." },
    ),
    next_offset: OrNull(Type.Integer({ description: "The offset of the next page; null after the last one." })),
  },
  { $id: "JobShardPage" },
)
export type JobShardPage = Static<typeof JobShardPage>
