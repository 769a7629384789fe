import { Type, type Static } from "@sinclair/typebox"
import { orNull } from "../../records/field-types.ts"

/** A request about a row, rendered again from the row and the job's configuration. */
export const RowRequest = Type.Object(
  {
    to: Type.String({ description: "The model that is asked, the flow of a guardrail, or the URL of a service." }),
    body: Type.Unknown({ description: "Messages with their parameters, or the row as a service gets it." }),
  },
  { $id: "RowRequest" },
)
export type RowRequest = Static<typeof RowRequest>

/** The requests of a target or a metric about a row. */
export const RowRequests = Type.Object(
  {
    metric: orNull<string>("string", "The metric that asks; null: the target is asked."),
    requests: Type.Array(RowRequest),
    reason: orNull<string>("string", "Why the requests cannot be rendered again; null if they are here."),
  },
  {
    $id: "RowRequests",
    description:
      "Requests are not stored. They are rendered again from the row, its answer and the configuration, and a stored guardrail as it is now. " +
      "Parameters that an endpoint refused during the job are included.",
  },
)
export type RowRequests = Static<typeof RowRequests>
