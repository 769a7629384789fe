import { expandModelNames } from "./model-names.ts"
import { withoutNulls } from "./without-nulls.ts"

/** A body of a target, a configuration, a launch or a live evaluation, as clients of the first version may write it. @throws `invalid_request` */
export function readEvaluationBody<Body>(body: Body, defaultInferenceUrl: string | undefined): Body {
  return expandModelNames(withoutNulls(body), defaultInferenceUrl) as Body
}
