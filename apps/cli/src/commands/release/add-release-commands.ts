import type { Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import { SUMMARY } from "../option-values.ts"

/** Declares `release check`. */
export function addReleaseCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const release = addGroup(program, "release", {
    summary: "check",
    description: "Releases: one verdict over the results of many evaluations.",
    examples: ["assay release check policy.yaml", "assay release check policy.yaml --junit release.xml"],
  })
  if (!isNamed("release")) return
  addCommand(release, "check <policy>", {
    summary: "decide a release by the results of many evaluations",
    server: false,
    details:
      "POLICY is a YAML or JSON file with evaluations, each with the folder of its results, its tier and its gates. Critical and supporting evaluations block the release, and advisory ones do not. " +
      "The gates that block are decided together, so that any wrong verdict among them has a probability of at most alpha. Nothing is asked: run the evaluations before.\n\n" +
      "The exit code is 0 for PASS, 1 for FAIL and for missing results of an evaluation that blocks, and 3 for INCONCLUSIVE, with the rows that would decide.",
    examples: [
      "assay release check policy.yaml",
      "assay release check policy.yaml --summary release.md --junit release.xml",
      "assay release check policy.yaml --json",
    ],
  })
    .option(...SUMMARY)
    .option("--junit <file>", "write evaluations and gates as JUnit XML")
    .action(bind(async () => (await import("./check-release.ts")).checkRelease))
}
