import { Type } from "@sinclair/typebox"
import { numberField, CONVERSATION_LIMITS } from "@assay/schemas"

/** The limits of a job in the short form. */
export const ShortLimits = Type.Object(
  {
    rows: Type.Optional(numberField("count", { description: "Maximum number of rows. Default: all." })),
    failed: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.1,
        description: "Share of rows that may fail before the job fails.",
      }),
    ),
    retries: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, default: 3, description: "Retries of a request." }),
    ),
    timeout: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 86_400,
        default: 60,
        description: "Seconds for each try of a request.",
      }),
    ),
    rate: Type.Optional(
      Type.Number({
        minimum: 0.001,
        maximum: 1_000_000,
        description:
          "Requests a second to each endpoint and key, retries among them. Default: as many as the endpoint accepts.",
      }),
    ),
    requests: Type.Optional(
      numberField("count", { description: "The job ends after so many requests. Default: no limit." }),
    ),
    tokens: Type.Optional(
      numberField("count", {
        description:
          "The job ends after so many tokens; in a file with `turns`, each conversation does. Default: no limit.",
      }),
    ),
    cost: Type.Optional(
      numberField("money", { description: "The job ends at this cost, which needs a price table. Default: no limit." }),
    ),
    seconds: Type.Optional(
      numberField("seconds", { description: "The job ends after so many seconds. Default: no limit." }),
    ),
    ...CONVERSATION_LIMITS,
  },
  { additionalProperties: false, description: "How much the job may do." },
)
