import { type Static, Type } from "@sinclair/typebox"

/** The largest numbers of a report. A process that has more to say says so much. */
export const PACE_RANGES = Object.freeze({
  /** Milliseconds. A request that takes longer says nothing about the rate now. */
  agoMs: 3_600_000,
  /** Milliseconds. No endpoint is waited for longer. */
  askedMs: 60_000,
  count: 100_000,
  /** Times at which answers came. */
  answers: 500,
  wanted: 10_000,
})
const { agoMs, askedMs, count, answers, wanted } = PACE_RANGES

const Ago = (what: string) =>
  Type.Number({ minimum: 0, maximum: agoMs, description: `Milliseconds since ${what}, by the clock of the sender.` })

/** The report of a process about an endpoint, for all others that ask it. */
export const PaceReport = Type.Object({
  unused: Type.Integer({
    minimum: 0,
    maximum: count,
    description: "Turns that no request has used since the last report.",
  }),
  answers: Type.Array(Type.Object({ ago_ms: Ago("they came"), count: Type.Integer({ minimum: 1, maximum: count }) }), {
    maxItems: answers,
    description: "Good answers since the last report, by their time.",
  }),
  refusal: Type.Optional(
    Type.Object(
      {
        ago_ms: Ago("its request was sent"),
        asked_ms: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: askedMs,
            description: "Milliseconds for which the endpoint wants nothing to be sent.",
          }),
        ),
        count: Type.Integer({ minimum: 1, maximum: count, description: "Refused requests." }),
      },
      { description: "The newest request since the last report that was refused because there were too many." },
    ),
  ),
  wanted: Type.Integer({ minimum: 0, maximum: wanted, description: "Turns that the process wants." }),
})
export type PaceReport = Static<typeof PaceReport>

/** A report about an endpoint and a key. */
export const PaceExchange = Type.Object(
  {
    endpoint: Type.String({
      pattern: "^[A-Za-z0-9+/]{43}=$",
      description: "SHA-256 of the address and the key of the endpoint, in base64.",
    }),
    ...PaceReport.properties,
  },
  { $id: "PaceExchange", additionalProperties: false },
)
export type PaceExchange = Static<typeof PaceExchange>

const Time = (description: string) => Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })

/** The turns that a process gets. Its times are those of the clock that all share. */
export const PaceLease = Type.Object(
  {
    now: Time("Milliseconds since 1970, UTC."),
    rate: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: "Requests per second. Absent: the endpoint limits nothing." }),
    ),
    is_cut: Type.Boolean({ description: "Whether the rate was cut because of the report: earlier turns are lost." }),
    count: Type.Integer({ minimum: 0, maximum: wanted, description: "Number of turns." }),
    first_at: Time("When the first turn is due, in milliseconds since 1970."),
    step_ms: Type.Number({ minimum: 0, description: "Milliseconds between two turns." }),
    ask_again_at: Time("When to ask again if there were no turns, in milliseconds since 1970."),
  },
  { $id: "PaceLease" },
)
export type PaceLease = Static<typeof PaceLease>
