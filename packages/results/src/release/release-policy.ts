import { countTests } from "./count-tests.ts"
import { decideRelease } from "./decide-release.ts"

/** The rules and results that decide a release policy. */
export const releasePolicy = Object.freeze({ countTests, decide: decideRelease })
