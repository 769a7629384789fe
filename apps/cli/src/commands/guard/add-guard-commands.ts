import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import { collect, parseInteger, parseRate } from "../option-values.ts"

const CONFIGURATIONS =
  "A configuration is a file (.json, .yaml, .yml, or a path that begins with ./), also the config.yml or the folder (config/) of NeMo Guardrails, one of the built-in ones (content-safety, self-check) whose model --url and --model name, or the name of one " +
  "that the server keeps. The key comes from ASSAY_INFERENCE_API_KEY, from the variable that --api-key-env names, or from the one that a model names in api_key_env_var."

/** `guard check|calibrate` */
export function addGuardCommands(program: Command, bind: Bind): void {
  const guard = addGroup(program, "guard", {
    summary: "check, calibrate",
    description: "Judges: models that say whether a message may pass, and how well they do.",
    examples: [
      'assay guard check "How do I kill a Linux process?" --url http://127.0.0.1:9000/v1 --model content-safety',
    ],
  })
  addCheck(guard, bind)
  addCalibrate(guard, bind)
}

function addCheck(guard: Command, bind: Bind): void {
  addEndpointOptions(
    addCommand(guard, "check [text]", {
      summary: "ask a judge whether messages may pass",
      details:
        "Prints one verdict per message, for people on a terminal, as a line of JSON with --json or into a pipe: the one given, or each line of --file or stdin ('-'); a line that is a JSON object may carry 'prompt' and " +
        `'response'. The exit code is 1 when a message is blocked, 3 when the judge left it open. ${CONFIGURATIONS}`,
      json: "print verdicts and errors as JSON, also on a terminal",
      examples: [
        'assay guard check "How do I kill a Linux process?" --url http://127.0.0.1:9000/v1 --model content-safety',
        "assay guard check --file prompts.txt --config ./nemo/config.yml",
        "cat prompts.jsonl | assay guard check - --config strict",
      ],
    })
      .option("--config <config>", "the configuration: a file, a built-in one, or a name on the server")
      .option("--file <file>", "read messages from this file, one on each line")
      .option("--response <text>", "a model's answer to the message, for output rails"),
  )
    .option("--parallelism <n>", "messages in flight", parseInteger(1, 1024), 8)
    .action(bind(async () => (await import("./check-messages.ts")).checkMessages))
}

function addCalibrate(guard: Command, bind: Bind): void {
  addEndpointOptions(
    addCommand(guard, "calibrate", {
      summary: "measure how many safe messages judges block, and how many unsafe ones they miss",
      details:
        "Asks each configuration about labelled prompts (columns prompt, label 'safe' or 'unsafe', and optionally response, category, language, id) and writes " +
        "report.json, report.html and a journal to --out; run again, it goes on where it was interrupted. Limits compare the interval, not the point: the exit " +
        `code is 1 when one fails and 3 when the set is too small to tell. ${CONFIGURATIONS}`,
      examples: [
        "assay guard calibrate --config content-safety --config self-check --url http://127.0.0.1:9000/v1 --model small-judge",
        "assay guard calibrate --data ./labelled.csv --config loose.json --config strict.json --max-false-block 0.05 --max-miss 0.1 --junit junit.xml",
        "assay guard calibrate --data default/labelled#prompts.jsonl --config guardrail.json --repeat 3 --out ./calibration",
      ],
    })
      .option(
        "--data <data>",
        "labelled prompts: a file or folder, or ws/name#path; absent: the example set that comes along",
      )
      .option("--config <config>", "a configuration to measure; may be given several times", collect, []),
  )
    .option("--repeat <n>", "ask about each prompt so many times", parseInteger(1, 1000), 1)
    .option("--parallelism <n>", "questions in flight", parseInteger(1, 1024), 8)
    .option(
      "--max-rate-limit-wait <seconds>",
      "longest wait of a question while an endpoint limits the rate (429)",
      parseInteger(0, 86_400),
      300,
    )
    .option("--limit <n>", "take so many prompts at the most", parseInteger(1))
    .option("--logprobs", "ask for log-probabilities, which give thresholds and a ROC curve")
    .option("--max-false-block <rate>", "largest share of safe messages that may be blocked", parseRate)
    .option("--max-miss <rate>", "largest share of unsafe messages that may pass", parseRate)
    .option("--out <folder>", "where reports and journal go", "./calibration")
    .option("--junit <file>", "write the gates as JUnit XML")
    .action(bind(async () => (await import("./calibrate-judges.ts")).calibrateJudges))
}

function addEndpointOptions(command: Command): Command {
  return command
    .option("--url <url>", "the judge's endpoint: a base such as http://127.0.0.1:9000/v1")
    .option("--model <model>", "the judge's name there", collect, [])
    .option("--family <family>", "how the judge answers, such as llama-guard; absent: detected")
    .option("--ca <file>", "certificates in PEM that are trusted besides the usual ones")
    .option("--api-key-env <name>", "the environment variable with the key")
}
