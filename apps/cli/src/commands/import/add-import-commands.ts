import type { Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import { JOB } from "../eval/example-job.ts"
import { parseInteger } from "../option-values.ts"

const OUT = "--out <file>"
const FORCE = ["--force", "replace files that exist"] as const

/** Declares `import promptfoo|inspect|lm-eval|harbor|traces|row`. */
export function addImportCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const group = addGroup(program, "import", {
    summary: "promptfoo, inspect, lm-eval, harbor, traces, row",
    description:
      "Other tools: turn their evaluations, logs and traces into evaluation files that run here. No code of theirs is run.",
    examples: [
      "assay import promptfoo promptfooconfig.yaml",
      "assay import inspect logs/2026-11-20_capitals.eval",
      "assay import traces traces.jsonl",
    ],
  })
  if (!isNamed("import")) return
  addPromptfoo(group, bind)
  addInspect(group, bind)
  addLmEval(group, bind)
  addHarbor(group, bind)
  addTraces(group, bind)
  addRow(group, bind)
}

function addPromptfoo(group: Command, bind: Bind): void {
  addCommand(group, "promptfoo <file>", {
    summary: "turn a configuration of promptfoo into an evaluation file and its rows",
    server: false,
    details:
      "Writes one evaluation file for all providers with chat completions, and the rows of all tests beside it. Several providers become the models of the file, which are compared with the first. Prompts, variables, CSV, YAML, JSON and JSONL tests, defaultTest, and the assertions that have a metric here are read; " +
      "negations, weights, thresholds and sets of assertions keep their meaning. The table says what was mapped, what was left out, and why. Keys are never copied.",
    json: "print what became of each part, or the error, as JSON",
    examples: [
      "assay import promptfoo promptfooconfig.yaml",
      "assay import promptfoo promptfooconfig.yaml --model http://127.0.0.1:9000/v1#chat --judge http://127.0.0.1:9000/v1#small-judge",
      "assay import promptfoo promptfooconfig.yaml --out evals/capitals.yaml --force",
    ],
  })
    .option(OUT, "the evaluation file", "./evaluation.yaml")
    .option("--model <url#name>", "ask this model instead of those of the configuration")
    .option("--judge <url#name>", "the model that judges, if the configuration names none")
    .option(...FORCE)
    .action(bind(async () => (await import("./import-promptfoo-file.ts")).importPromptfooFile))
}

function addInspect(group: Command, bind: Bind): void {
  addCommand(group, "inspect <log>", {
    summary: "turn a log of Inspect into scored rows and an evaluation file that reads them",
    server: false,
    details:
      "LOG ends in .json or .eval. Each sample becomes a row with input, target, output, scores, epoch and metadata; each scorer becomes a metric, with C, P and I as 1, 0.5 and 0. " +
      "With several epochs, rows of a sample count as one in intervals. Logs with the ending .eval are read sample by sample.",
    json: "print what became of each part, or the error, as JSON",
    examples: [
      "assay import inspect logs/2026-11-20_capitals.eval",
      "assay import inspect logs/2026-11-20_capitals.json --out capitals.yaml",
    ],
  })
    .option(OUT, "the evaluation file", "./evaluation.yaml")
    .option(...FORCE)
    .action(bind(async () => (await import("./import-inspect-log.ts")).importInspectLog))
}

function addLmEval(group: Command, bind: Bind): void {
  addCommand(group, "lm-eval <task>", {
    summary: "turn a task of lm-evaluation-harness into an evaluation file",
    server: false,
    details:
      "Reads templates, choices, examples, filters and metrics of a YAML file, and the file that it includes. Tasks with !function are refused with the line. The rows of the task are in --data, unless the task names files. " +
      "Texts are asked at …/completions, as the harness asks base models; --chat asks for written answers in a chat.",
    json: "print what became of each part, or the error, as JSON",
    examples: [
      "assay import lm-eval arc_easy.yaml --data arc-easy-test.parquet --model http://127.0.0.1:8000/v1#base",
      "assay import lm-eval gsm8k.yaml --data test.jsonl --shots train.jsonl --model http://127.0.0.1:8000/v1#base",
    ],
  })
    .option(OUT, "the evaluation file", "./evaluation.yaml")
    .option("--model <url#name>", "the model that is asked")
    .option("--data <file>", "the rows of the task")
    .option("--shots <file>", "the rows of which the first are examples")
    .option("--chat", "ask for written answers in a chat")
    .option(...FORCE)
    .action(bind(async () => (await import("./import-lm-eval-task.ts")).importLmEvalTask))
}

