import { Type, type Static } from "@sinclair/typebox"
import { enumeration, orNull } from "../records/field-types.ts"
import { LaunchRefusal } from "./evaluation-job.ts"

const FailedChecks = LaunchRefusal.properties.failed_checks

/** A launch check that begins or has ended. */
export const LaunchCheckProgress = Type.Object(
  {
    check: Type.String({
      description: "shape, fields, dataset, rows, endpoint, judge_format or results.",
      examples: ["endpoint"],
    }),
    places: Type.Array(Type.String(), {
      description: "The places of the body that name what is checked; empty for the whole body.",
      examples: [["config.tasks.qa.dataset"]],
    }),
    status: enumeration(["running", "passed", "warned", "failed"] as const),
    failed_checks: FailedChecks,
    warnings: FailedChecks,
  },
  { $id: "LaunchCheckProgress" },
)
export type LaunchCheckProgress = Static<typeof LaunchCheckProgress>

/** What a job will ask, as far as it is known before the job runs. */
export const LaunchEstimate = Type.Object(
  {
    rows: orNull<number>("integer", "Number of rows of all tasks; null if one of them is not known."),
    requests: orNull<number>("integer", "Number of requests to models, without retries; null if it is not known."),
    tasks: Type.Array(
      Type.Object({
        task: Type.String(),
        rows: orNull<number>("integer", "Number of rows; null if only reading the whole dataset would tell."),
        max_rows: orNull<number>("integer", "The rows are at most so many; null if nothing limits them."),
        repeats: Type.Integer({ description: "How often each row is asked." }),
        requests: orNull<number>("integer", "Requests to the target and the judges, one of each per row and repeat."),
      }),
    ),
  },
  { $id: "LaunchEstimate" },
)
export type LaunchEstimate = Static<typeof LaunchEstimate>

/** The outcome of all launch checks. Nothing is launched. */
export const LaunchCheckOutcome = Type.Object(
  {
    launchable: Type.Boolean({ description: "Whether no check failed." }),
    failed_checks: FailedChecks,
    warnings: FailedChecks,
    estimate: LaunchEstimate,
  },
  { $id: "LaunchCheckOutcome" },
)
export type LaunchCheckOutcome = Static<typeof LaunchCheckOutcome>
