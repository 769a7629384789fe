import { Option, type Command } from "commander"
import { DRAWN_BY } from "@assay/schemas"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import { parseInteger, parseMargin } from "../option-values.ts"

const JOB = "eval-3QJmnh8Y1kGqvS4cQKFJ2b"
const FOLDER = "./.assay-eval/capitals-20261120-174012"
const LOCATIONS =
  "A job is an id of the server, or a folder with results on this machine, which exists or begins with '.', '/' or '~'. Labels are kept in a fileset of the server (default: " +
  "'labels' in the job's workspace), or in a file of this machine (default: labels.jsonl). They belong to item and output: a later job with the same outputs has them."
const METRIC = [
  "--metric <name>",
  "the judge's score: metric.score, or metric if it has one score; default: the only score of the job",
] as const

/** Declares `label next|add|list|report`. */
export function addLabelCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const label = addGroup(program, "label", {
    summary: "next, add, list, report",
    description: "Labels of people: how far a judge can be trusted, and its scores corrected by people.",
    examples: [
      `assay label next ${JOB} --metric helpful --out sheet.jsonl`,
      `assay label report ${JOB} --metric helpful`,
    ],
  })
  if (!isNamed("label")) return
  addLabelNext(label, bind)
  addLabelAdd(label, bind)
  addLabelList(label, bind)
  addLabelReport(label, bind)
}

function addLabelNext(label: Command, bind: Bind): void {
  addLabelsOption(
    addCommand(label, "next <job> [other]", {
      summary: "draw the rows that people should label next",
      details:
        "Rows are drawn at random by a seed, without those that have a label. Label them all and in this order: a sample with gaps corrects nothing.\n\n" +
        "With two jobs and --until-decided, rows of both are drawn until labels decide whether OTHER is at most the margin worse than JOB. Rows whose outputs are the same need no label, and rows on which " +
        `the judge sees a difference come first more often. Give the command again after each batch: stop when it says that the comparison is decided, and see it with 'assay eval compare --corrected'.\n\n${LOCATIONS}`,
      examples: [
        `assay label next ${JOB} --metric helpful`,
        "assay label next ./before ./after --metric helpful --margin 0.05 --until-decided --out sheet.jsonl",
        `assay label next ${FOLDER} --metric helpful --limit 100 --out sheet.jsonl`,
      ],
    }),
  )
    .option(...METRIC)
    .option("--limit <n>", "rows to draw", parseInteger(1, 1000), 20)
    .addOption(
      new Option("--by <way>", "random, or rows with a score in the middle of the scale more often")
        .choices([...DRAWN_BY])
        .default("random"),
    )
    .option("--seed <n>", "the same seed draws the same rows", parseInteger(0), 1)
    .option("--out <file>", 'write the rows as JSON lines in which people fill in "label"')
    .option("--until-decided", "with two jobs: name rows of both until their comparison is decided")
    .option("--margin <number>", "with --until-decided: how much worse OTHER may be", parseMargin, 0)
    .option("--task <name>", "with --until-decided: the task of the score, if several have it")
    .option("--allow-changed", "with --until-decided: also if the metric or its judge differs between the jobs")
    .action(bind(async () => (await import("./show-labels.ts")).showNext))
}

function addLabelAdd(label: Command, bind: Bind): void {
  addLabelsOption(
    addCommand(label, "add <job> [file]", {
      summary: "add labels from a file, or type them one after the other",
      details:
        `FILE has lines as 'label next --out' writes them. "label" is a number on the scale of the score, or true and false; lines without one are left out. Without FILE, each row is shown and you ` +
        `type its label; it is kept at once. ${LOCATIONS}`,
      examples: [
        `assay label add ${JOB} sheet.jsonl`,
        `assay label add ${JOB} --metric helpful --author ann`,
        `assay label add ${FOLDER} sheet.jsonl --labels people.jsonl`,
      ],
    }),
  )
    .option(...METRIC)
    .option("--author <name>", "who says so; default: USER")
    .option("--limit <n>", "rows to ask about without FILE", parseInteger(1, 1000), 50)
    .option("--seed <n>", "the seed that draws them", parseInteger(0), 1)
    .action(bind(async () => (await import("./add-labels.ts")).addLabels))
}

function addLabelList(label: Command, bind: Bind): void {
  addLabelsOption(
    addCommand(label, "list <job>", {
      summary: "list the labels of a job's rows",
      details: LOCATIONS,
      examples: [
        `assay label list ${JOB} --metric helpful`,
        `assay label list ${JOB} --metric helpful --csv > labels.csv`,
      ],
    }),
  )
    .option(...METRIC)
    .option("--csv", "print CSV with all fields")
    .action(bind(async () => (await import("./show-labels.ts")).listLabels))
}

function addLabelReport(label: Command, bind: Bind): void {
  addLabelsOption(
    addCommand(label, "report <job>", {
      summary: "compare a judge with people, and correct its mean",
      details:
        "Prints the judge's mean, that of people, and the judge's mean corrected by people (prediction-powered inference), each with its interval, and how many labels that is worth. " +
        `Judges with two scores get sensitivity and specificity too. ${LOCATIONS}`,
      examples: [
        `assay label report ${JOB} --metric helpful`,
        `assay label report ${JOB} --metric helpful --html labels.html`,
        `assay label report ${FOLDER} --metric helpful --json`,
      ],
    }),
  )
    .option(...METRIC)
    .option("--html <file>", "also write the report as a page that loads nothing")
    .action(bind(async () => (await import("./show-labels.ts")).reportLabels))
}

function addLabelsOption(command: Command): Command {
  return command.option("--labels <place>", "the fileset or file with the labels")
}
