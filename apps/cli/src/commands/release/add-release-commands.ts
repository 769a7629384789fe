import type { Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import { addOverrides } from "../override-options.ts"
import { FORCE, SUMMARY } from "../option-values.ts"

const TIERS =
  "Critical and supporting evaluations block the release, and advisory ones do not. The gates that block are decided together, so that any wrong verdict among them has a probability of at most alpha."
const EXIT_CODES =
  "The exit code is 0 for PASS, 1 for FAIL and for missing results of an evaluation that blocks, and 3 for INCONCLUSIVE, with the rows that would decide."

/** Declares `release check|run`. */
export function addReleaseCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const release = addGroup(program, "release", {
    summary: "check, run",
    description: "Releases: one verdict over the results of many evaluations.",
    examples: ["assay release check policy.yaml", "assay release run policy.yaml --junit release.xml"],
  })
  if (!isNamed("release")) return
  addCommand(release, "check <policy>", {
    summary: "decide a release by the results of many evaluations",
    server: false,
    details:
      "POLICY is a YAML or JSON file with evaluations, each with the folder of its results, its tier and its gates. " +
      `${TIERS} Nothing is asked: run the evaluations before, or use 'assay release run'.\n\n${EXIT_CODES}`,
    examples: [
      "assay release check policy.yaml",
      "assay release check policy.yaml --summary release.md --junit release.xml",
      "assay release check policy.yaml --json",
    ],
  })
    .option(...SUMMARY)
    .option("--junit <file>", "write evaluations and gates as JUnit XML")
    .action(bind(async () => (await import("./check-release.ts")).checkRelease))
  addOverrides(
    addCommand(release, "run <policy>", {
      summary: "ask the evaluations of a release until its verdict is certain",
      server: false,
      details:
        "POLICY is that of 'assay release check', in which evaluations name an evaluation file as 'run'. Those without results run in this process, critical ones first. If all gates of an evaluation are limits, its rows are asked in random order, and it ends as soon as " +
        "they are decided, each at its share of alpha. After an evaluation that blocks the release, nothing more is asked. Results that exist are not asked again: the same command continues what was interrupted.\n\n" +
        `${TIERS} 'assay release check' comes to the same verdict afterwards. ${EXIT_CODES}`,
      examples: [
        "assay release run policy.yaml",
        "assay release run policy.yaml --all --parallel 16 --rate 5",
        "assay release run policy.yaml --limit 500 --summary release.md --json",
      ],
    }),
  )
    .option("--all", "ask every evaluation, also when the verdict is certain")
    .option("--data-dir <folder>", "folder for the runs of this machine", "./.assay-eval")
    .option("--prices <file>", "a file with the prices of models, to know costs (ASSAY_PRICES_FILE)")
    .option("--skip-checks", "run without the launch checks")
    .option(FORCE[0], "ask everything again, and replace the results that are there")
    .option(...SUMMARY)
    .option("--junit <file>", "write evaluations and gates as JUnit XML")
    .action(bind(async () => (await import("./run-release.ts")).runRelease))
}