function addHarbor(group: Command, bind: Bind): void {
  addCommand(group, "harbor <folder>", {
    summary: "turn task folders of Harbor into a benchmark that runs them in a sandbox",
    server: false,
    details:
      "FOLDER is a task, with task.toml, instruction.md, environment, tests and solution, or a folder of tasks. Each runs in a sandbox of bubblewrap with the programs of this machine: its Dockerfile may create and copy files. " +
      "Tasks whose image or tests install programs, and those with several containers or steps, are left out, with the reason. The agent is a command, which gets the instruction on its input and the endpoint in ASSAY_TARGET_URL; without --agent, the solutions of the tasks are run.",
    json: "print what became of each task, or the error, as JSON",
    examples: [
      "assay import harbor tasks/",
      "assay import harbor tasks/ --agent 'python3 /agent/agent.py' --agent-files ./agent --model http://127.0.0.1:9000/v1#agent",
    ],
  })
    .option(OUT, "the evaluation file", "./evaluation.yaml")
    .option("--agent <command>", "the command of the agent in the sandbox", "oracle")
    .option("--agent-files <folder>", "a folder of the agent, which is /agent there")
    .option("--model <url#name>", "the model that the agent asks")
    .option(...FORCE)
    .action(bind(async () => (await import("./import-harbor-tasks.ts")).importHarborTasks))
}

function addTraces(group: Command, bind: Bind): void {
  addCommand(group, "traces <file>", {
    summary: "turn traces of production into conversations that are held again",
    server: false,
    details:
      "Reads OTLP in JSON with gen_ai or OpenInference attributes, spans as an SDK prints them, and exports of Langfuse: JSON, JSON Lines or CSV, also with .gz or .zst. The spans of one conversation or session, or else of one trace, are a row. Its messages are asked again, and its tools answer as they did. " +
      "The table says what was read, what was left out, and why. Attributes other than messages, calls, models and ids are never copied; texts are copied as they are.",
    json: "print what became of each part, or the error, as JSON",
    examples: [
      "assay import traces traces.jsonl",
      "assay import traces langfuse-export.csv --model http://127.0.0.1:9000/v1#agent --out evals/support.yaml",
    ],
  })
    .option(OUT, "the evaluation file", "./evaluation.yaml")
    .option("--model <url#name>", "the model that is asked; default: the agent of the fake endpoint")
    .option(...FORCE)
    .action(bind(async () => (await import("./import-trace-file.ts")).importTraceFile))
}

function addRow(group: Command, bind: Bind): void {
  addCommand(group, "row <job> <row>", {
    summary: "make a row of a job a row that is asked again",
    details:
      "ROW is TASK/INDEX, or INDEX if the job has one task. The result is the row of the dataset with its last answer in output_text. " +
      'A conversation has its messages in turns, the answers of its tools in tool_answers, and its calls in calls: an evaluation with turns: "{{ item.turns }}" holds it again.',
    json: "print the row, or the error, as JSON",
    examples: ["assay import row ./results capitals/3 --out tests.jsonl", `assay import row ${JOB} capitals/3`],
  })
    .option("--out <file>", "the file with JSON lines to which the row is added; default: print it")
    .option("--repeat <n>", "the repeat of the row; default 0", parseInteger(0))
    .action(bind(async () => (await import("./import-row.ts")).importRow))
}
