import type { PlannedGate } from "../gates/plan-gates.ts"

/** Creates an early gate of 0.8 on the score `s` of a metric of the task `qa`. */
export const plannedGate = (metric: string, over: Partial<PlannedGate> = {}): PlannedGate => ({
  name: `qa.${metric}.s`,
  scoreName: `qa.${metric}.s`,
  task: "qa",
  metric,
  score: "s",
  limit: { atLeast: 0.8 },
  isEarly: true,
  isCorrected: false,
  isOnTheseRows: false,
  alpha: 0.05,
  range: [0, 1],
  higherIsBetter: true,
  ...over,
})
