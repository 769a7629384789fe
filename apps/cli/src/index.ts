export type { Context } from "./context.ts"
export { EXIT, type ExitCode } from "./exit-code.ts"
export { run } from "./run.ts"
