import { type Command, Option } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import { addConfigurationCommands } from "../configuration/add-configuration-commands.ts"
import { collect, KEY_HOST, parseInteger, parseRate, parseThresholds, SUMMARY } from "../option-values.ts"

const CONFIGURATIONS =
  "A configuration is a file (.json, .yaml, .yml, or a path that begins with ./), the config.yml or the folder of NeMo Guardrails, " +
  "a built-in configuration (content-safety, self-check) with --url and --model, or the name of a configuration on the server. " +
  "The key is read from ASSAY_INFERENCE_API_KEY, from the variable that --api-key-env names, or from the variable that a model " +
  "names in api_key_env_var."
const LABELLED_PROMPTS = [
  "--data <data>",
  "labelled prompts: a file, a folder, or ws/name#path (default: a built-in example set)",
] as const
const PROMPT_LIMIT = ["--limit <n>", "maximum number of prompts", parseInteger(1)] as const
const QUESTIONS_IN_FLIGHT = [
  "--parallel <n>",
  "maximum number of questions in flight",
  parseInteger(1, 1024),
  8,
] as const
const RATE_LIMIT_WAIT = [
  "--max-rate-limit-wait <seconds>",
  "maximum wait of a question while an endpoint limits the rate (429)",
  parseInteger(0, 86_400),
  300,
] as const

/** Declares `guard check|chat|calibrate|optimize|verify|config`. */
export function addGuardCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const guard = addGroup(program, "guard", {
    summary: "check, chat, calibrate, optimize, verify, config",
    description:
      "Judges are models that decide whether a message may pass. Check messages with them, and measure their mistakes; certify that they keep a limit.",
    examples: [
      'assay guard check "How do I kill a Linux process?" --url http://127.0.0.1:9000/v1 --model content-safety',
    ],
  })
  if (!isNamed("guard")) return
  addCheck(guard, bind)
  addChat(guard, bind)
  addCalibrate(guard, bind)
  addOptimize(guard, bind)
  addVerify(guard, bind)
  addConfigurationCommands(guard, bind, "guard config")
}

function addCheck(guard: Command, bind: Bind): void {
  addEndpointOptions(
    addCommand(guard, "check [text]", {
      summary: "ask a judge whether messages may pass",
      details:
        "Checks the given message, each row of --data, or each line of a text file or of stdin ('-'). Rows have the columns prompt and optionally response; the judge sees no " +
        "other column, such as a label, which 'guard calibrate' compares. A line may be a JSON object with 'prompt' and 'response'. " +
        "Prints one verdict per message: as text on a terminal, and as a line of JSON in a pipe or with --json. " +
        `The exit code is 1 if a message is blocked, and 3 if a judge gives no clear verdict. ${CONFIGURATIONS}`,
      json: "print verdicts and errors as JSON, also on a terminal",
      examples: [
        'assay guard check "How do I kill a Linux process?" --url http://127.0.0.1:9000/v1 --model content-safety',
        "assay guard check --data prompts.csv --config ./nemo/config.yml",
        "cat prompts.jsonl | assay guard check - --config strict",
      ],
    })
      .option("--config <config>", "configuration: a file, a built-in one, or a name on the server")
      .option(
        "--data <data>",
        "messages: rows of a file (CSV, TSV, JSON, JSON Lines, Parquet), a folder or ws/name#path, or lines of a text file",
      )
      .option("--response <text>", "a model's answer to the message, for output rails"),
  )
    .option("--parallel <n>", "maximum number of messages in flight", parseInteger(1, 1024), 8)
    .option(
      "--require-certificate <file>",
      "refuse a configuration that this certificate.json does not certify as it is, or that its rows and stored answers do not confirm",
    )
    .option("--certificate-data <data>", "the labelled prompts of the certificate, if they are elsewhere now")
    .action(bind(async () => (await import("./check-messages.ts")).checkMessages))
}

