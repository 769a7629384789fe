import { askUntilCertain, countAsked } from "./ask-release.ts"
import { openEvaluation } from "./open-evaluation.ts"
import { planRelease } from "./plan-release.ts"

/** Releases that many evaluations decide, by a policy. */
export const releases = { plan: planRelease, open: openEvaluation, askUntilCertain, countAsked }
