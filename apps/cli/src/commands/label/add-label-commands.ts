import { Option, type Command } from "commander"
import { DRAWN_BY } from "@assay/schemas"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import { parseInteger } from "../option-values.ts"

const JOB = "eval-3QJmnh8Y1kGqvS4cQKFJ2b"
const FOLDER = "./.assay-eval/capitals-20261120-174012"
const LOCATIONS =
  "A job is an id of the server, or a folder with results on this machine, which exists or begins with '.', '/' or '~'. Labels are kept in a fileset of the server (default: " +
  "'labels' in the job's workspace), or in a file of this machine (default: labels.jsonl). They belong to item and output: a later job with the same outputs has them."
const METRIC = ["--metric <name>", "the judge's score: metric.score, or metric if it has one score"] as const

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
    addCommand(label, "next <job>", {
      summary: "draw the rows that people should label next",
      details: `Rows are drawn at random by a seed, without those that have a label. Label them all and in this order: a sample with gaps corrects nothing. ${LOCATIONS}`,
      examples: [
        `assay label next ${JOB} --metric helpful`,
        `assay label next ${FOLDER} --metric helpful --limit 100 --out sheet.jsonl`,
      ],
    }),
  )
    .requiredOption(...METRIC)
    .option("--limit <n>", "rows to draw", parseInteger(1, 1000), 20)
    .addOption(
      new Option("--by <way>", "random, or rows with a score in the middle of the scale more often")
        .choices([...DRAWN_BY])
        .default("random"),
    )
    .option("--seed <n>", "the same seed draws the same rows", parseInteger(0), 1)
    .option("--out <file>", 'write the rows as JSON lines in which people fill in "label"')
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
    .requiredOption(...METRIC)
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
    .requiredOption(...METRIC)
    .option("--html <file>", "also write the report as a page that loads nothing")
    .action(bind(async () => (await import("./show-labels.ts")).reportLabels))
}

function addLabelsOption(command: Command): Command {
  return command.option("--labels <place>", "the fileset or file with the labels")
}