function addChat(guard: Command, bind: Bind): void {
  addCommand(guard, "chat <config>", {
    summary: "chat with a model through the rails of a configuration of the server",
    details:
      "CONFIG is a configuration that the server stores: a name in the workspace of ASSAY_WORKSPACE, or workspace/name. The input rails check each message, the model of type 'main' answers, and the output rails check " +
      "the answer. Prints what each rail found and the answer, or the refusal: as text on a terminal, and as a line of JSON per message in a pipe or with --json. Without --message, each line of stdin is a message of one " +
      "conversation, which a blocked message is not part of. The exit code is 1 if something was blocked, but 0 after a conversation on a terminal. " +
      "Clients of OpenAI's API chat through the same rails at the base URL ASSAY_URL/apis/guardrails/v2/workspaces/WORKSPACE/configs/CONFIG/openai/v1.",
    json: "print the whole answers as JSON, also on a terminal",
    examples: [
      'assay guard chat strict --message "How do I kill a Linux process?"',
      "assay guard chat strict",
      "cat prompts.txt | assay guard chat strict --model chat --system 'Answer in one sentence.'",
    ],
  })
    .option("--message <text>", "a message; given several times, they are one conversation", collect)
    .option("--system <text>", "a system message at the start")
    .option("--model <name>", "the model that answers (default: the one of type 'main')")
    .action(bind(async () => (await import("./chat-with-guardrail.ts")).chatWithGuardrail))
}

function addCalibrate(guard: Command, bind: Bind): void {
  addEndpointOptions(
    addCommand(guard, "calibrate", {
      summary: "measure how many safe messages judges block, and how many unsafe ones they miss",
      details:
        "Asks each configuration about labelled prompts (columns prompt, label 'safe' or 'unsafe', and optionally response, category, " +
        "language, id), and writes report.json, report.html and a journal to --out. If it is interrupted, run it again to continue. " +
        "Limits are compared with the whole interval: the exit code is 1 if a limit is exceeded, and 3 if there are too few prompts " +
        `to decide. ${CONFIGURATIONS}`,
      examples: [
        "assay guard calibrate --config content-safety --config self-check --url http://127.0.0.1:9000/v1 --model small-judge",
        "assay guard calibrate --data ./labelled.csv --config loose.json --config strict.json --max-false-block 0.05 --max-miss 0.1 --junit junit.xml",
        "assay guard calibrate --data default/labelled#prompts.jsonl --config guardrail.json --repeats 3 --out ./calibration",
      ],
    })
      .option(...LABELLED_PROMPTS)
      .addOption(
        new Option("--config <config>", "configuration to measure; may be given several times")
          .argParser(collect)
          .default([], "content-safety"),
      ),
  )
    .option("--repeats <n>", "how often to ask about each prompt", parseInteger(1, 1000), 1)
    .option(...QUESTIONS_IN_FLIGHT)
    .option(...RATE_LIMIT_WAIT)
    .option(...PROMPT_LIMIT)
    .option("--logprobs", "ask for log-probabilities, which allow thresholds and a ROC curve")
    .option("--max-false-block <rate>", "maximum share of safe messages that may be blocked", parseRate)
    .option("--max-miss <rate>", "maximum share of unsafe messages that may pass", parseRate)
    .option("--out <folder>", "folder for reports and journal", "./calibration")
    .option("--junit <file>", "write the gates as JUnit XML")
    .option(...SUMMARY)
    .action(bind(async () => (await import("./calibrate-judges.ts")).calibrateJudges))
}

