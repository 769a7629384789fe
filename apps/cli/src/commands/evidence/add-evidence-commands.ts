import { Option, type Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { JOB } from "../eval/example-job.ts"
import { collect, parseMargin } from "../option-values.ts"

/** Declares `eval bundle`. */
export function addBundleCommand(evaluation: Command, bind: Bind): void {
  addCommand(evaluation, "bundle <job>", {
    summary: "sign a verdict with everything that it was computed from, for `assay verify`",
    details:
      "A job is an id of the server, a baseline, or a folder with results on this machine. The bundle has its rows, configuration, pins of files, scores, gates and, if it was compared, both sides of the " +
      "comparison. Everything is computed again before it is signed: the exit code is 1 if the results are not what their rows give.\n\n" +
      "The key is a private key in PEM (PKCS#8): Ed25519, or EC on P-256, P-384 or P-521, such as `openssl genpkey -algorithm ed25519 -out private.pem` writes.",
    json: "print what was signed, or the error, as JSON",
    examples: [
      "assay eval bundle ./results -o verdict.assay --key private.pem",
      `assay eval bundle ${JOB} -o verdict.assay --key private.pem --rows reference`,
      "assay eval bundle ./after -o verdict.assay --key private.pem --against ./before --margin 0.02 --redact",
      "assay eval bundle ./after -o verdict.assay --key private.pem --against ./before --corrected --labels labels.jsonl",
    ],
  })
    .requiredOption("-o, --out <file>", "the file to write")
    .requiredOption("--key <file>", "the private key that signs")
    .addOption(
      new Option("--rows <place>", "whether the rows are in the bundle, or only named by their digests")
        .choices(["inside", "reference"])
        .default("inside"),
    )
    .option("--redact", "leave out all texts, and keep scores, indexes and slices")
    .option("--gate <gate>", "a gate besides those of the results, such as equals>=0.8; can be repeated", collect)
    .option("--against <job>", "the baseline; default: what the results were compared with")
    .option("--margin <number>", "with --against: how much worse a score may be", parseMargin)
    .option("--allow-changed", "with --against: decide although a metric or a judge differs")
    .option(
      "--corrected",
      "compare scores of judges as people would see them, from labels, which are then in the bundle",
    )
    .option("--labels <place>", "with --corrected: the file of this machine with the labels; default: labels.jsonl")
    .option("--force", "replace a file that exists")
    .action(bind(async () => (await import("./bundle-results.ts")).bundleResults))
}

/** Declares `verify`. */
export function addVerifyCommand(program: Command, bind: Bind): void {
  addCommand(program, "verify <file>", {
    summary: "verify a verdict without a network: who signed it, and that its numbers follow from its rows",
    server: false,
    details:
      "Computes pure metrics again from the outputs, the readings of judges from their stored answers, and all intervals, gates and comparisons. It names what differs, with the stored and the computed value. " +
      "The exit code is 0 if the bundle is valid and a trusted key has signed it, 1 if something differs, 2 if the file is not a bundle, and 3 if the signer is not trusted or rows are out of reach.\n\n" +
      "Trusted keys are public keys in PEM. Without --key, they are the files of the folder in ASSAY_TRUSTED_KEYS.",
    json: "print what was found, or the error, as JSON",
    examples: [
      "assay verify verdict.assay --key public.pem",
      "assay verify verdict.assay --key ./trusted --rows ./results/results/rows.jsonl --json",
    ],
  })
    .option("--key <place>", "a public key, or a folder of public keys (ASSAY_TRUSTED_KEYS)")
    .option("--rows <file>", "rows that are not in the bundle; can be repeated, in the order of its jobs", collect)
    .action(bind(async () => (await import("./verify-verdict.ts")).verifyVerdict))
}
