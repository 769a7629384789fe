interface NotedGate {
  readonly name?: string
  readonly limit?: string
  /** Why it is not decided, if not because of its interval. */
  readonly reason?: string
  readonly stop?: string
}

/** Returns sentences about how gates are decided, besides that the whole interval has to keep the limit. */
export function gateNotes(gates: readonly NotedGate[]): readonly string[] {
  const early = gates.filter(({ stop }) => stop === "early").length
  return [
    ...gates.flatMap(({ name = "", limit = "", reason }) =>
      reason === undefined ? [] : [`${name} ${limit} is not decided: ${reason}`],
    ),
    ...(early === 0
      ? []
      : ["Intervals of early gates are valid at any number of looks, and describe all rows of this set."]),
    ...(gates.length - early < 2
      ? []
      : [
          "Several gates: all verdicts together are wrong with a probability of at most 5 %, so each needs more than its own interval.",
        ]),
  ]
}
