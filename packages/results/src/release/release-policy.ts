import { countTests } from "./count-tests.ts"
import { decideRelease } from "./decide-release.ts"

/** What decides a release policy. */
export const releasePolicy = Object.freeze({ countTests, decide: decideRelease })
