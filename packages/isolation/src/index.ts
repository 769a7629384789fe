export { programEnvironment, programFile, programOptions } from "./program-file.ts"
export { createTurns, type Turns } from "./turns.ts"
export { HEAP_LIMITS, type LimitName, type UsageLimits, watchProcess, watchThread } from "./watch-usage.ts"
