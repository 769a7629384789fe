import type { RailPolicy } from "@assay/schemas"
import type { JudgeFlow } from "../configuration/parse-flow.ts"
import { outcomeOf } from "./decide.ts"
import type { Judge } from "./open-judge.ts"
import type { Rail } from "./rail.ts"

/** A rail that goes by what one judge says. */
export function openJudgeRail({ name, kind, place }: JudgeFlow, judge: Judge, policy: RailPolicy | undefined): Rail {
  return {
    name,
    readsToolCalls: kind === "tool safety check",
    async run(input, options) {
      const answer = await judge(input, options)
      return outcomeOf(name, { answer, place, ...(policy === undefined ? {} : { policy }) })
    },
  }
}