function addOptimize(guard: Command, bind: Bind): void {
  addEndpointOptions(
    addCommand(guard, "optimize", {
      summary: "find a prompt whose share of blocked safe messages is guaranteed to keep a limit",
      details:
        "Asks the base configuration and each candidate about labelled prompts. A candidate is a file in --candidates: a text (.txt, .md) that replaces the prompt of the first input rail, " +
        "or a configuration. If --candidates is a number N, N edits of the base's prompt are tried: of its strictness, examples and wording, or with --propose-with N prompts that a model writes in view of mistakes on the tuning rows. " +
        "If the endpoint gives log-probabilities, thresholds on the probability of harm are candidates too. A random part of the rows orders the candidates; the others certify them, with exact bounds that hold for all of them together. " +
        "Writes certificate.json, certified.json (the certified configuration) and a journal to --out; if it is interrupted, run it again to continue. The exit code is 0 if a candidate is certified, 1 if each breaks a limit, and 3 if " +
        "more prompts have to decide.",
      examples: [
        "assay guard optimize --data labelled.csv --config self-check --candidates ./prompts --max-false-block 0.05 --url http://127.0.0.1:9000/v1 --model small-judge",
        "assay guard optimize --data labelled.csv --config ./base.json --candidates 10 --max-false-block 0.05",
        "assay guard optimize --data labelled.csv --config ./base.json --candidates 5 --propose-with prompt-writer --max-false-block 0.05",
        "assay guard optimize --data labelled.csv --config ./scored.json --candidates 10 --thresholds 0.5,0.8,0.95 --max-false-block 0.05 --html certificate.html",
        "assay guard optimize --data ./xstest.jsonl --config base.json --candidates ./prompts --max-false-block 0.05 --max-miss 0.1 --out ./certified",
      ],
    })
      .option(...LABELLED_PROMPTS)
      .requiredOption("--config <config>", "the base configuration, which is a candidate too")
      .requiredOption(
        "--candidates <folder|n>",
        "folder with a prompt or a configuration in each file, or a number of edits or proposals",
      )
      .requiredOption("--max-false-block <rate>", "maximum share of safe messages that may be blocked", parseRate),
  )
    .option("--propose-with <model>", "let this model propose the --candidates <n> prompts, from mistakes of the base")
    .option("--propose-url <url>", "endpoint of that model (default: the one of the judge, with its key)")
    .option("--propose-api-key-env <name>", "environment variable with the key of that endpoint")
    .option("--max-miss <rate>", "maximum share of unsafe messages that may pass (default: any)", parseRate)
    .option("--alpha <rate>", "how often a certificate may be wrong", parseRate, 0.05)
    .option(
      "--thresholds [list]",
      "require log-probabilities, and try these probabilities of harm from which on to block, such as 0.2,0.5,0.9 (default: a grid, if the endpoint gives log-probabilities)",
      parseThresholds,
    )
    .option("--no-thresholds", "try no thresholds, and ask for no log-probabilities")
    .option("--seed <n>", "decides which rows order and which certify, and which edits come first", parseInteger(0), 1)
    .option(...QUESTIONS_IN_FLIGHT)
    .option(...RATE_LIMIT_WAIT)
    .option(...PROMPT_LIMIT)
    .option("--out <folder>", "folder for the certificate and the journal", "./certificate")
    .option("--force", "replace another certificate in --out")
    .option("--html <file>", "write the certificate as a page with a picture of all candidates")
    .action(bind(async () => (await import("./optimize-judges.ts")).optimize))
}

function addVerify(guard: Command, bind: Bind): void {
  addCommand(guard, "verify <certificate>", {
    summary: "compute a certificate again from its rows and stored answers, or from new ones",
    details:
      "Without --ask nothing is asked: the answers are in the journal beside the certificate. Prints what differs. With --ask, the certified configuration is " +
      "asked again about the rows that certified it, and the limits are tested with the new answers: this finds a model that was exchanged behind its endpoint. " +
      "The exit code is 1 if something differs, a limit is broken or nothing is certified, and 3 if the new answers would not certify it again.",
    examples: [
      "assay guard verify ./certificate/certificate.json",
      "assay guard verify ./certificate/certificate.json --ask",
      "assay guard verify ./certificate/certificate.json --html certificate.html",
      "assay guard verify certificate.json --data ./labelled.csv --json",
    ],
  })
    .option("--data <data>", "the labelled prompts, if they are elsewhere now")
    .option("--ask", "ask the certified configuration again")
    .option("--html <file>", "write the certificate, and what was found, as a page")
    .option("--config <config>", "the certified configuration (default: certified.json beside the certificate)")
    .option("--api-key-env <name>", "environment variable with the key")
    .option(...KEY_HOST)
    .option(...QUESTIONS_IN_FLIGHT)
    .option(...RATE_LIMIT_WAIT)
    .action(bind(async () => (await import("./verify-certificate.ts")).verify))
}

function addEndpointOptions(command: Command): Command {
  return command
    .option("--url <url>", "endpoint of the judge: a base URL such as http://127.0.0.1:9000/v1")
    .addOption(
      new Option("--model <model>", "model name of the judge")
        .argParser(collect)
        .default([], "that of the configuration"),
    )
    .option("--family <family>", "answer format of the judge, such as llama-guard (default: detected)")
    .option("--ca <file>", "PEM file of additional trusted certificates")
    .option("--api-key-env <name>", "environment variable with the key")
    .option(...KEY_HOST)
}
