import { AssayError } from "@assay/schemas"
import type { shapePlan } from "@assay/evaluation"
import { resultScores } from "@assay/results"
import type { LaunchPorts } from "./launch-ports.ts"
import { type CheckRun, type FailedCheck, formatLimit } from "./check-run.ts"

const MAX_NAMES = 20

/** Checks that the results with which gates compare rows exist, and have the scores of the gates. */
export async function checkBaselines(
  gates: ReturnType<typeof shapePlan>["gates"],
  { openBaseline }: Pick<LaunchPorts, "openBaseline">,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  const named = [...Map.groupBy(gates, ({ against }) => against)]
  const checks = named.map(async ([against, own]) => {
    if (against === undefined) return []
    const end = run.begin("baseline", [`'${against}'`])
    const look = async (signal: AbortSignal) => {
      if (openBaseline === undefined) throw new AssayError("invalid_request", `There are no results '${against}' here.`)
      const scores = resultScores.list((await openBaseline(against, signal)).result)
      for (const { metric, score } of own) {
        if (scores.some((one) => one.metric === metric && one.score === score)) continue
        const known = scores
          .map(({ name }) => name)
          .slice(0, MAX_NAMES)
          .join(", ")
        const message = `A gate compares '${metric}.${score}' with '${against}', which has no such score; it has ${known || "none"}.`
        throw new AssayError("invalid_request", message)
      }
    }
    const tooSlow = () =>
      new AssayError("unavailable", `The results '${against}' could not be read within ${formatLimit(run.limitMs)}.`)
    const outcome = await run.run("baseline", look, tooSlow)
    return end({ failed: "failed" in outcome ? [outcome.failed] : [], warnings: [] }).failed
  })
  return (await Promise.all(checks)).flat()
}
