interface NotedGate {
  readonly name?: string
  readonly limit?: string
  readonly verdict?: string | null
  /** Why it is not decided, or why it fails, if not because of its interval or its value. */
  readonly reason?: string
  readonly stop?: string
  /** Whether the value of these rows is compared, without an interval. */
  readonly on_these_rows?: boolean | undefined
}

/** Returns sentences about how gates are decided, besides the rule. */
export function gateNotes(gates: readonly NotedGate[]): readonly string[] {
  const early = gates.filter(({ stop }) => stop === "early").length
  const onTheseRows = gates.filter(({ on_these_rows }) => on_these_rows === true).length
  return [
    ...gates.flatMap(({ name = "", limit = "", verdict, reason }) =>
      reason === undefined
        ? []
        : [
            `${name} ${limit} ${verdict === "FAIL" ? "fails" : verdict === null ? "has no verdict" : "is not decided"}: ${reason}`,
          ],
    ),
    ...(onTheseRows === 0
      ? []
      : ["A gate on these rows compares their value without an interval, and says nothing about other rows."]),
    ...(early === 0
      ? []
      : ["Intervals of early gates are valid at any number of looks, and describe all rows of this set."]),
    ...(gates.length - early - onTheseRows < 2
      ? []
      : [
          "Several gates: all verdicts together are wrong with a probability of at most 5 %, so each needs more than its own interval.",
        ]),
  ]
}

/** Returns the rule that decides gates with intervals. Empty if none has one. @param unit the unit of which an undecided gate needs more, such as `rows` */
export function gateRule(gates: readonly Pick<NotedGate, "verdict" | "on_these_rows">[], unit: string): string {
  if (gates.every(({ on_these_rows }) => on_these_rows === true)) return ""
  return `The whole interval has to keep the limit. If the limit is inside the interval, more ${unit} are needed.`
}
