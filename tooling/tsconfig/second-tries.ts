import type { Reporter, TestModule } from "vitest/node"

/** Returns the reporter that names the tests that failed first and passed at their second try. Each of them has a fault, or the product has one. */
export function secondTries(): Reporter {
  return {
    onTestRunEnd(modules: readonly TestModule[]) {
      const late = modules.flatMap((module) =>
        [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky),
      )
      if (late.length === 0) return
      const lines = late.map((test) => `  ${test.module.relativeModuleId} > ${test.fullName}`)
      process.stderr.write(`\n${late.length} passed only at the second try. Mend them:\n${lines.join("\n")}\n`)
    },
  }
}
